package e2e

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"karousosc/testapps/forge"
	"karousosc/testapps/scenario"
	"karousosc/verifier/verdict"
)

var troubled = flag.String("troubled", "cart jobs polling posts", "which of the strangers' apps TestTrouble is to try, or all")

// A trouble befalls an app between two loads, or in the middle of one.
type trouble struct {
	name string
	// whole: every request that was answered is in the advice.
	whole bool
	come  func(w *world, load func(hurried int))
}

// during runs a load, and what happens in the middle of it.
func during(load func(hurried int), hurried int, f func()) {
	done := make(chan bool)
	go func() {
		load(hurried)
		close(done)
	}()
	time.Sleep(60 * time.Millisecond)
	f()
	<-done
}

// again starts the server anew where it was.
func (w *world) again() {
	_, port, _ := strings.Cut(w.server.Addr, ":")
	w.serveAt(port)
}

var troubles = []trouble{
	{"slow bodies, and a start between", true, func(w *world, load func(int)) {
		load(0)
		if _, err := w.server.Stop(syscall.SIGTERM); err != nil {
			w.t.Error(err)
		}
		w.again()
		load(0)
	}},
	{"a start under load", false, func(w *world, load func(int)) {
		during(load, 0, func() {
			w.server.Stop(syscall.SIGTERM)
			w.again()
		})
		load(0)
	}},
	{"a server that is killed, and clients that leave", false, func(w *world, load func(int)) {
		during(load, 3, func() {
			w.server.Kill()
			<-w.server.Exited()
			w.again()
		})
		load(3)
	}},
	{"another collector", false, func(w *world, load func(int)) {
		during(load, 0, func() {
			w.collector.Kill()
			w.collect("--append")
		})
		load(0)
	}},
	{"a collector that is started anew", true, func(w *world, load func(int)) {
		load(0)
		if _, err := w.collector.Stop(syscall.SIGTERM); err != nil {
			w.t.Error(err)
		}
		w.collect("--append")
		load(0)
	}},
	{"a full disk", false, func(w *world, load func(int)) {
		load(0)
		// What is there already, and little more.
		if out, err := exec.Command("prlimit", "--pid", strconv.Itoa(w.server.Pid()), "--fsize=2500:2500").CombinedOutput(); err != nil {
			w.t.Skipf("prlimit: %v %s", err, out)
		}
		load(2)
		load(0)
	}},
}

// TestTrouble: apps that nobody wrote for us are not accused either, whatever happens to them; and where their advice is
// whole they are accepted. -troubled all tries all of them, each with -seeds troubles.
func TestTrouble(t *testing.T) {
	for i, a := range strangers(t) {
		name := strings.TrimPrefix(a.name, "strangers-")
		if *troubled != "all" && !slices.Contains(strings.Fields(*troubled), name) {
			continue
		}
		for k := range *seeds {
			c := troubles[(i+k)%len(troubles)]
			t.Run(fmt.Sprintf("%s/%s", name, c.name), func(t *testing.T) {
				t.Parallel()
				rnd := rand.New(rand.NewPCG(uint64(k), uint64(i)))
				w := &world{t: t, rnd: rnd, e: scenario.In(a.build(t), t.TempDir())}
				w.serve()
				w.collect()
				c.come(w, func(hurried int) {
					all := a.requests(rnd.Uint64(), 40)
					for i := range all {
						if all[i].body != "" && rnd.IntN(2) == 0 {
							all[i].chunks = 1 + rnd.IntN(4)
						}
					}
					w.load(all, hurried)
				})
				if _, err := w.collector.Stop(syscall.SIGTERM); err != nil {
					t.Error(err)
				}
				// An app may have died of what its clients did, as it would have without us.
				if _, err := w.server.Stop(syscall.SIGTERM); err != nil && c.whole {
					t.Error(err)
				}
				v := verify(t, w.e, "--lives", "3")
				if v.Outcome == verdict.Reject || c.whole && v.Outcome != verdict.Accept {
					keepEvidence(t, w.e)
					t.Errorf("%s\nthe server said:\n%s", v.Text(), w.server.Output())
				}
				t.Logf("%.300s", v.Text())
			})
		}
	}
}

// A request of which the server had a part when it was stopped did what it could do with that, and no more.
func TestStoppedInTheMiddle(t *testing.T) {
	t.Parallel()
	ending := &app{name: "ending", dir: "gallery", entry: "ending.js"}
	for _, size := range []int{5, 100_000} { // what is held back until all is there, and what comes in pieces
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			t.Parallel()
			w := &world{t: t, e: scenario.In(ending.build(t), t.TempDir())}
			w.serve()
			w.collect()
			c, err := net.Dial("tcp", w.addr)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			fmt.Fprintf(c, "POST /add HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n", size, strings.Repeat("a", size))
			for tr := (&http.Transport{}); ; time.Sleep(20 * time.Millisecond) {
				q := get("/begun")
				if _, begun, err := q.send(t.Context(), tr, w.addr); err != nil || string(begun) == "1" {
					break
				}
			}
			if _, err := drive(t.Context(), w.addr, 1, []request{{method: "POST", path: "/add", body: "abc"}, get("/total")}); err != nil {
				t.Fatal(err)
			}
			if _, err := w.server.Stop(syscall.SIGTERM); err != nil {
				t.Error(err)
			}
			if _, err := w.collector.Stop(syscall.SIGTERM); err != nil {
				t.Error(err)
			}
			mustAccept(t, w.e)
			mustReject(t, forged(t, w.e, func(e *forge.Evidence) {
				x := &e.Trace.Exchanges[len(e.Trace.Exchanges)-1]
				e.Answer(x.RID, fmt.Sprint(size+3))
			}), "R-response")
		})
	}
}
