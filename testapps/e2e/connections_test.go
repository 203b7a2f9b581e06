package e2e

import (
	"bufio"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"karousosc/testapps/forge"
	"karousosc/testapps/scenario"
	"karousosc/verifier/advice/record"
	"karousosc/verifier/trace"
)

var early = &app{name: "early", dir: "gallery", entry: "early.js"}

var lengths = &app{name: "lengths", dir: "gallery", entry: "lengths.js"}

var wires = &app{name: "wires", dir: "upstream", entry: "wires.js"}

// lineServer answers each line with that line in capitals, until one says quit, or reset.
func lineServer(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				in := bufio.NewReader(c)
				for {
					line, err := in.ReadString('\n')
					switch {
					case err != nil:
						return
					case line == "quit\n":
						fmt.Fprintln(c, "bye")
						c.(*net.TCPConn).CloseWrite()
					case line == "reset\n":
						c.(*net.TCPConn).SetLinger(0)
						return
					default:
						fmt.Fprint(c, strings.ToUpper(line))
					}
				}
			}()
		}
	}()
	return l.Addr().String()
}

// TestConnections: what comes by connections of the app's own is taken from the record, in groups if each request
// has its own.
func TestConnections(t *testing.T) {
	at := lineServer(t)
	var requests []request
	for _, thing := range upstreamThings(t, "sockets.js") {
		for range 6 {
			requests = append(requests, get("/"+thing+"?"+at))
		}
	}
	t.Run("like the app", func(t *testing.T) { wires.answersLikePlain(t, wires.entry, requests) })
	for _, connections := range []int{1, 30} {
		t.Run(fmt.Sprint("connections=", connections), func(t *testing.T) {
			if v := wires.honest(t, connections, requests); v.Together != "" {
				t.Errorf("groups would have done, but: %s", v.Together)
			} else if v.Trusted["net"] < len(requests) {
				t.Errorf("it does not say what it rests on: %v", v.Trusted)
			}
		})
	}
}

// TestConnectionAttacks: a connection brings what the program made its answer of, in an order that can be.
func TestConnectionAttacks(t *testing.T) {
	at := lineServer(t)
	r := wires.record(t, 1, []request{get("/one?" + at), get("/several?" + at), get("/quit?" + at)})
	mustAccept(t, r.Evidence)
	for name, attack := range map[string]struct {
		f     func(l *forge.Life)
		rules string
	}{
		"another line":         {func(l *forge.Life) { rewrite(t, eventsOf(t, l, "net", 1, "data")[0], "HELLO", "JELLO") }, "R-response"},
		"another's line":       {func(l *forge.Life) { swap(eventsOf(t, l, "net", 1, "data")[0], eventsOf(t, l, "net", 2, "data")[0]) }, "R-response"},
		"lines in other order": {func(l *forge.Life) { list := eventsOf(t, l, "net", 2, "data"); swap(list[0], list[1]) }, "R-response"},
		"data before it is connected": {func(l *forge.Life) {
			swap(eventsOf(t, l, "net", 1, "connect")[0], eventsOf(t, l, "net", 1, "data")[0])
		}, "R-nondet"},
		"connected twice": {func(l *forge.Life) { again(l, eventsOf(t, l, "net", 1, "connect")[0]) }, "R-nondet"},
		"ended twice":     {func(l *forge.Life) { again(l, eventsOf(t, l, "net", 3, "end")[0]) }, "R-nondet"},
		"data after the end": {func(l *forge.Life) {
			swap(eventsOf(t, l, "net", 3, "data")[0], eventsOf(t, l, "net", 3, "end")[0])
		}, "R-nondet R-response"},
		"closed while it is open":   {func(l *forge.Life) { replace(eventsOf(t, l, "net", 1, "data")[0], `{"k":"close"}`) }, "R-nondet"},
		"written what was not":      {func(l *forge.Life) { replace(eventsOf(t, l, "net", 1, "data")[0], `{"k":"wrote","n":1}`) }, "R-nondet"},
		"a timeout that nobody set": {func(l *forge.Life) { replace(eventsOf(t, l, "net", 1, "data")[0], `{"k":"timeout"}`) }, "R-nondet"},
		"secure without TLS": {func(l *forge.Life) {
			replace(eventsOf(t, l, "net", 1, "data")[0], `{"k":"secure","authorized":true,"error":null,"protocol":null,"alpn":null}`)
		}, "R-nondet"},
		"no data": {func(l *forge.Life) {
			x := eventsOf(t, l, "net", 1, "data")[0]
			l.Records = slices.DeleteFunc(l.Records, func(y *forge.Record) bool { return x == y })
		}, "R-nondet"},
	} {
		t.Run(name, func(t *testing.T) {
			mustReject(t, forged(t, r.Evidence, func(e *forge.Evidence) { attack.f(life(t, e)) }), attack.rules)
		})
	}
}

