package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"karousosc/testapps/mutate/on"
	"karousosc/testapps/scenario"
)

// packages are those whose own tests are asked.
var packages = folders

// enumerator holds tests of the whole program, for random programs.
const enumerator = "testapps/enumerate"

// attacks are the tests of the whole program whose evidence is kept.
const attacks = "Attack|Concealed|Leaving|Hostile|Forged|Figure5|Cycle|Recorded|Divergence|Tags|Together|Hidden|TwoLives|AnotherBuild|Damaged|Huge|Unauditable|Unsupported|Outside|Local|JointOrder|Clock|Corners"

// A jury are all tests that can be asked.
type jury struct {
	suites []*suite
	exe    string // the instrumented program
	kept   []*scenario.Kept
	// witnesses are the evidence for which a check decided.
	witnesses map[int][]int
	// fired are the checks that decided anything anywhere.
	fired map[int]bool
}

// A suite is the tests of one package, compiled.
type suite struct {
	folder, bin, dir string
	env              []string
	took             map[string]time.Duration
	tests            map[int][]string // by the check that decided in them
}

// assemble compiles everything and finds out which checks decide in which tests.
func assemble(ctx context.Context, root, kept, dir string, in *Instrumented, match, of *regexp.Regexp) (*jury, error) {
	if err := keep(root, kept); err != nil {
		return nil, err
	}
	overlay, err := writeOverlay(root, dir, in)
	if err != nil {
		return nil, err
	}
	j := &jury{exe: filepath.Join(dir, "karousosc"), witnesses: map[int][]int{}, fired: map[int]bool{}}
	if err := compile(root, "build", overlay, j.exe, "cmd/karousosc"); err != nil {
		return nil, err
	}
	for i, folder := range append(slices.Clone(packages), enumerator) {
		if !slices.ContainsFunc(in.Checks, func(c Check) bool { return concerns(folder, &c) && match.MatchString(c.Name()) }) {
			continue
		}
		s := &suite{folder: folder, bin: filepath.Join(dir, fmt.Sprintf("tests%d", i)), dir: filepath.Join(root, folder), took: map[string]time.Duration{}, tests: map[int][]string{}}
		// It builds the program by itself.
		s.env = []string{"GOFLAGS=-buildvcs=false -overlay=" + overlay}
		if err := compile(root, "test", overlay, s.bin, folder); err != nil {
			return nil, err
		}
		if _, err := os.Stat(s.bin); err != nil {
			continue // it has no tests
		}
		if err := s.survey(ctx, dir); err != nil {
			return nil, err
		}
		for n := range s.tests {
			j.fired[n] = true
		}
		j.suites = append(j.suites, s)
	}
	if j.kept, err = scenario.AllKept(kept); err != nil {
		return nil, err
	}
	j.kept = slices.DeleteFunc(j.kept, func(k *scenario.Kept) bool { return !of.MatchString(k.Test) })
	return j, j.survey(ctx, dir, kept, in)
}

// concerns tells whether the tests of a folder are asked about a check.
func concerns(folder string, c *Check) bool {
	// The packages' own tests run nothing of the verifier's runtime, and the enumerator tells little of what they do not.
	if folder == enumerator || strings.HasSuffix(c.File, ".js") {
		return folder == enumerator && strings.HasSuffix(c.File, ".js")
	}
	part := func(name string) string { return name[:strings.IndexByte(name, '/')+1] }
	return part(folder) == part(c.File)
}

// keep runs the tests once, unless the folder holds what they kept.
func keep(root, kept string) error {
	if _, err := os.Stat(kept); err == nil {
		return nil
	}
	fmt.Fprintln(os.Stderr, "mutate: running the tests of the whole program once")
	cmd := exec.Command("go", "test", "-count=1", "-timeout", "60m", "./testapps/e2e", "-run", attacks, "-keep-rejects", kept)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("the tests fail as it is: %w\n%s", err, out)
	}
	return nil
}

// writeOverlay makes the compiler see the instrumented files.
func writeOverlay(root, dir string, in *Instrumented) (string, error) {
	replace := map[string]string{}
	for name, text := range in.Texts {
		file := filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return "", err
		}
		replace[filepath.Join(root, name)] = file
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, text, 0o600)
}

func compile(root, what, overlay, to, folder string) error {
	args := []string{what, "-o", to, "-overlay", overlay}
	if what == "test" {
		args = append(args, "-c", "-vet=off")
	} else {
		args = append(args, "-buildvcs=false")
	}
	cmd := exec.Command("go", append(args, "./"+folder)...)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("compiling %s: %w\n%s", folder, err, out)
	}
	return nil
}

