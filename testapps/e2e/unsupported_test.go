package e2e

import (
	"slices"
	"strings"
	"testing"

	"karousosc/verifier/verdict"
)

// TestUnloggable: what cannot be logged is audited all the same, but not in groups, and both sides say why.
func TestUnloggable(t *testing.T) {
	unsupported := &app{name: "unsupported", dir: "gallery", entry: "unsupported.js"}
	for path, says := range map[string]string{
		"/function": "function", "/instance": "Account", "/socket": "ServerResponse", "/subclass": "Registry", "/bytes": "typed array", "/fill": "typed array", "/date": "a Date",
		"/freeze": "freeze", "/define": "defineProperty", "/accessor": "getters", "/prototype": "prototype", "/symbol": "symbol",
	} {
		t.Run(path[1:], func(t *testing.T) {
			t.Parallel()
			r := unsupported.record(t, 1, []request{get("/plain"), get(path), get("/plain"), get(path)})
			if v := mustAccept(t, r.Evidence); !strings.Contains(v.Together, says) || !strings.Contains(v.Together, "unsupported.js:") {
				t.Errorf("it does not say what and where:\n%s", v.Text())
			}
			if !strings.Contains(r.ServerOutput, "slow to audit") {
				t.Errorf("the server says nothing of it:\n%s", r.ServerOutput)
			}
		})
	}
}

// TestUnauditable: what cannot be audited yet is neither accepted nor held against
// the server: the verdict names the request and the reason, with file and line.
func TestUnauditable(t *testing.T) {
	unsupported := &app{name: "unsupported", dir: "gallery", entry: "unsupported.js"}
	mustAccept(t, unsupported.record(t, 1, []request{get("/plain"), get("/plain"), get("/matched"), get("/matched?of=ac")}).Evidence)
	for _, c := range []struct{ path, says string }{
		{"/text", "the text of a function (toString), which is the build’s, in an answer"},
		{"/shown", "the text of a function (toString), which is the build’s, in an answer"},
		{"/match", "RegExp.$1, which tells of a match of an earlier turn"},
		{"/opened", "FileHandle.createReadStream"},
		{"/hooked", "async_hooks.createHook"},
		{"/zone", "a time zone that the program sets itself"},
		{"/digest", "digest ripemd160"},
		{"/clonedkey", "structuredClone of a key"},
		{"/smallkey", "a new RSA key of 512 bits"},
		{"/badkey", "the reason why OpenSSL refuses a key"},
		{"/sealed", "encryption by RSA-OAEP"},
		{"/inject", "a response is written to a stream"},
	} {
		t.Run(c.path[1:], func(t *testing.T) {
			t.Parallel()
			r := unsupported.record(t, 1, []request{get("/plain"), get(c.path), get("/plain")})
			v := verify(t, r.Evidence)
			if v.Outcome != verdict.Undecided || v.Code != 2 || !slices.Contains(v.Requests, 2) {
				keepEvidence(t, r.Evidence)
				t.Fatalf("exit status %d\n%s\nthe server said:\n%s", v.Code, v.Text(), r.ServerOutput)
			}
			if !strings.Contains(v.Text(), c.says) || !strings.Contains(v.Text(), "unsupported.js:") {
				t.Errorf("it does not say what and where:\n%s", v.Text())
			}
		})
	}
}