// rewrite changes what an event brought.
func rewrite(t *testing.T, x *forge.Record, old, new string) {
	var e struct {
		B []byte `json:"b"`
	}
	if err := json.Unmarshal([]byte(x.Value.Str), &e); err != nil || !strings.Contains(string(e.B), old) {
		t.Fatalf("%q is not in %.100s (%v)", old, x.Value.Str, err)
	}
	changed := strings.Replace(string(e.B), old, new, 1)
	replace(x, strings.Replace(x.Value.Str, base64.StdEncoding.EncodeToString(e.B), base64.StdEncoding.EncodeToString([]byte(changed)), 1))
}

// A database of testapps/databases, for which a test is skipped where it is not to be had.
type database struct {
	*app
	at       string
	prepare  func() error
	requests []request
	// Text that an answer is made of, and other text as long.
	truth, lie string
}

func databases(t *testing.T) map[string]database {
	t.Setenv("TABLE", "karousosc_e2e")
	post := func(path, body string) request { return jsonBody("POST", path, body) }
	return map[string]database{
		"postgres": {
			&app{name: "postgres", dir: "databases", entry: "postgres.js"}, "127.0.0.1:5432", nil,
			[]request{
				post("/guests", `{"name":"ann"}`), post("/guests", `{"name":"bob ü"}`), post("/guests", `{}`), get("/guests"), get("/guests/1"), get("/guests/77"),
				post("/visits", `{"ids":[1,2]}`), post("/visits", `{"ids":[2,9]}`), get("/alone?n=5"), get("/large"), get("/fails"), get("/refused"), get("/guests"),
			}, "ann", "eve",
		},
		"redis": {
			&app{name: "redis", dir: "databases", entry: "cache.js"}, "127.0.0.1:6379", nil,
			[]request{
				get("/count/a"), get("/count/a"), get("/count/b"), jsonBody("PUT", "/things/x", `{"thing":"lamp"}`), jsonBody("PUT", "/things/y", `[1,"ü"]`), get("/things/x"), get("/things/none"),
				get("/things"), get("/pipeline"), get("/wrong"),
			}, "lamp", "sofa",
		},
		"maria": {
			&app{name: "maria", dir: "databases", entry: "maria.js"}, "127.0.0.1:3306",
			func() error {
				return exec.Command("mariadb", "-h", "127.0.0.1", "-u", "root", "-e", "CREATE DATABASE IF NOT EXISTS test").Run()
			},
			[]request{
				post("/accounts", `{"owner":"ann","balance":50}`), post("/accounts", `{"owner":"bob"}`), post("/accounts", `{}`), post("/transfers", `{"from":1,"to":2,"amount":20}`),
				post("/transfers", `{"from":1,"to":2,"amount":900}`), get("/accounts"),
			}, "ann", "eve",
		},
	}
}

