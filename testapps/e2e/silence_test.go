package e2e

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"karousosc/testapps/forge"
	"karousosc/verifier/advice"
	"karousosc/verifier/advice/record"
	"karousosc/verifier/trace"
)

// TestSilence: that nothing is heard of a connection is an event of its request, if the program asked for it.
func TestSilence(t *testing.T) {
	silence := &app{name: "silence", dir: "gallery", entry: "silence.js"}
	var plain []string
	drive := func(ctx context.Context, addr string) error {
		var answers []string
		for range 2 {
			for _, path := range strings.Fields("/response /stored /heard /twice /busy /none /cut /cuts /refusals /flushed /sent /refused") {
				// A GET would be asked again where the connection was cut.
				q, err := http.NewRequestWithContext(ctx, "POST", "http://"+addr+path, strings.NewReader("some"))
				if err != nil {
					return err
				}
				if path == "/sent" || path == "/refused" {
					q.Header.Set("Expect", "100-continue")
				}
				res, err := http.DefaultTransport.RoundTrip(q)
				if err != nil {
					answers = append(answers, path+": no answer")
					continue
				}
				text, _ := io.ReadAll(res.Body)
				res.Body.Close()
				if res.StatusCode == http.StatusBadGateway {
					answers = append(answers, path+": no answer")
					continue
				}
				answers = append(answers, fmt.Sprintf("%s: %d %s", path, res.StatusCode, text))
			}
		}
		if plain == nil {
			plain = answers
		} else if got, want := strings.Join(answers, "\n"), strings.Join(plain, "\n"); got != want {
			t.Errorf("as a server build:\n%s\nplain:\n%s", got, want)
		}
		return nil
	}
	s := &story{app: silence, drive: drive}
	if _, err := kit.RunPlain(t.Context(), filepath.Join("..", "gallery"), "silence.js", t.TempDir(), drive); err != nil {
		t.Fatal(err)
	}
	honest := s.honest(t)
	for _, want := range []string{"/stored: 200 stored", "/twice: 200 once tick promise twice", "/heard: 200 response", "/sent: 200 some 100-continue", "/refused: 403 refused", "/cut: no answer"} {
		if !strings.Contains(strings.Join(plain, "\n"), want) {
			t.Errorf("the app never said %q:\n%s", want, strings.Join(plain, "\n"))
		}
	}
	if v := mustAccept(t, honest); v.Together != "" {
		t.Errorf("groups would have done, but: %s", v.Together)
	}
	for _, path := range []string{"/none", "/busy"} {
		t.Run("a silence that nobody waits for, of "+path, func(t *testing.T) {
			v := forged(t, honest, func(e *forge.Evidence) {
				l := life(t, e)
				i := slices.IndexFunc(e.Trace.Exchanges, func(x trace.Exchange) bool { return x.Request.Target == path })
				arrival := turnsOf(l, e.Trace.Exchanges[i].RID)[0]
				act := l.InsertAfter(arrival, advice.Record{Op: record.Activation, Req: arrival.ID, Firing: 2})
				l.InsertAfter(act, advice.Record{Op: record.Turn, Req: arrival.ID, Act: act.ID})
			})
			mustReject(t, v, "R-turn")
		})
	}
}
