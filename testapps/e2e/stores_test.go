package e2e

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"sync"
	"testing"

	"karousosc/testapps/forge"
)

var stores = &app{name: "stores", dir: "stores", requests: storesRequests}

func storesRequests(seed uint64, n int) []request {
	key := func(r *rand.Rand) string { return string(rune('a' + r.IntN(5))) }
	var makers []func(r *rand.Rand) request
	for _, path := range []string{"/quick/", "/node/", "/memory/", "/keyv/", "/limited/"} {
		makers = append(makers, func(r *rand.Rand) request { return get(path + key(r)) })
	}
	return mix(seed, n, makers...)
}

// TestStores: what well-known packages keep for an app is shared state like its own.
func TestStores(t *testing.T) {
	for _, connections := range []int{1, 10, 60} {
		t.Run(fmt.Sprintf("connections=%d", connections), func(t *testing.T) {
			stores.honest(t, connections, storesRequests(uint64(connections), 200))
		})
	}
}

// TestStoreOfTypedArrays: lru-cache keeps typed arrays, whose changes are followed by
// joint re-execution only.
func TestStoreOfTypedArrays(t *testing.T) {
	var requests []request
	for i := range 80 {
		requests = append(requests, get(fmt.Sprintf("/lru/%d", i*7%5)))
	}
	stores.honest(t, 10, requests)
}

// TestSessionsOfAPackage: visitors with cookies, at the same time.
func TestSessionsOfAPackage(t *testing.T) {
	visits := &story{app: stores, drive: func(ctx context.Context, addr string) error {
		errs := make([]error, 8)
		var wg sync.WaitGroup
		for i := range errs {
			wg.Go(func() { errs[i] = visit(ctx, addr, 6) })
		}
		wg.Wait()
		for _, err := range errs {
			if err != nil {
				return err
			}
		}
		return nil
	}}
	sessions.honest(t, 20, sessionRequests(1, 120)) // who keep no cookies
	honest := visits.honest(t)
	mustAccept(t, honest)
	mustReject(t, forged(t, honest, func(e *forge.Evidence) {
		for i := range e.Trace.Exchanges {
			if string(e.Trace.Exchanges[i].Response.Body) == `{"views":6}` {
				e.Answer(e.Trace.Exchanges[i].RID, `{"views":5}`)
				return
			}
		}
		t.Fatal("nobody came six times")
	}), "R-response")
}

// visit comes n times, with the cookie of the first time.
func visit(ctx context.Context, addr string, n int) error {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return err
	}
	client := &http.Client{Jar: jar, Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	for range n {
		q, err := http.NewRequestWithContext(ctx, "GET", "http://"+addr+"/visits", nil)
		if err != nil {
			return err
		}
		res, err := client.Do(q)
		if err != nil {
			return err
		}
		res.Body.Close()
	}
	return nil
}
