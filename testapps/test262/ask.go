package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"
)

// ask sends the requests, one after the other. Some tests break what the runner waits by.
func ask(ctx context.Context, addr string, paths []string) error {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second+time.Duration(len(paths))*time.Second)
	defer cancel()
	tr := &http.Transport{}
	defer tr.CloseIdleConnections()
	for _, path := range paths {
		q, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+path, nil)
		if err != nil {
			return err
		}
		r, err := tr.RoundTrip(q)
		if err != nil {
			return fmt.Errorf("GET %s: %w", path, err)
		}
		_, err = io.Copy(io.Discard, r.Body)
		r.Body.Close()
		if err != nil {
			return fmt.Errorf("GET %s: %w", path, err)
		}
	}
	return nil
}
