package e2e

import (
	"bytes"
	"flag"
	"maps"
	"net/url"
	"slices"
	"testing"

	"karousosc/testapps/forge"
	"karousosc/verifier/advice/record"
)

var oneTag = flag.Int("onetag", 40, "of the things of testapps/core and testapps/language, TestOneTag tries one in so many (1: all, which takes minutes)")

// TestOneTag: which requests belong together is the server's word. Where it has one group of requests that the program
// treats otherwise, each still gets its own answer, and none that another got.
func TestOneTag(t *testing.T) {
	oneTagOf(t, &app{name: "core", dir: "core", entry: "server.js"}, "outside")
	oneTagOf(t, &app{name: "language", dir: "language", entry: "server.js"})
}

func oneTagOf(t *testing.T, a *app, except ...string) {
	all := tables(t, a, except...)
	n := 0
	for _, module := range slices.Sorted(maps.Keys(all)) {
		for _, thing := range all[module] {
			if n++; n%*oneTag != 0 {
				continue
			}
			t.Run(a.name+"/"+module+"/"+thing, func(t *testing.T) {
				t.Parallel()
				var requests []request
				for _, in := range []string{"ten", "one", "two", "ä€🍀"} {
					requests = append(requests, get("/"+module+"/"+thing+"?"+url.PathEscape(in)))
				}
				r := a.record(t, 1, requests)
				same := func(e *forge.Evidence) {
					tags := life(t, e).All(record.Tag)
					for _, tag := range tags {
						tag.Tag = tags[len(tags)-1].Tag
					}
				}
				mustAccept(t, lieOf(t, r.Evidence, same), "--workers", "1")
				for _, swap := range [][2]int{{1, 2}, {2, 1}, {3, 1}} {
					mustNotAccept(t, forged(t, r.Evidence, func(e *forge.Evidence) {
						same(e)
						to, from := &e.Trace.Exchanges[swap[0]].Response, e.Trace.Exchanges[swap[1]].Response
						if bytes.Equal(to.Body, from.Body) {
							to.Status = 599 // alike: tell one that nobody got
							return
						}
						*to = from
					}))
				}
			})
		}
	}
}
