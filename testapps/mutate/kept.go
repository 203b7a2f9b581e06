package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"karousosc/testapps/scenario"
)

// A jury judges again, without a check, what the tests judged with it: all evidence that they did not accept. No app has
// to be built or served for that.
type jury struct {
	root string
	kept []*scenario.Kept
	exe  string
	// copies are the builds whose runtime is without the check, by the build.
	copies map[string]string
	dir    string
}

// assemble runs the tests once, unless dir holds what they kept.
func assemble(root, dir, work string) (*jury, error) {
	if _, err := os.Stat(dir); err != nil {
		fmt.Fprintln(os.Stderr, "mutate: running the tests once")
		cmd := exec.Command("go", "test", "-count=1", "-timeout", "60m", "./testapps/e2e", "-run", attacks, "-keep-rejects", dir)
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("the tests fail as it is: %w\n%s", err, out)
		}
	}
	j := &jury{root: root, copies: map[string]string{}, dir: work}
	var err error
	if j.kept, err = scenario.AllKept(dir); err == nil && len(j.kept) == 0 {
		err = fmt.Errorf("nothing was kept in %s", dir)
	}
	if err == nil {
		j.exe = filepath.Join(work, "karousosc")
		err = j.build(j.exe, "")
	}
	return j, err
}

func (j *jury) build(exe, overlay string) error {
	args := []string{"build", "-buildvcs=false", "-o", exe}
	if overlay != "" {
		args = append(args, "-overlay="+overlay)
	}
	cmd := exec.Command("go", append(args, "./cmd/karousosc")...)
	cmd.Dir = j.root
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	return nil
}

// withoutInGo judges with a verifier that was compiled without the check, until the first test that would fail.
func (j *jury) withoutInGo(c Check, overlay string) ([]string, error) {
	exe := filepath.Join(j.dir, "without")
	if err := j.build(exe, overlay); err != nil {
		return nil, err
	}
	return j.judge(c, exe, func(dist string) (string, error) { return dist, nil })
}

// withoutInJavaScript does so with builds whose runtime or models are without it.
func (j *jury) withoutInJavaScript(c Check) ([]string, error) {
	name := map[string]string{"verifier.js": "runtime.js", "models.js": "models.js"}[filepath.Base(c.File)]
	done := map[string]bool{}
	defer func() {
		for dist := range done {
			text, err := os.ReadFile(filepath.Join(dist, "verifier", name))
			if err == nil {
				os.WriteFile(filepath.Join(j.copies[dist], "verifier", name), text, 0o600)
			}
		}
	}()
	return j.judge(c, j.exe, func(dist string) (string, error) {
		if j.copies[dist] == "" {
			to := filepath.Join(j.dir, fmt.Sprintf("dist%d", len(j.copies)))
			if err := os.CopyFS(to, os.DirFS(dist)); err != nil {
				return "", err
			}
			j.copies[dist] = to
		}
		if !done[dist] {
			done[dist] = true
			return j.copies[dist], os.WriteFile(filepath.Join(j.copies[dist], "verifier", name), []byte(c.Without), 0o600)
		}
		return j.copies[dist], nil
	})
}

func (j *jury) judge(c Check, exe string, build func(dist string) (string, error)) ([]string, error) {
	// Those that were rejected by the check's rule know it best.
	id := strings.Trim(strings.TrimPrefix(c.Rule, "rule."), `"`)
	order := slices.Clone(j.kept)
	far := func(k *scenario.Kept) int {
		switch {
		case k.Never != "":
			return 2
		case k.Rule == id || id == "R-unsupported" && k.Rule == "":
			return 0
		}
		return 1
	}
	slices.SortStableFunc(order, func(a, b *scenario.Kept) int { return far(a) - far(b) })
	kit := &scenario.Kit{Exe: exe}
	for _, k := range order {
		e := k.Evidence
		var err error
		if e.Dist, err = build(e.Dist); err != nil {
			return nil, err
		}
		args := k.Args
		if len(args) == 0 {
			args = []string{"--workers", "1"}
		}
		a, err := kit.Verify(context.Background(), e, args...)
		if err != nil || !k.Holds(a) {
			return []string{k.Test}, nil
		}
	}
	return nil, nil
}
