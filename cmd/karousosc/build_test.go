package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	js "karousosc/runtime/js"
	"karousosc/transpile/manifest"
)

// With this variable set, the tests' program is the command itself, so that a test
// can start it as a process.
const asCommand = "KAROUSOSC_TEST_AS_COMMAND"

func init() {
	if os.Getenv(asCommand) != "" {
		os.Unsetenv(asCommand)
		os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
	}
}

func writeFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestBuildCommand(t *testing.T) {
	for _, name := range []string{js.Server, js.FlushWorker, js.Verifier, js.Models} {
		if _, err := js.File(name); err != nil {
			t.Skip(err)
		}
	}
	app := writeFiles(t, map[string]string{
		"package.json": `{"name": "tiny", "main": "main.js"}`,
		"main.js":      "//karousos:loggable\nlet n = 0;\nlet m = 0;\nexports.f = () => n++ + m++;\n",
	})
	out := filepath.Join(t.TempDir(), "dist")
	var stdout, stderr bytes.Buffer
	if code := run([]string{"build", app, "-o", out}, &stdout, &stderr); code != 0 {
		t.Fatalf("exit %d\n%s", code, stderr.String())
	}
	for _, want := range []string{"built tiny (main.js) into " + out, "loggable  let n (main.js:2:5)", "run it with: karousosc serve " + out} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("%q is missing in\n%s", want, stdout.String())
		}
	}
	if stderr.Len() != 0 {
		t.Errorf("warned: %s", stderr.String())
	}
	if want := "shared    m (main.js:3:5), assigned at main.js:4:25"; !strings.Contains(stdout.String(), want) {
		t.Errorf("no %q in\n%s", want, stdout.String())
	}
	m, err := manifest.Load(out)
	if err != nil {
		t.Fatal(err)
	}

	stdout.Reset()
	if code := run([]string{"build", app, "-o", out, "--json"}, &stdout, &stderr); code != 0 {
		t.Fatalf("exit %d", code)
	}
	var report struct {
		OK      bool
		BuildID string
		Shared  []struct {
			Position struct{ Line int }
		}
	}
	if err := json.Unmarshal(stdout.Bytes(), &report); err != nil || !report.OK || report.BuildID != m.BuildID || len(report.Shared) != 1 || report.Shared[0].Position.Line != 3 {
		t.Errorf("%v: %s", err, stdout.String())
	}
}

func TestBuildCommandFails(t *testing.T) {
	app := writeFiles(t, map[string]string{"package.json": `{"main": "main.js"}`, "main.js": "//karousos:log\nlet a\n", "b.js": "\té(;"})
	fails := func(want string, args ...string) string {
		t.Helper()
		var stdout, stderr bytes.Buffer
		args = append([]string{"build", "-o", filepath.Join(t.TempDir(), "dist")}, args...)
		if code := run(args, &stdout, &stderr); code != exitCannot {
			t.Errorf("%v: exit %d", args, code)
		}
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("%v: %q is missing in\n%s", args, want, stderr.String())
		}
		return stdout.String()
	}
	fails("error: "+filepath.Join(app, "main.js")+":1:1: unknown directive //karousos:log; the one that JavaScript knows is //karousos:loggable\n    //karousos:log\n    ^\n", app)
	fails("karousosc: "+app+" was not built: 1 error\n", app)
	fails(":1:4: Unexpected \";\"\n    \té(;\n    \t  ^\n", app, "--entry", "b.js")
	fails("there is no entry file c.js", app, "--entry", "c.js")
	fails("there is no package.json", t.TempDir())
	fails("accepts 1 arg(s)")
	text := fails("", app, "--json")
	var report struct {
		OK     bool
		Errors []finding
	}
	if err := json.Unmarshal([]byte(text), &report); err != nil || report.OK || len(report.Errors) != 1 || report.Errors[0].Line != 1 {
		t.Errorf("%v: %s", err, text)
	}
}