// TestDatabases: an app's connections to a database are shared by its requests, which are re-executed together with
// what the connections brought.
func TestDatabases(t *testing.T) {
	for name, d := range databases(t) {
		t.Run(name, func(t *testing.T) {
			c, err := net.DialTimeout("tcp", d.at, time.Second)
			if err != nil {
				t.Skip("there is no such database here: ", err)
			}
			c.Close()
			if d.prepare != nil {
				if err := d.prepare(); err != nil {
					t.Skip("the database is not to be used: ", err)
				}
			}
			t.Run("like the app", func(t *testing.T) { d.answersLikePlain(t, d.entry, d.requests) })
			for _, connections := range []int{1, 30} {
				t.Run(fmt.Sprint("connections=", connections), func(t *testing.T) {
					v := d.honest(t, connections, slices.Repeat(d.requests, min(connections, 8)))
					if !strings.Contains(v.Together, "shared by several requests") || v.Trusted["net"] == 0 {
						t.Errorf("it does not say why it is slow, and what it rests on:\n%s", v.Text())
					}
				})
			}
			r := d.record(t, 1, d.requests)
			t.Run("another row", func(t *testing.T) {
				mustReject(t, forged(t, r.Evidence, func(e *forge.Evidence) {
					n := 0
					for _, x := range life(t, e).All(record.Recorded) {
						if x.Name == "net" && strings.HasPrefix(x.Value.Str, `{"k":"data`) && contains(x, d.truth) {
							rewrite(t, x, d.truth, d.lie)
							n++
						}
					}
					if n == 0 {
						t.Fatalf("nothing brought %q", d.truth)
					}
				}), "R-response")
			})
			t.Run("no row", func(t *testing.T) {
				mustReject(t, forged(t, r.Evidence, func(e *forge.Evidence) {
					l := life(t, e)
					i := slices.IndexFunc(l.Records, func(x *forge.Record) bool {
						return x.Op == record.Recorded && x.Name == "net" && contains(x, d.truth)
					})
					l.Records = slices.Delete(l.Records, i, i+1)
				}), "R-nondet R-response R-turn R-leftover")
			})
		})
	}
}

// contains tells whether an event brought text.
func contains(x *forge.Record, text string) bool {
	var e struct {
		B []byte `json:"b"`
	}
	return json.Unmarshal([]byte(x.Value.Str), &e) == nil && strings.Contains(string(e.B), text)
}