// noted reads the checks that decided, and empties the file.
func noted(file string) []int {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	os.Remove(file)
	var all []int
	for s := range strings.Lines(string(text)) {
		if n, err := strconv.Atoi(strings.TrimSpace(s)); err == nil {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// survey runs each test by itself.
func (s *suite) survey(ctx context.Context, dir string) error {
	cmd := exec.CommandContext(ctx, s.bin, "-test.list", ".")
	cmd.Dir = s.dir
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%s: %w", s.folder, err)
	}
	file := filepath.Join(dir, "noted")
	for name := range strings.Lines(string(out)) {
		name = strings.TrimSpace(name)
		if !strings.HasPrefix(name, "Test") && !strings.HasPrefix(name, "Fuzz") && !strings.HasPrefix(name, "Example") {
			continue
		}
		began := time.Now()
		if failed, output := s.run(ctx, time.Hour, []string{name}, on.Fired+"="+file); failed != "" {
			return fmt.Errorf("%s fails as it is: %s\n%s", s.folder, failed, output)
		}
		s.took[name] = time.Since(began)
		for _, n := range noted(file) {
			s.tests[n] = append(s.tests[n], name)
		}
	}
	return nil
}

var failedTest = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)

// run runs some tests until one fails, and returns that one.
func (s *suite) run(ctx context.Context, most time.Duration, tests []string, env ...string) (failed, output string) {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.bin, "-test.failfast", "-test.run", "^("+strings.Join(tests, "|")+")$")
	cmd.Dir = s.dir
	cmd.Env = append(append(os.Environ(), s.env...), env...)
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	if err == nil {
		return "", ""
	}
	if all := failedTest.FindAllStringSubmatch(string(out), -1); all != nil {
		return all[len(all)-1][1], string(out)
	}
	why := "a crash of "
	if ctx.Err() != nil {
		why = "no end of "
	}
	if len(tests) > 1 {
		why += "one of "
	}
	return why + strings.Join(tests, ", "), string(out)
}

// survey judges all kept evidence once. What came of it is kept with it, for as long as the checks are the same.
func (j *jury) survey(ctx context.Context, dir, kept string, in *Instrumented) error {
	// The builds get the instrumented runtime.
	dists, err := filepath.Glob(filepath.Join(kept, "dist", "*"))
	if err != nil {
		return err
	}
	for _, dist := range dists {
		to := filepath.Join(dir, "dist", filepath.Base(dist))
		if err := os.CopyFS(to, os.DirFS(dist)); err != nil {
			return err
		}
		for name, script := range map[string]string{"runtime.js": "runtime/js/dist/verifier.js", "models.js": "runtime/js/dist/models.js"} {
			if err := os.WriteFile(filepath.Join(to, "verifier", name), []byte(in.Texts[script]), 0o600); err != nil {
				return err
			}
		}
	}
	file := filepath.Join(dir, "noted")
	for i, k := range j.kept {
		k.Evidence.Dist = filepath.Join(dir, "dist", filepath.Base(k.Evidence.Dist))
		os.Setenv(on.Fired, file)
		a, err := (&scenario.Kit{Exe: j.exe}).Verify(ctx, k.Evidence, arguments(k)...)
		os.Unsetenv(on.Fired)
		all := noted(file)
		if err != nil || !k.Holds(a) {
			fmt.Fprintf(os.Stderr, "mutate: left out, because it does not hold as it is: %s: %v\n", k.Test, err)
			continue
		}
		for _, n := range all {
			j.witnesses[n] = append(j.witnesses[n], i)
			j.fired[n] = true
		}
	}
	return nil
}

func arguments(k *scenario.Kept) []string {
	if len(k.Args) == 0 {
		return []string{"--workers", "1"}
	}
	return k.Args
}

// try returns a test that fails without the check, "" if there is none.
func (j *jury) try(ctx context.Context, c *Check) string {
	off := on.Active + "=" + strconv.Itoa(c.Number)
	// Its own package knows it best.
	suites := slices.Clone(j.suites)
	slices.SortStableFunc(suites, func(a, b *suite) int {
		own := func(s *suite) int {
			if s.folder == filepath.Dir(c.File) {
				return 0
			}
			return 1
		}
		return own(a) - own(b)
	})
	for _, s := range suites {
		tests := slices.Clone(s.tests[c.Number])
		if len(tests) == 0 {
			continue
		}
		slices.SortFunc(tests, func(a, b string) int { return cmp.Compare(s.took[a], s.took[b]) })
		most := 20 * time.Second
		for _, t := range tests {
			most += 3 * s.took[t]
		}
		if failed, _ := s.run(ctx, most, tests, off); failed != "" {
			return failed
		}
	}
	os.Setenv(on.Active, strconv.Itoa(c.Number))
	defer os.Unsetenv(on.Active)
	for _, i := range j.ranked(c) {
		k := j.kept[i]
		a, err := (&scenario.Kit{Exe: j.exe}).Verify(ctx, k.Evidence, arguments(k)...)
		if err != nil || !k.Holds(a) {
			return k.Test
		}
	}
	return ""
}

// ranked are the witnesses of a check, those first that were rejected by its rule.
func (j *jury) ranked(c *Check) []int {
	all := slices.Clone(j.witnesses[c.Number])
	far := func(i int) int {
		switch k := j.kept[i]; {
		case c.Rule != "" && strings.ReplaceAll(strings.ToLower(k.Rule), "r-", "") == strings.ReplaceAll(strings.ToLower(c.Rule), "r-", ""):
			return 0
		case k.Never == "":
			return 1
		}
		return 2
	}
	slices.SortStableFunc(all, func(a, b int) int { return far(a) - far(b) })
	return all
}