// served is a build by hand, whose server is the text given.
func served(t *testing.T, index string) string {
	t.Helper()
	dir := writeFiles(t, map[string]string{"server/index.js": index})
	m := &manifest.Manifest{Version: manifest.Version, BuildID: manifest.BuildID(), Entry: "main.js"}
	if err := m.Save(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func serve(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], append([]string{"serve"}, args...)...)
	cmd.Env = append(os.Environ(), asCommand+"=1", "KAROUSOSC_TEST_VALUE=from outside")
	return cmd
}

func TestServeIsTheApp(t *testing.T) {
	dir := served(t, "console.log(process.argv.slice(2), process.env.KAROUSOSC_TEST_VALUE); process.exitCode = 7")
	out, err := serve(dir, "--", "--port", "3").CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 7 || string(out) != "[ '--port', '3' ] from outside\n" {
		t.Errorf("%v: %s", err, out)
	}
}

func TestServePassesSignals(t *testing.T) {
	dir := served(t, "process.on('SIGTERM', () => { console.log('told to stop'); process.exit(5) }); setInterval(() => {}, 1000); console.log('ready')")
	cmd := serve(dir)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stop := time.AfterFunc(20*time.Second, func() { cmd.Process.Kill() })
	defer stop.Stop()
	buf := make([]byte, 64)
	n, _ := stdout.Read(buf)
	if string(buf[:n]) != "ready\n" {
		t.Fatalf("%q", buf[:n])
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	n, _ = stdout.Read(buf)
	err = cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 5 || string(buf[:n]) != "told to stop\n" {
		t.Errorf("%v: %q", err, buf[:n])
	}
}

func TestServeRefuses(t *testing.T) {
	dir := served(t, "")
	for _, c := range []struct {
		want string
		args []string
	}{
		{"serve takes one folder", nil},
		// These are no builds: one that ran would end the tests as if all were well.
		{"serve takes one folder", []string{t.TempDir(), "extra"}},
		{"serve takes one folder", []string{"--", t.TempDir()}},
		{"serve takes one folder", []string{t.TempDir(), "extra", "--", "more"}},
		{"no build here", []string{t.TempDir()}},
		{"unknown flag", []string{dir, "--port", "3"}},
	} {
		var stdout, stderr bytes.Buffer
		if code := run(append([]string{"serve"}, c.args...), &stdout, &stderr); code != exitCannot || !strings.Contains(stderr.String(), c.want) {
			t.Errorf("%v: exit %d: %s", c.args, code, stderr.String())
		}
	}
	if err := os.RemoveAll(filepath.Join(dir, "server")); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	if code := run([]string{"serve", dir}, &stdout, &stderr); code != exitCannot || !strings.Contains(stderr.String(), "build is incomplete") {
		t.Errorf("exit %d: %s", code, stderr.String())
	}
}

// --explain adds a page to what is printed, and an object to the JSON.
func TestBuildExplain(t *testing.T) {
	app := writeFiles(t, map[string]string{"package.json": `{"name": "tiny", "main": "main.js"}`, "main.js": "exports.f = () => Date.now();\n"})
	out := filepath.Join(t.TempDir(), "dist")
	var stdout, stderr bytes.Buffer
	if code := run([]string{"build", app, "-o", out, "--explain"}, &stdout, &stderr); code != 0 {
		t.Fatalf("exit %d\n%s", code, stderr.String())
	}
	for _, want := range []string{"\nINSTRUMENTED: ", "\nTRACKED: 0 variables", "\nPURE: 0 functions", "\nRECORDED: 1 place.", "time             Date.now                     " + app + "/main.js:1:19\n"} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("%q is not in\n%s", want, stdout.String())
		}
	}
	stdout.Reset()
	if code := run([]string{"build", app, "-o", out, "--explain", "--json"}, &stdout, &stderr); code != 0 {
		t.Fatalf("exit %d\n%s", code, stderr.String())
	}
	var report struct {
		Explained struct {
			Recorded []struct{ Kind, File string }
		}
	}
	if err := json.Unmarshal(stdout.Bytes(), &report); err != nil || len(report.Explained.Recorded) != 1 || report.Explained.Recorded[0].Kind != "time" || report.Explained.Recorded[0].File != "main.js" {
		t.Errorf("%v\n%s", err, stdout.String())
	}
}