// TestNextRequestComesEarly: on a connection that is kept alive, a request may come before Node.js is done with the
// answer to the one before, and has no socket as yet. That must not show.
func TestNextRequestComesEarly(t *testing.T) {
	e := scenario.In(early.build(t), t.TempDir())
	w := &world{t: t, e: e}
	w.serve()
	c, err := net.Dial("tcp", w.server.Addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	out, err := trace.Create(e.Trace, trace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	// A collector that does not wait: all requests in one piece.
	var pieces strings.Builder
	for range 3 {
		for _, body := range []string{"", "some text"} {
			q := trace.Request{Method: "POST", Target: "/", Proto: "HTTP/1.1", Headers: []trace.Header{{Name: "Host", Value: "x"}, {Name: "Content-Length", Value: fmt.Sprint(len(body))}}, Body: []byte(body)}
			fmt.Fprintf(&pieces, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\nKarousos-Request-Id: %d\r\n\r\n%s", len(body), out.Begin(&q), body)
		}
	}
	io.WriteString(c, pieces.String())
	in := bufio.NewReader(c)
	for rid := range uint64(6) {
		resp, err := http.ReadResponse(in, nil)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		a := trace.Response{Status: resp.StatusCode, Body: body}
		for name, values := range resp.Header {
			a.Headers = append(a.Headers, trace.Header{Name: name, Value: values[0]})
		}
		out.Respond(rid+1, &a)
		if want := []string{"true false 0 end", "true false 9 promise"}[rid%2]; string(body) != want {
			t.Errorf("request %d is answered %q, want %q", rid+1, body, want)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.server.Stop(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{nil, {"--together"}} {
		mustAccept(t, e, args...)
	}
}

// TestAnswersOfKnownLength: a client has all of a response when as much has come as was told. What it asks next may
// come before the program ends that response, and so may the end of the server.
func TestAnswersOfKnownLength(t *testing.T) {
	var requests []request
	for i := range 4 {
		for _, path := range []string{fmt.Sprintf("/text?size=%d", 4+i), "/none", "/empty"} {
			requests = append(requests, get(path), with(get("/late"), "Connection: close"))
		}
		requests = append(requests, request{method: "HEAD", path: "/text?size=4"}, get("/late"))
	}
	runs := []*scenario.Recording{lengths.record(t, 1, requests), lengths.record(t, 4, requests)}
	for _, path := range []string{"/text?size=4&never", "/none?never", "/empty?never"} {
		runs = append(runs, lengths.record(t, 1, []request{get("/late"), get(path)}))
	}
	for _, r := range runs {
		for _, args := range [][]string{nil, {"--together"}} {
			mustAccept(t, r.Evidence, args...)
		}
		liesAboutAnswers(t, r.Evidence)
	}
}

var held = &app{name: "kept", dir: "gallery", entry: "kept.js"}

var doors = &app{name: "doors", dir: "gallery", entry: "doors.js"}

// TestKeptConnections: what a program keeps with a connection that is kept alive is there when the next request comes
// by it, and so is what it hears of connections themselves.
func TestKeptConnections(t *testing.T) {
	things := []request{get("/property"), get("/number"), get("/seen"), get("/last")}
	for _, c := range []struct {
		*app
		requests []request
	}{
		{held, slices.Repeat(things, 3)},
		{held, slices.Repeat(things[:1], 4)},
		{held, slices.Repeat(things[1:2], 4)},
		{held, slices.Repeat(things[3:], 4)},
		{doors, slices.Repeat([]request{get("/"), get("/hears"), with(get("/"), "Connection: close"), get("/how-many")}, 3)},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.answersLikePlain(t, c.entry, c.requests)
			for _, connections := range []int{1, 8} {
				if v := c.honest(t, connections, slices.Repeat(c.requests, connections)); v.Together == "" {
					t.Errorf("groups know nothing of connections:\n%s", v.Text())
				}
			}
		})
	}
}

// TestKeptConnectionAttacks: a request came by a connection that was open and carried nothing else, and whose like the
// program had heard of.
func TestKeptConnectionAttacks(t *testing.T) {
	e := doors.record(t, 1, slices.Repeat([]request{get("/")}, 4)).Evidence
	both := doors.record(t, 2, slices.Repeat([]request{get("/")}, 8)).Evidence
	keeping := held.record(t, 1, slices.Repeat([]request{get("/property")}, 4)).Evidence
	pair := held.record(t, 2, slices.Repeat([]request{get("/property")}, 8)).Evidence
	of := func(t *testing.T, l *forge.Life, kind string) (list []*forge.Record) {
		for _, x := range l.All(record.Recorded) {
			if x.Name == kind && x.Req > 0 {
				list = append(list, x)
			}
		}
		if len(list) == 0 {
			t.Fatalf("nothing is recorded of kind %s", kind)
		}
		return list
	}
	for name, attack := range map[string]struct {
		on scenario.Evidence
		f  func(t *testing.T, l *forge.Life)
	}{
		"a connection that nobody heard of": {e, func(t *testing.T, l *forge.Life) { of(t, l, "connection")[1].Value.Num = 77 }},
		"no connection":                     {e, func(t *testing.T, l *forge.Life) { l.Drop(of(t, l, "connection")[1]) }},
		"two requests at a time on one connection": {both, func(t *testing.T, l *forge.Life) {
			list := of(t, l, "connection")
			for _, x := range list {
				x.Value = list[0].Value
			}
		}},
		"a request that never was": {keeping, func(t *testing.T, l *forge.Life) { of(t, l, "kept")[0].Value.Num = 77 }},
		"two requests at a time on a kept connection": {pair, func(t *testing.T, l *forge.Life) {
			list := of(t, l, "kept")
			for _, x := range list {
				x.Value = list[0].Value
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			mustAccept(t, attack.on)
			mustReject(t, forged(t, attack.on, func(e *forge.Evidence) { attack.f(t, life(t, e)) }), "R-nondet R-response")
		})
	}
	// What is done with a connection after it closed is something else.
	t.Run("a connection that has closed", func(t *testing.T) {
		mustReject(t, forged(t, e, func(e *forge.Evidence) {
			l := life(t, e)
			last := slices.MaxFunc(l.Of(0, record.Turn), func(x, y *forge.Record) int { return cmp.Compare(x.Act, y.Act) })
			second := l.All(record.Request)[1]
			for _, x := range slices.Clone(l.Records) {
				if x.Req == 0 && (x.Act == last.Act && x.Op != record.Activation || x.Op == record.Activation && x.ID == last.Act) {
					l.Records = slices.DeleteFunc(l.Records, func(y *forge.Record) bool { return x == y })
					l.Records = slices.Insert(l.Records, slices.Index(l.Records, second), x)
				}
			}
		}), "R-nondet")
	})
}

// TestShutdown: a server that clears up when it is told to end can be audited in groups, whether it was idle then or not.
func TestShutdown(t *testing.T) {
	shutdown := &app{name: "shutdown", dir: "gallery", entry: "shutdown.js"}
	for name, last := range map[string]string{"idle": "/b", "busy": "/slow"} {
		t.Run(name, func(t *testing.T) {
			e := scenario.In(shutdown.build(t), t.TempDir())
			w := &world{t: t, e: e}
			w.serve()
			w.collect()
			if _, err := drive(t.Context(), w.addr, 2, slices.Repeat([]request{get("/a"), get("/b")}, 4)); err != nil {
				t.Fatal(err)
			}
			answered := make(chan error)
			go func() {
				_, err := drive(t.Context(), w.addr, 2, []request{get(last), get(last)})
				answered <- err
			}()
			if last == "/slow" {
				time.Sleep(100 * time.Millisecond)
			} else if err := <-answered; err != nil {
				t.Fatal(err)
			}
			u, err := w.server.Stop(syscall.SIGTERM)
			if err != nil || u.Code != 0 || !strings.Contains(w.server.Output(), "closed at") {
				t.Fatalf("the server did not end by itself: %v, exit status %d\n%s", err, u.Code, w.server.Output())
			}
			if last == "/slow" {
				if err := <-answered; err != nil {
					t.Fatal(err)
				}
			}
			if _, err := w.collector.Stop(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			if v := mustAccept(t, e); v.Together != "" {
				t.Errorf("groups would have done, but: %s", v.Together)
			}
			mustAccept(t, e, "--together")
		})
	}
}

// TestWriteCallbacks: what is written to a response leaves in the next tick, and its callbacks come in the one after that.
func TestWriteCallbacks(t *testing.T) {
	writes := &app{name: "writes", dir: "gallery", entry: "writes.js"}
	var requests []request
	for _, name := range strings.Fields("one before two nested inTick promise end get endonly get length flush empty timer second corked") {
		requests = append(requests, get("/"+name))
	}
	requests = append(requests, request{method: "HEAD", path: "/endonly"}, get("/get"))
	writes.answersLikePlain(t, writes.entry, requests)
	for _, connections := range []int{1, 8} {
		if v := writes.honest(t, connections, slices.Repeat(requests, connections)); v.Together != "" {
			t.Errorf("groups would have done, but: %s", v.Together)
		}
	}
	// Where a body comes in a turn of its own, ticks and promises come before it.
	bodies := slices.Repeat([]request{{method: "POST", path: "/body", body: "some text"}, {method: "POST", path: "/body", body: "some text", chunks: 3}}, 4)
	mustAccept(t, writes.record(t, 4, bodies).Evidence)
}
