package collector

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// What Node.js answers by itself must not get into the trace.
func TestUnservable(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*http.Request)
		want   int
	}{
		{"ordinary", func(*http.Request) {}, 0},
		{"percent-encoded", func(r *http.Request) { r.RequestURI = "/a?b=%C3%BC" }, 0},
		{"raw bytes in the target", func(r *http.Request) { r.RequestURI = "/a?b=\xfc" }, http.StatusBadRequest},
		{"control character in the target", func(r *http.Request) { r.RequestURI = "/a\x01" }, http.StatusBadRequest},
		{"a space in the target", func(r *http.Request) { r.RequestURI = "/a b" }, http.StatusBadRequest},
		{"the last of the control characters", func(r *http.Request) { r.RequestURI = "/a\x7f" }, http.StatusBadRequest},
		{"unknown method", func(r *http.Request) { r.Method = "FROB" }, http.StatusNotImplemented},
		{"headers of 15 KiB", func(r *http.Request) { r.Header.Set("X-Long", strings.Repeat("x", 15<<10)) }, 0},
		{"headers over what Node.js takes", func(r *http.Request) { r.Header.Set("X-Long", strings.Repeat("x", 16<<10)) }, http.StatusRequestHeaderFieldsTooLarge},
		{"more headers than Node.js takes", func(r *http.Request) { r.Header["X"] = make([]string, 1000) }, http.StatusRequestHeaderFieldsTooLarge},
	} {
		r := httptest.NewRequest("GET", "/a", nil)
		c.change(r)
		if got, why := unservable(r); got != c.want {
			t.Errorf("%s: %d %s, want %d", c.name, got, why, c.want)
		}
	}
}
