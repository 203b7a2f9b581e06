package e2e

import (
	"bytes"
	"testing"

	"karousosc/testapps/forge"
	"karousosc/verifier/advice/record"
)

// TestInstanceAttacks: what instances of classes hold is no easier to lie about than other state.
func TestInstanceAttacks(t *testing.T) {
	t.Parallel()
	honest := carts.record(t, 1, []request{
		jsonBody("POST", "/carts/a/items", `{"sku":"card","cents":0}`),
		jsonBody("POST", "/carts/a/items", `{"sku":"fig","cents":1000}`),
		jsonBody("PUT", "/carts/a/note", `{"note":"for you"}`),
		jsonBody("PUT", "/carts/a/note", `{"note":"for me"}`),
		jsonBody("POST", "/carts/a/coupon", `{"code":"C1"}`),
		jsonBody("POST", "/carts/a/coupon", `{"code":"C2"}`),
		get("/carts/a"),
	}).Evidence
	mustAccept(t, honest)
	const reader = 7

	t.Run("a field as it was before", func(t *testing.T) {
		mustReject(t, forged(t, honest, func(e *forge.Evidence) {
			s, err := e.StaleRead()
			if err != nil {
				t.Fatal(err)
			}
			if s.Location != `"note"` || s.Reader != reader {
				t.Fatalf("request %d read %s", s.Reader, s.Location)
			}
		}), "R8")
	})
	t.Run("a private field as it was before", func(t *testing.T) {
		mustReject(t, forged(t, honest, func(e *forge.Evidence) {
			l := life(t, e)
			some(t, "read of a private field", repoint(l, reader, private))
			x := e.Exchange(reader)
			stale := bytes.ReplaceAll(x.Response.Body, []byte("8.1"), []byte("9"))
			if bytes.Equal(stale, x.Response.Body) {
				t.Fatalf("the response is %s", x.Response.Body)
			}
			forge.SetBody(x, stale)
		}), "R8")
	})
	t.Run("another value of a private field", func(t *testing.T) {
		mustReject(t, forged(t, honest, func(e *forge.Evidence) {
			l := life(t, e)
			for _, w := range l.All(record.Write) {
				if private(l.Get(record.Location, w.Loc)) && w.Value.Kind == record.Int {
					w.Value = record.Number(5)
					return
				}
			}
			t.Fatal("no private field is logged")
		}), "R-value R-response")
	})
	t.Run("an instance of another class", func(t *testing.T) {
		mustReject(t, forged(t, honest, func(e *forge.Evidence) {
			var first *forge.Record
			for _, o := range life(t, e).All(record.Object) {
				switch {
				case o.Class == 0:
				case first == nil:
					first = o
				case o.Class != first.Class:
					o.Class = first.Class
					return
				}
			}
			t.Fatal("there are no instances of two classes")
		}), "R-object R-response")
	})
	t.Run("an instance of no class", func(t *testing.T) {
		mustReject(t, forged(t, honest, func(e *forge.Evidence) {
			for _, o := range life(t, e).All(record.Object) {
				if o.Class != 0 {
					o.Class = 1 << 20
					return
				}
			}
			t.Fatal("there are no instances")
		}), "R-object R-response")
	})
}

// TestLinkedListAttack: a list of instances that is entered where it began before.
func TestLinkedListAttack(t *testing.T) {
	t.Parallel()
	honest := caches.record(t, 1, []request{get("/cache/a"), get("/cache/b"), get("/cache/c"), get("/cache")}).Evidence
	mustAccept(t, honest)
	mustReject(t, forged(t, honest, func(e *forge.Evidence) {
		some(t, "read of the list's head", repoint(life(t, e), 4, private))
	}), "R8 R-response R-value R-leftover")
}

// private tells whether a location is a private field, whose key is the weak collection that it became.
func private(loc *forge.Record) bool {
	return loc != nil && loc.Key.KeyKind == record.ValueKey && loc.Key.Kind == record.RefValue
}

// repoint makes a request read the version before the one that it read.
func repoint(l *forge.Life, rid uint64, of func(loc *forge.Record) bool) *forge.Record {
	for _, r := range l.Of(rid, record.Read) {
		if w := l.Get(record.Write, r.Write); w.Prev >= 0 && of(l.Get(record.Location, w.Loc)) {
			r.Write = w.Prev
			return r
		}
	}
	return nil
}
