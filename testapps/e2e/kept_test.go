package e2e

import (
	"flag"
	"strings"
	"sync"
	"testing"

	"karousosc/testapps/scenario"
	"karousosc/verifier/verdict"
)

// What is not accepted can be kept, so that testapps/mutate need not make it anew to
// find out which check it is that it is not accepted for.
var keepRejects = flag.String("keep-rejects", "", "keep all evidence that is not accepted in this directory")

var kept struct {
	sync.Mutex
	n  int
	of map[*scenario.Audit]string // folders
}

// keepReject keeps what the verdict was about, with the verdict.
func keepReject(t testing.TB, e scenario.Evidence, args []string, a *scenario.Audit) {
	if *keepRejects == "" || a.Outcome == verdict.Accept || a.Outcome == "" || !e.Copyable() {
		return
	}
	kept.Lock()
	defer kept.Unlock()
	k := &scenario.Kept{Test: t.Name(), Evidence: e, Args: args, Outcome: a.Outcome, Rule: a.Rule}
	folder, err := k.Keep(*keepRejects, kept.n)
	if err != nil {
		t.Fatal(err)
	}
	kept.n++
	if kept.of == nil {
		kept.of = map[*scenario.Audit]string{}
	}
	kept.of[a] = folder
}

// keptWants notes what the test wants of the verdict.
func keptWants(t testing.TB, a *scenario.Audit, wants func(k *scenario.Kept)) {
	kept.Lock()
	defer kept.Unlock()
	folder := kept.of[a]
	if folder == "" {
		return
	}
	k, err := scenario.LoadKept(folder)
	if err == nil {
		wants(k)
		err = k.Save(folder)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// mustReject wants a reject by one of the rules (separated by spaces).
func mustReject(t testing.TB, a *scenario.Audit, rules string) {
	t.Helper()
	keptWants(t, a, func(k *scenario.Kept) { k.Rules = strings.Fields(rules) })
	if a.Outcome != verdict.Reject {
		t.Fatalf("not rejected:\n%s", a.Text())
	}
	for _, r := range strings.Fields(rules) {
		if a.Rule == r {
			return
		}
	}
	t.Errorf("rejected by rule %s, not by %s:\n%s", a.Rule, rules, a.Text())
}

// mustNotAccept leaves open what else becomes of it.
func mustNotAccept(t testing.TB, a *scenario.Audit) {
	t.Helper()
	keptWants(t, a, func(k *scenario.Kept) { k.Never = verdict.Accept })
	if a.Outcome == verdict.Accept {
		t.Errorf("accepted:\n%s", a.Text())
	}
}
