// Package testapps tests the apps as anyone would run them: plain, with npm
// start. What the audit says of an app means little if the app itself is wrong.
package testapps

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"karousosc/runtime/collector"
	"karousosc/testapps/load"
	"karousosc/testapps/scenario"
	"karousosc/verifier/trace"
)

// npmStart runs an app until the test ends, and returns its address.
func npmStart(t *testing.T, app string) string {
	t.Helper()
	if _, err := os.Stat(filepath.Join(app, "node_modules")); err != nil {
		t.Fatalf("%s has no node_modules: run make npm", app)
	}
	port, err := scenario.Port()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("npm", "start", "--silent")
	cmd.Dir = app
	cmd.Env = append(os.Environ(), "PORT="+port)
	// npm runs a shell, which runs node: all of them have to go.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		cmd.Wait()
	})
	lines := make(chan string, 1)
	go func() {
		for s := bufio.NewScanner(out); s.Scan(); {
			if strings.TrimSpace(s.Text()) != "" {
				lines <- s.Text()
			}
		}
		close(lines)
	}()
	select {
	case line, ok := <-lines:
		if want := app + " listening on port " + port; !ok || line != want {
			t.Fatalf("the app printed %q, want %q\n%s", line, want, stderr.String())
		}
	case <-time.After(60 * time.Second):
		t.Fatal("the app does not start")
	}
	return "127.0.0.1:" + port
}

func collect(t *testing.T, upstream string) (addr string, finish func() *trace.Trace) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "t.ktrace")
	w, err := trace.Create(file, trace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := collector.New(collector.Options{Upstream: "http://" + upstream, Trace: w})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go c.Serve(l)
	return l.Addr().String(), func() *trace.Trace {
		t.Helper()
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		c.Close(ctx)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		tr, err := trace.Load(file, trace.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		return tr
	}
}

type message struct {
	Date, Message string
	Readable      bool
}

// answer is what motd must say, given what was posted before.
func answer(path string, m message, posted map[string]message) string {
	if path == "/post" {
		posted[m.Date] = m
		return "Message set for " + m.Date
	}
	p, ok := posted[m.Date]
	if !ok || !p.Readable && m.Date != time.Now().UTC().Format(time.DateOnly) {
		return "No message for " + m.Date
	}
	return m.Date + ": " + p.Message
}

func TestMotd(t *testing.T) {
	for _, app := range []string{"motd", "motd-express5", "motd-ts"} {
		t.Run(app, func(t *testing.T) {
			server := npmStart(t, app)
			addr, finish := collect(t, server)

			// One after another every answer is known.
			today := time.Now().UTC().Format(time.DateOnly)
			requests := append([]load.Request{
				{Method: "POST", Path: "/getdate", Body: `{"date":"` + today + `"}`},
				{Method: "POST", Path: "/post", Body: `{"date":"` + today + `","message":"only today","readable":false}`},
				{Method: "POST", Path: "/getdate", Body: `{"date":"` + today + `"}`},
			}, load.Motd{Requests: 300, Writes: 40, Keys: 20, Hidden: 30, Seed: 7}.Build()...)
			posted := map[string]message{}
			kinds := map[string]int{}
			_, err := load.Run(context.Background(), requests, load.Options{Addr: addr,
				Check: func(_ int, r *load.Request, status int, body []byte) error {
					var m message
					if err := json.Unmarshal([]byte(r.Body), &m); err != nil {
						return err
					}
					want := answer(r.Path, m, posted)
					kinds[strings.Fields(want)[0][:2]]++
					if status != 200 || string(body) != want {
						return fmt.Errorf("status %d, %q; want %q", status, body, want)
					}
					return nil
				}})
			if err != nil {
				t.Fatal(err)
			}
			if kinds["Me"] < 50 || kinds["No"] < 20 || kinds["20"] < 20 {
				t.Errorf("the workload has %v", kinds)
			}

			// All at once an answer must be from some write of that date.
			requests = load.Motd{Requests: 1200, Writes: 50, Keys: 30, Zipf: true, Seed: 8}.Build()
			got := make([]string, len(requests))
			_, err = load.Run(context.Background(), requests, load.Options{Addr: addr, Connections: 60,
				Check: func(i int, r *load.Request, status int, body []byte) error {
					got[i] = string(body)
					if status != 200 {
						return fmt.Errorf("status %d", status)
					}
					return nil
				}})
			if err != nil {
				t.Fatal(err)
			}
			resp, err := http.Post("http://"+addr+"/post", "application/json", strings.NewReader(`{"date":1}`))
			if err != nil {
				t.Fatal(err)
			}
			if body, _ := io.ReadAll(resp.Body); resp.StatusCode != 400 || string(body) != "date and message are needed" {
				t.Errorf("a bad post: %d %q", resp.StatusCode, body)
			}

			// And the trace has what was sent and what was received.
			tr := finish()
			if n := len(tr.Exchanges); n != 303+1200+1 || tr.Truncated != "" {
				t.Fatalf("%d exchanges, truncated %q", n, tr.Truncated)
			}
			pairs := map[string]int{}
			for i, r := range requests {
				pairs[r.Path+" "+r.Body+" "+got[i]]++
			}
			for i := range tr.Exchanges[303:1503] {
				x := &tr.Exchanges[303+i]
				pairs[x.Request.Target+" "+string(x.Request.Body)+" "+string(x.Response.Body)]--
			}
			for pair, n := range pairs {
				if n != 0 {
					t.Errorf("%s: %d more sent than recorded", pair, n)
				}
			}
		})
	}
}
