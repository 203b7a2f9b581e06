package e2e

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"karousosc/testapps/replay"
	"karousosc/testapps/scenario"
)

// TestDemo: the demo tells its story on each of the message-of-the-day apps.
func TestDemo(t *testing.T) {
	for _, a := range []*app{motd, motd5, motdTS} {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			a.build(t) // installs its packages
			stdout, stderr, u, err := kit.Run(t.Context(), "demo", "--app", a.source(t), "--requests", "200", "--connections", "10", "--json")
			if err != nil || u.Code != 0 {
				t.Fatalf("exit status %d, %v\n%s%s", u.Code, err, stdout, stderr)
			}
			var s struct {
				OK                                bool
				Requests, Groups, Widest          int
				AdviceBytes                       int64
				ServerCPU, VerifierCPU, ReplayCPU float64
				Honest, ForgedByte, StaleRead     struct{ Outcome, Rule, Expected string }
			}
			text := strings.NewReplacer("CpuSeconds", "CPU").Replace(stdout)
			if err := json.Unmarshal([]byte(text), &s); err != nil {
				t.Fatal(err)
			}
			if !s.OK || s.Requests != 200 || s.Groups < 2 || s.Widest < 10 || s.AdviceBytes < 100 || s.ServerCPU <= 0 || s.VerifierCPU <= 0 || s.ReplayCPU <= 0 ||
				s.Honest.Outcome != "accept" || s.ForgedByte.Rule != "R-response" || s.ForgedByte.Expected == "" || s.StaleRead.Rule != "R8" {
				t.Errorf("%+v", s)
			}
		})
	}
	t.Run("text", func(t *testing.T) {
		t.Parallel()
		keep := filepath.Join(t.TempDir(), "story")
		stdout, stderr, u, err := kit.Run(t.Context(), "demo", "--app", motd.source(t), "--requests", "100", "--connections", "5", "--keep", keep)
		if err != nil || u.Code != 0 {
			t.Fatalf("exit status %d, %v\n%s%s", u.Code, err, stdout, stderr)
		}
		for _, want := range []string{"ACCEPT", "REJECT", "server.js:", ` read motd["`, "expected:", "widest group", "advice", "plain re-execution"} {
			if !strings.Contains(stdout, want) {
				t.Errorf("the story does not say %q:\n%s", want, stdout)
			}
		}
		mustAccept(t, scenario.In(filepath.Join(keep, "dist"), filepath.Join(keep, "honest")))
		mustReject(t, verify(t, scenario.In(filepath.Join(keep, "dist"), filepath.Join(keep, "stale-read"))), "R8")
	})
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"demo", "--app", "/nowhere"}, "no app"},
		{[]string{"demo", "--requests", "3"}, "--requests"},
		{[]string{"demo", "--app", ".", "--connections", "0"}, "--connections"},
		{[]string{"demo", "--app", "."}, "no npm project"},
	} {
		if _, stderr, u, err := kit.Run(t.Context(), c.args...); err != nil || u.Code != 2 || !strings.Contains(stderr, c.says) {
			t.Errorf("%v: exit status %d, %v: %s", c.args, u.Code, err, stderr)
		}
	}
}

// TestReplayAgrees: where nothing overlaps, plain re-execution answers as the
// server did. A baseline that answered otherwise would be no baseline.
func TestReplayAgrees(t *testing.T) {
	t.Parallel()
	requests := boardRequests()
	r := motd.record(t, 1, requests)
	program := filepath.Join(t.TempDir(), "plain.json")
	if err := replay.Prepare(motd.source(t), "", program); err != nil {
		t.Fatal(err)
	}
	for _, e := range []replay.Engine{replay.V8, replay.Node} {
		res, err := replay.Process(t.Context(), kit.Exe, e, program, r.Trace)
		if err != nil || res.Requests != len(requests) || res.Other != 0 || res.CPU <= 0 {
			t.Errorf("%s: %+v %v", e, res, err)
		}
	}
}
