package load

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestMotdMix(t *testing.T) {
	m := Motd{Requests: 10_000, Writes: 90, Keys: 50, Hidden: 20, Seed: 1}
	requests := m.Build()
	if !reflect.DeepEqual(requests, m.Build()) {
		t.Error("equal seeds give different requests")
	}
	other := m
	other.Seed = 2
	if reflect.DeepEqual(requests, other.Build()) {
		t.Error("different seeds give equal requests")
	}
	writes, hidden := 0, 0
	messages, dates := map[string]bool{}, map[string]int{}
	for _, r := range requests {
		dates[strings.Split(r.Body, `"`)[3]]++
		if r.Path == "/post" {
			writes++
			messages[strings.Split(r.Body, `"`)[7]] = true
			if strings.Contains(r.Body, `"readable":false`) {
				hidden++
			}
		}
	}
	if writes < 8_800 || writes > 9_200 {
		t.Errorf("%d of 10000 are writes", writes)
	}
	if hidden < writes/5-300 || hidden > writes/5+300 {
		t.Errorf("%d of %d are hidden", hidden, writes)
	}
	if len(messages) != writes {
		t.Errorf("%d distinct messages in %d writes", len(messages), writes)
	}
	if len(dates) != 50 {
		t.Errorf("%d dates", len(dates))
	}
	m.Zipf = true
	top := 0
	dates = map[string]int{}
	for _, r := range m.Build() {
		dates[strings.Split(r.Body, `"`)[3]]++
	}
	for _, n := range dates {
		top = max(top, n)
	}
	if top < 2_000 {
		t.Errorf("the most popular date has %d of 10000 requests", top)
	}
}

func TestRun(t *testing.T) {
	var open, most, seen atomic.Int32
	var mu sync.Mutex
	bodies := map[string]int{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n := open.Add(1); n > most.Load() {
			most.Store(n)
		}
		defer open.Add(-1)
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		bodies[string(body)]++
		mu.Unlock()
		time.Sleep(time.Millisecond)
		if seen.Add(1)%2 == 0 { // in chunks
			fmt.Fprint(w, strings.Repeat("x", 5_000))
			w.(http.Flusher).Flush()
		}
		w.Write(body)
	}))
	defer s.Close()
	requests := Motd{Requests: 300, Writes: 50, Seed: 3}.Build()
	res, err := Run(context.Background(), requests, Options{Addr: s.Listener.Addr().String(), Connections: 10, Warmup: 60,
		Check: func(i int, r *Request, status int, body []byte) error {
			if status != 200 || !strings.HasSuffix(string(body), r.Body) {
				return fmt.Errorf("%d %s", status, body)
			}
			return nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	if res.Requests != 300 || res.Timed != 240 || len(res.Latency) != 240 || res.Elapsed <= 0 || res.Quantile(0.5) < time.Millisecond || res.Quantile(1) < res.Quantile(0) {
		t.Errorf("%+v", res)
	}
	if most.Load() > 10 {
		t.Errorf("%d requests at once", most.Load())
	}
	for _, r := range requests {
		bodies[r.Body]--
	}
	for body, n := range bodies {
		if n != 0 {
			t.Errorf("%s: %d times too often", body, n)
		}
	}
}

func TestRunFails(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/500":
			http.Error(w, "broken", 500)
		case "/cut":
			panic(http.ErrAbortHandler)
		}
	}))
	defer s.Close()
	addr := s.Listener.Addr().String()
	for _, c := range []struct{ addr, path, want string }{
		{addr, "/500", "status 500: broken"},
		{addr, "/cut", "closed the connection"},
		{"127.0.0.1:1", "/", "refused"},
		{"192.0.2.1:80", "/", "not an address of this machine"},
		{"example.org:80", "/", "not an address of this machine"},
	} {
		_, err := Run(context.Background(), []Request{{"GET", "/", ""}, {"GET", c.path, ""}}, Options{Addr: c.addr})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s%s: got %v, want %q", c.addr, c.path, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, []Request{{"GET", "/", ""}}, Options{Addr: addr}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
