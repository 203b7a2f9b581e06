// Command bench measures what karousosc costs, as ratios of things measured side by
// side on the same machine in the same minutes: the server build against the
// unmodified app under the same load, and the verifier against the same app run
// again from the trace, one request after another.
//
// Everything is processor time as the kernel counts it for the process in question
// (and the children that it waited for), so that neither the load generator nor
// the collector is in it, and so that a busy machine disturbs little. Pairs
// alternate; what is printed is the median over rounds.
//
//	go run ./testapps/bench            # takes a quarter of an hour
//	go run ./testapps/bench --quick    # a rough picture in a minute
//	go run ./testapps/bench --json
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"karousosc/testapps/forge"
	"karousosc/testapps/load"
	"karousosc/testapps/replay"
	"karousosc/testapps/scenario"
	"karousosc/verifier/advice/record"
	"karousosc/verifier/verdict"
)

func main() {
	var b bench
	quick := flag.Bool("quick", false, "one round of fewer requests")
	asJSON := flag.Bool("json", false, "print the report as JSON")
	flag.IntVar(&b.rounds, "rounds", 5, "how often to measure each pair")
	flag.StringVar(&b.app, "app", "motd", "a message-of-the-day app in testapps, with its entry in server.js")
	flag.IntVar(&b.connections, "connections", 30, "over how many connections requests come")
	flag.StringVar(&b.only, "only", "", "measure only `part`: server, verifier, advice, memory or inferred")
	flag.Parse()
	b.sizes, b.mixes = []int{600, 20_000}, []int{90, 50, 10}
	if *quick {
		b.sizes, b.mixes, b.rounds = []int{600, 5_000}, []int{90, 10}, 1
	}
	b.out = os.Stdout
	if *asJSON {
		b.out = io.Discard
	}
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	if err := b.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(2)
	}
	if *asJSON {
		e := json.NewEncoder(os.Stdout)
		e.SetIndent("", "  ")
		e.Encode(&b.Report)
	}
}

type bench struct {
	rounds, connections int
	sizes, mixes        []int
	app, only           string
	out                 io.Writer

	dir    string
	kit    *scenario.Kit
	source string
	dist   string
	plain  string // the app for plain re-execution
	Report report
}

// The limits that karousosc has set itself.
const (
	serverLimit = 1.3
	engineLimit = 1.5
	nodeLimit   = 3
	adviceLimit = 60
)

type report struct {
	App         string           `json:"app"`
	Connections int              `json:"connections"`
	Rounds      int              `json:"rounds"`
	Machine     string           `json:"machine"`
	Server      []serverResult   `json:"server"`
	Verifier    []verifierResult `json:"verifier"`
	Advice      []adviceResult   `json:"advice"`
	Memory      []memoryResult   `json:"memory"`
	Inferred    []inferredResult `json:"inferred"`
}

// Times are microseconds of processor time per request, medians.
type serverResult struct {
	Requests int     `json:"requests"`
	Writes   int     `json:"writesPercent"`
	Plain    float64 `json:"plainMicros"`
	Server   float64 `json:"serverMicros"`
	Ratio    spread  `json:"ratio"`
	OK       bool    `json:"ok"`
}

type verifierResult struct {
	Requests  int     `json:"requests"`
	Writes    int     `json:"writesPercent"`
	Groups    int     `json:"groups"`
	Widest    int     `json:"widest"`
	Verifier  float64 `json:"verifierMicros"`
	Engine    float64 `json:"engineMicros"`
	Node      float64 `json:"nodeMicros"`
	VsEngine  spread  `json:"engineOverVerifier"`
	VsNode    spread  `json:"nodeOverVerifier"`
	Tolerated bool    `json:"small,omitempty"` // too few requests for the limits to be meant
	OK        bool    `json:"ok"`
}

type adviceResult struct {
	Requests int     `json:"requests"`
	Writes   int     `json:"writesPercent"`
	Total    float64 `json:"bytesPerRequest"`
	Beyond   float64 `json:"beyondValuesPerRequest"`
	OK       bool    `json:"ok"`
}

