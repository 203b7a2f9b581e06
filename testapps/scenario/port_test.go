package scenario

import (
	"net"
	"os/exec"
	"strings"
	"testing"
)

// TestPort: of thousands who ask for any port, nobody is given ours, and a Node
// server that asks for it twice in a row gets it.
func TestPort(t *testing.T) {
	t.Parallel()
	ours, err := Port()
	if err != nil {
		t.Fatal(err)
	}
	for range 40_000 {
		l, err := net.Listen("tcp", ":0")
		if err != nil {
			t.Fatal(err)
		}
		_, port, _ := net.SplitHostPort(l.Addr().String())
		l.Close()
		if port == ours {
			t.Fatalf("port %s was given away", ours)
		}
	}
	for range 2 {
		cmd := exec.Command("node", "-e", "require('net').createServer().listen("+ours+", function () { console.log('listens'); this.close() })")
		if out, err := cmd.CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != "listens" {
			t.Errorf("%v: %s", err, out)
		}
	}
}
