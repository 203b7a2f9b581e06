package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"karousosc/testapps/scenario"
	"karousosc/verifier/trace"
	"karousosc/verifier/verdict"
)

type judge struct {
	kit                      *scenario.Kit
	work                     string
	lanes                    int
	apps                     int
	ran, passed, differences int
}

// atOnce is how many tests one request asks for.
const atOnce = 20

func (j *judge) says(t test, format string, args ...any) {
	j.differences++
	fmt.Printf("%s: %s\n", t.name, fmt.Sprintf(format, args...))
}

// batch judges tests as one app; what cannot be judged together, in smaller ones.
func (j *judge) batch(ctx context.Context, tests []test) error {
	if len(tests) == 0 {
		return nil
	}
	j.apps++
	dir := filepath.Join(j.work, strconv.Itoa(j.apps))
	defer os.RemoveAll(dir)
	app, dist := filepath.Join(dir, "app"), filepath.Join(dir, "dist")
	if err := write(app, tests); err != nil {
		return err
	}
	if _, err := j.kit.Build(ctx, app, dist, "--files", "!**"); err != nil {
		// Without what the build has something against.
		bad := map[int]bool{}
		for _, m := range regexp.MustCompile(`(?m)^error: .*?node_modules/suite/t(\d+)\.js\S* (.*)$`).FindAllStringSubmatch(err.Error(), -1) {
			i, _ := strconv.Atoi(m[1])
			if !bad[i] {
				bad[i] = true
				fmt.Printf("%s: not built: %s\n", tests[i].name, m[2])
			}
		}
		if len(bad) == 0 {
			return j.halves(ctx, tests, err.Error())
		}
		var rest []test
		for i, t := range tests {
			if !bad[i] {
				rest = append(rest, t)
			}
		}
		return j.batch(ctx, rest)
	}
	var requests []string
	for from := 0; from < len(tests); from += atOnce {
		for range j.lanes {
			requests = append(requests, fmt.Sprintf("/?%d-%d", from, min(from+atOnce, len(tests))))
		}
	}
	ask := func(ctx context.Context, addr string) error { return ask(ctx, addr, requests) }
	if _, err := j.kit.RunPlain(ctx, app, "main.js", filepath.Join(dir, "plain"), ask); err != nil {
		if len(tests) == 1 { // such as those that break the runner
			fmt.Printf("%s: does not run plain\n", tests[0].name)
			return ctx.Err()
		}
		return j.halves(ctx, tests, "")
	}
	plain, err := outcomes(filepath.Join(dir, "plain", "trace.ktrace"))
	if err != nil {
		return err
	}
	r, err := j.kit.Record(ctx, dist, filepath.Join(dir, "ours"), ask)
	if err != nil {
		return j.halves(ctx, tests, "as a server build: "+err.Error())
	}
	ours, err := outcomes(r.Trace)
	if err != nil {
		return err
	}
	a, err := j.kit.Verify(ctx, r.Evidence)
	if err != nil {
		return err
	}
	if a.Outcome != verdict.Accept {
		if found := j.refused(a, tests); len(found) > 0 {
			return j.batch(ctx, without(tests, found))
		}
		return j.halves(ctx, tests, a.Text())
	}
	for i, t := range tests {
		j.ran++
		p, o := plain[t.name], ours[t.name]
		if p == "ok" {
			j.passed++
		}
		if p != o {
			j.says(tests[i], "plain %q, as a server build %q", p, o)
		}
	}
	return nil
}

// halves judges both halves of tests; of one test it says why it cannot be judged.
func (j *judge) halves(ctx context.Context, tests []test, why string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if len(tests) == 1 {
		j.ran++
		j.says(tests[0], "%.600s", why)
		return nil
	}
	if err := j.batch(ctx, tests[:len(tests)/2]); err != nil {
		return err
	}
	return j.batch(ctx, tests[len(tests)/2:])
}

// refused says which tests ended otherwise in re-execution.
func (j *judge) refused(a *scenario.Audit, tests []test) map[string]bool {
	bad := map[string]bool{}
	e, f := map[string]string{}, map[string]string{}
	if !list(unquoted(a.Expected), e) || !list(unquoted(a.Found), f) {
		return nil
	}
	for _, t := range tests {
		if e[t.name] != f[t.name] {
			bad[t.name] = true
			j.ran++
			j.says(t, "as a server build %q, re-executed %q", f[t.name], e[t.name])
		}
	}
	return bad
}

func unquoted(s string) string {
	if t, err := strconv.Unquote(s); err == nil {
		return t
	}
	return s
}

func without(tests []test, out map[string]bool) []test {
	var rest []test
	for _, t := range tests {
		if !out[t.name] {
			rest = append(rest, t)
		}
	}
	return rest
}

func list(text string, into map[string]string) bool {
	var pairs [][2]string
	if json.Unmarshal([]byte(text), &pairs) != nil {
		return false
	}
	for _, p := range pairs {
		into[p[0]] = p[1]
	}
	return true
}

// outcomes are what the first request for each test was answered.
func outcomes(file string) (map[string]string, error) {
	t, err := trace.Load(file, trace.Limits{})
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for i := range t.Exchanges {
		one := map[string]string{}
		if x := &t.Exchanges[i]; !list(string(x.Response.Body), one) {
			return nil, fmt.Errorf("request %d was answered %.300q", i+1, x.Response.Body)
		}
		for name, o := range one {
			if before, ok := all[name]; ok && before != o {
				o = before + ", then " + o
			}
			all[name] = o
		}
	}
	return all, nil
}