type memoryResult struct {
	Requests   int     `json:"requests"`
	Message    int     `json:"messageBytes"`
	TraceMB    float64 `json:"bodiesMB"` // of requests and responses in the trace
	VerifierMB float64 `json:"verifierMB"`
	EngineMB   float64 `json:"engineMB"`
}

// A spread is the median of several ratios, with the least and the greatest.
type spread struct {
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
}

func (s spread) String() string { return fmt.Sprintf("%5.2fx (%.2f-%.2f)", s.Median, s.Min, s.Max) }

func median(xs []float64) float64 {
	xs = slices.Sorted(slices.Values(xs))
	n := len(xs)
	return (xs[(n-1)/2] + xs[n/2]) / 2
}

func ratios(over, under []float64) spread {
	rs := make([]float64, len(over))
	for i := range over {
		rs[i] = over[i] / under[i]
	}
	return spread{median(rs), slices.Min(rs), slices.Max(rs)}
}

func verdictOf(ok bool) string {
	if ok {
		return "ok"
	}
	return "MISSED"
}

func (b *bench) say(format string, args ...any) { fmt.Fprintf(b.out, format+"\n", args...) }

func (b *bench) run(ctx context.Context) error {
	root, err := scenario.Root()
	if err != nil {
		return err
	}
	if b.dir, err = os.MkdirTemp("", "karousosc-bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	if b.kit, err = scenario.FromSource(b.dir); err != nil {
		return err
	}
	b.source = filepath.Join(root, "testapps", b.app)
	if err := scenario.Install(ctx, b.source); err != nil {
		return err
	}
	b.dist = filepath.Join(b.dir, "dist")
	if _, err := b.kit.Build(ctx, b.source, b.dist); err != nil {
		return err
	}
	b.plain = filepath.Join(b.dir, "plain.json")
	if err := replay.Prepare(b.source, "", b.plain); err != nil {
		return err
	}
	b.Report.App, b.Report.Connections, b.Report.Rounds = b.app, b.connections, b.rounds
	version, _ := exec.CommandContext(ctx, "node", "--version").Output()
	b.Report.Machine = fmt.Sprintf("%d CPUs, %s, node %s", runtime.NumCPU(), runtime.Version(), strings.TrimSpace(string(version)))
	b.say("%s over %d connections, medians of %d; %s", b.app, b.connections, b.rounds, b.Report.Machine)

	evidence := map[[2]int]scenario.Evidence{}
	for _, part := range []struct {
		name string
		run  func(context.Context, map[[2]int]scenario.Evidence) error
	}{{"server", b.server}, {"verifier", b.verifier}, {"advice", b.advice}, {"memory", b.memory}, {"inferred", b.inferred}} {
		if b.only == "" || b.only == part.name {
			if err := part.run(ctx, evidence); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *bench) requests(n, writes int) []load.Request {
	return load.Motd{Requests: n, Writes: writes, Keys: 100, Seed: uint64(n + writes)}.Build()
}

func (b *bench) driver(requests []load.Request) func(ctx context.Context, addr string) error {
	return func(ctx context.Context, addr string) error {
		_, err := load.Run(ctx, requests, load.Options{Addr: addr, Connections: b.connections})
		return err
	}
}

// fresh is a new directory for a run.
func (b *bench) fresh() (string, error) { return os.MkdirTemp(b.dir, "run-") }

func micros(d time.Duration, n int) float64 { return float64(d.Nanoseconds()) / 1e3 / float64(n) }

// server: the processor time of the node process from when it listens until it
// has ended, which includes writing the last of the advice.
func (b *bench) server(ctx context.Context, evidence map[[2]int]scenario.Evidence) error {
	b.say("\nServer build against the unmodified app, both behind the collector (µs of CPU per request; at most %.1fx)", serverLimit)
	b.say("requests  writes     plain    server   ratio")
	for _, n := range b.sizes {
		for _, writes := range b.mixes {
			drive := b.driver(b.requests(n, writes))
			var plain, server []float64
			for i := range b.rounds {
				one := func() error {
					dir, err := b.fresh()
					if err != nil {
						return err
					}
					defer os.RemoveAll(dir)
					u, err := b.kit.RunPlain(ctx, b.source, "server.js", dir, drive)
					plain = append(plain, micros(u.Work(), n))
					return err
				}
				two := func() error {
					dir, err := b.fresh()
					if err != nil {
						return err
					}
					r, err := b.kit.Record(ctx, b.dist, dir, drive)
					if err != nil {
						return err
					}
					server = append(server, micros(r.Server.Work(), n))
					if _, have := evidence[[2]int{n, writes}]; have {
						return os.RemoveAll(dir)
					}
					evidence[[2]int{n, writes}] = r.Evidence
					return nil
				}
				if i%2 == 1 {
					one, two = two, one
				}
				if err := one(); err != nil {
					return err
				}
				if err := two(); err != nil {
					return err
				}
			}
			r := serverResult{Requests: n, Writes: writes, Plain: median(plain), Server: median(server), Ratio: ratios(server, plain)}
			r.OK = r.Ratio.Median <= serverLimit
			b.Report.Server = append(b.Report.Server, r)
			b.say("%8d  %5d%%  %8.1f  %8.1f   %s  %s", n, writes, r.Plain, r.Server, r.Ratio, verdictOf(r.OK))
		}
	}
	return nil
}

// honest makes a run unless an earlier part left one.
func (b *bench) honest(ctx context.Context, evidence map[[2]int]scenario.Evidence, n, writes int) (scenario.Evidence, error) {
	if e, ok := evidence[[2]int{n, writes}]; ok {
		return e, nil
	}
	dir, err := b.fresh()
	if err != nil {
		return scenario.Evidence{}, err
	}
	r, err := b.kit.Record(ctx, b.dist, dir, b.driver(b.requests(n, writes)))
	if err != nil {
		return scenario.Evidence{}, err
	}
	evidence[[2]int{n, writes}] = r.Evidence
	return r.Evidence, nil
}

// audit verifies and insists on an accept: other verdicts cost less.
func (b *bench) audit(ctx context.Context, e scenario.Evidence) (*scenario.Audit, error) {
	a, err := b.kit.Verify(ctx, e, "--workers", "1")
	if err != nil {
		return nil, err
	}
	if a.Outcome != verdict.Accept {
		return nil, fmt.Errorf("an honest run was not accepted:\n%s", a.Text())
	}
	return a, nil
}

// verifier: whole processes from start to end, engines and decoding included.
func (b *bench) verifier(ctx context.Context, evidence map[[2]int]scenario.Evidence) error {
	b.say("\nVerifier with one worker against plain re-execution of the same trace, in the same engine and on Node")
	b.say("(µs of CPU per request, whole processes; from 20000 requests at least %.1fx and %.0fx less)", engineLimit, float64(nodeLimit))
	b.say("requests  writes  groups  widest  verifier    engine      node   engine/verifier        node/verifier")
	for _, n := range b.sizes {
		for _, writes := range b.mixes {
			e, err := b.honest(ctx, evidence, n, writes)
			if err != nil {
				return err
			}
			r := verifierResult{Requests: n, Writes: writes, Tolerated: n < 20_000}
			var ours, v8, node []float64
			for range b.rounds {
				a, err := b.audit(ctx, e)
				if err != nil {
					return err
				}
				r.Groups, r.Widest = a.Stats.Groups, a.Stats.Widest
				x, err := replay.Process(ctx, b.kit.Exe, replay.V8, b.plain, e.Trace)
				if err != nil {
					return err
				}
				y, err := replay.Process(ctx, b.kit.Exe, replay.Node, b.plain, e.Trace)
				if err != nil {
					return err
				}
				ours, v8, node = append(ours, micros(a.CPU, n)), append(v8, micros(x.CPU, n)), append(node, micros(y.CPU, n))
			}
			r.Verifier, r.Engine, r.Node = median(ours), median(v8), median(node)
			r.VsEngine, r.VsNode = ratios(v8, ours), ratios(node, ours)
			r.OK = r.VsEngine.Median >= engineLimit && r.VsNode.Median >= nodeLimit
			b.Report.Verifier = append(b.Report.Verifier, r)
			mark := verdictOf(r.OK)
			if r.Tolerated && !r.OK {
				mark = "(mostly start-up)"
			}
			b.say("%8d  %5d%%  %6d  %6d  %8.1f  %8.1f  %8.1f   %s   %s  %s", n, writes, r.Groups, r.Widest, r.Verifier, r.Engine, r.Node, r.VsEngine, r.VsNode, mark)
		}
	}
	return nil
}

// advice: its size, and the size of a copy in which all values are undefined.
func (b *bench) advice(ctx context.Context, evidence map[[2]int]scenario.Evidence) error {
	b.say("\nAdvice, compressed (bytes per request; beyond the values at most %d)", adviceLimit)
	b.say("requests  writes     total  beyond the values")
	for _, n := range b.sizes {
		for _, writes := range b.mixes {
			e, err := b.honest(ctx, evidence, n, writes)
			if err != nil {
				return err
			}
			beyond, err := withoutValues(e)
			if err != nil {
				return err
			}
			r := adviceResult{Requests: n, Writes: writes, Total: float64(e.AdviceBytes()) / float64(n), Beyond: float64(beyond) / float64(n)}
			r.OK = r.Beyond <= adviceLimit
			b.Report.Advice = append(b.Report.Advice, r)
			b.say("%8d  %5d%%  %8.1f  %17.1f  %s", n, writes, r.Total, r.Beyond, verdictOf(r.OK))
		}
	}
	return nil
}

func withoutValues(e scenario.Evidence) (int, error) {
	ev, err := forge.Load(e.Trace, e.Advice)
	if err != nil {
		return 0, err
	}
	size := 0
	for _, l := range ev.Lives {
		for _, r := range l.Records {
			r.Value = blank(r.Value)
			for i := range r.Fields {
				r.Fields[i].Value = blank(r.Fields[i].Value)
			}
		}
		data, err := l.Encode()
		if err != nil {
			return 0, err
		}
		size += len(data)
	}
	return size, nil
}

// blank leaves references, because they are the advice's own, and lists, because
// they are the shape of a container.
func blank(v record.Value) record.Value {
	switch v.Kind {
	case record.RefValue, record.List, record.Delta, record.Absent, record.Hole:
		return v
	}
	return record.Value{Kind: record.Undefined}
}

// memory: how the verifier's grows with the trace, for short and long messages.
func (b *bench) memory(ctx context.Context, _ map[[2]int]scenario.Evidence) error {
	b.say("\nPeak memory of the verifier with one worker (MB resident)")
	b.say("requests  message    bodies  verifier   engine")
	for _, n := range b.sizes {
		for _, size := range []int{0, 2_000} {
			requests := b.requests(n, 50)
			if size > 0 {
				for i := range requests {
					requests[i].Body = strings.Replace(requests[i].Body, `"message":"`, `"message":"`+strings.Repeat("long ", size/5), 1)
				}
			}
			dir, err := b.fresh()
			if err != nil {
				return err
			}
			rec, err := b.kit.Record(ctx, b.dist, dir, b.driver(requests))
			if err != nil {
				return err
			}
			a, err := b.audit(ctx, rec.Evidence)
			if err != nil {
				return err
			}
			ev, err := forge.Load(rec.Trace, rec.Advice)
			if err != nil {
				return err
			}
			bodies := 0
			for i := range ev.Trace.Exchanges {
				bodies += len(ev.Trace.Exchanges[i].Request.Body) + len(ev.Trace.Exchanges[i].Response.Body)
			}
			os.RemoveAll(dir)
			message := size
			if size == 0 {
				message = 35
			}
			r := memoryResult{Requests: n, Message: message, TraceMB: float64(bodies) / 1e6, VerifierMB: float64(a.Peak) / 1e6, EngineMB: float64(a.EnginePeak) / 1e6}
			b.Report.Memory = append(b.Report.Memory, r)
			b.say("%8d  %7d  %8.1f  %8.1f  %7.1f", n, r.Message, r.TraceMB, r.VerifierMB, r.EngineMB)
		}
	}
	return nil
}
