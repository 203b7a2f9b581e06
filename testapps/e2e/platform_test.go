package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"karousosc/verifier/verdict"
)

// wrong are the routes of platform.js on which an honest server is accused, each
// with the reason. Such an accusation is a mistake of ours. A route that comes right
// must leave this list; a new one must not join it.
var wrong = map[string]string{}

// unauditable are those that cannot be audited yet, and say so.
var unauditable = []string{}

// TestPlatform asks one thing of Node.js or the language per route.
func TestPlatform(t *testing.T) {
	platform := &app{name: "platform", dir: "gallery", entry: "platform.js"}
	platform.build(t)
	src, err := os.ReadFile(filepath.Join(platform.source(t), platform.entry))
	if err != nil {
		t.Fatal(err)
	}
	var good []request
	bad := map[string][]request{}
	for _, m := range regexp.MustCompile(`(?m)^get\('(\w+)'`).FindAllStringSubmatch(string(src), -1) {
		name := m[1]
		three := []request{get("/" + name), get("/" + name), get("/" + name)}
		if _, is := wrong[name]; is || slices.Contains(unauditable, name) {
			bad[name] = three
		} else {
			good = append(good, three...)
		}
	}
	for _, path := range []string{"/forawait", "/pipeback"} {
		good = append(good, request{method: "POST", path: path, headers: "Content-Type: text/plain", body: "hello"})
	}
	if len(good) < 100 {
		t.Fatalf("only %d requests", len(good))
	}
	t.Run("what works", func(t *testing.T) {
		t.Parallel()
		for _, connections := range []int{1, 12} {
			mustAccept(t, platform.record(t, connections, good).Evidence)
		}
	})
	for name, requests := range bad {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := verify(t, platform.record(t, 1, requests).Evidence)
			switch {
			case v.Outcome == verdict.Reject && wrong[name] != "":
				t.Skipf("known mistake: %s\n%s", wrong[name], strings.TrimSpace(v.Text()))
			case v.Outcome == verdict.Reject:
				t.Errorf("an honest server is accused:\n%s", v.Text())
			case v.Outcome == verdict.Accept:
				t.Error("this is accepted now: take it off the lists")
			case wrong[name] != "":
				t.Error("this is no accusation any more: move it to the list of what cannot be audited")
			}
		})
	}
}
