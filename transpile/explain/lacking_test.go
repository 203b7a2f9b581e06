package explain

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"karousosc/runtime/js"
)

var update = flag.Bool("update", false, "write lacking.txt anew")

// TestLackingTable: the table is what the models lack.
func TestLackingTable(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node")
	}
	args := []string{"testdata/lacking.js"}
	for _, name := range []string{js.LoopPlain, js.ModelsPlain} {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(js.Must(name)), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, file)
	}
	out, err := exec.Command(node, args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("lacking.txt", out, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(out) != lackingText {
		t.Errorf("lacking.txt is not what the models lack: go test ./transpile/explain -run TestLackingTable -update")
	}
}

func TestLacking(t *testing.T) {
	for _, c := range []struct{ code, want string }{
		{"const fs = require('fs'); fs.watch('.', f); fs.readFileSync('x')", "main.js:1:27 fs.watch"},
		{"const { watch: w, readFile } = require('node:fs'); w('.')", "main.js:1:16 fs.watch"},
		{"import net, { connect } from 'net'; connect(1); net.createConnection(2); net.createServer()", "main.js:1:74 net.createServer"},
		{"import * as tls from 'node:tls'; tls.connect({}); tls.createServer()", "main.js:1:55 tls.createServer"},
		{"const { Worker } = { Worker: 1 }; const fs = { watch() {} }; fs.watch(Worker)", ""},
		{"require('fs').promises.watch('.')", "main.js:1:1 fs/promises.watch"},
		{"const r = require('dns/promises'); r.lookup('x'); new r.Resolver()", "main.js:1:55 dns/promises.Resolver"},
		{"process.openStdin()", "main.js:1:1 process.openStdin"},
		{"const http = require('http'), https = require('https'); http.request({}).end(); http.get(''); https.get(''); https.createServer()", "main.js:1:110 https.createServer"},
		{"require('p')", "node_modules/p/index.js:1:1 child_process.fork"},
	} {
		p, _ := parsed(t, map[string]string{
			"package.json": `{"main":"main.js"}`, "main.js": c.code,
			"node_modules/p/index.js": "require('child_process').fork('x');\nrequire('child_process').fork('y');\nrequire('child_process').exec('z');",
		})
		own, packages := Lacking(p)
		var got []string
		for _, l := range append(own, packages...) {
			got = append(got, fmt.Sprintf("%s:%d:%d %s", l.File, l.Line, l.Column, l.Name))
			if !strings.Contains(l.Text(), l.Name) {
				t.Errorf("%s does not say what it is about", l.Text())
			}
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %q, want %q", c.code, got, c.want)
		}
	}
}
