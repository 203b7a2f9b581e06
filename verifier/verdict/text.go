package verdict

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"karousosc/verifier/trace"
)

// JSON writes the whole verdict as one JSON object.
func (v *Verdict) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// Most of what a verdict says in one piece, in bytes: much of it quotes what a server made up.
const (
	longestMessage = 8 << 10
	longestValue   = 1 << 20
)

// bound shortens what a server could have made long.
func (v *Verdict) bound() {
	v.Message, v.Together = shortened(v.Message, longestMessage), shortened(v.Together, longestMessage)
	v.Expected, v.Found = shortened(v.Expected, longestValue), shortened(v.Found, longestValue)
	for i := range v.Notes {
		v.Notes[i] = shortened(v.Notes[i], longestMessage)
	}
}

func shortened(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "…"
}

// lines is text that may have more than one line, without anything that could upset a terminal. All lines but the
// first are indented: only the verdict's own words begin one.
func lines(s string) string {
	all := strings.Split(s, "\n")
	for i, l := range all {
		if all[i] = printable(l, longestMessage); i > 0 && !strings.HasPrefix(l, "  ") {
			all[i] = "  " + all[i]
		}
	}
	return strings.Join(all, "\n")
}

// Text writes the verdict for a person.
func (v *Verdict) Text(w io.Writer) error {
	var b strings.Builder
	message := lines(v.Message)
	switch v.Outcome {
	case Accept:
		b.WriteString("accept: " + message + "\n")
	case Reject:
		fmt.Fprintf(&b, "reject (rule %s): ", v.Rule)
		if v.RID != 0 && v.Cycle == nil && !strings.Contains(v.Message, fmt.Sprintf("request %d ", v.RID)) {
			fmt.Fprintf(&b, "request %d", v.RID)
			if v.Request != "" {
				fmt.Fprintf(&b, " (%s)", v.Request)
			}
			b.WriteString(": ")
		}
		b.WriteString(message + "\n")
	default:
		b.WriteString("cannot audit: " + message + "\n")
	}
	if len(v.Requests) > 0 {
		b.WriteString("  " + trace.Requests(v.Requests) + "\n")
	}
	if v.Expected != "" || v.Found != "" {
		fmt.Fprintf(&b, "  expected: %s\n  found:    %s\n", printable(v.Expected, 2000), printable(v.Found, 2000))
	}
	if v.Position != nil && v.Cycle == nil {
		fmt.Fprintf(&b, "  at %s\n", v.Position)
	}
	for i, l := range v.Lives {
		fmt.Fprintf(&b, "  start %d (%s) answered %s", i+1, printable(l.File, 200), count(l.Requests, "request", "requests"))
		if l.Requests > 0 {
			fmt.Fprintf(&b, ", %d to %d", l.First, l.Last)
		}
		b.WriteString("\n")
	}
	if v.Together != "" {
		b.WriteString("  re-executed all requests together, in the server's order, which takes longer than groups: " + lines(v.Together) + "\n")
	}
	for _, n := range v.Notes {
		b.WriteString("  note: " + lines(n) + "\n")
	}
	if len(v.Trusted) > 0 {
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(v.Trusted)) {
			parts = append(parts, fmt.Sprintf("%s %d", name, v.Trusted[name]))
		}
		b.WriteString("  trusted from the server: " + strings.Join(parts, ", ") + "\n")
	}
	if s := &v.Stats; v.Outcome == Accept {
		fmt.Fprintf(&b, "  %s", count(s.Requests, "request", "requests"))
		if v.Together == "" {
			fmt.Fprintf(&b, " in %s (the widest of %d), %s", count(s.Groups, "group", "groups"), s.Widest, count(s.Operations, "operation", "operations"))
			if s.Operations > 0 {
				fmt.Fprintf(&b, " on %s (%d in the advice)", count(s.Locations, "shared location", "shared locations"), s.Logged)
			}
		}
		if s.Splits > 0 {
			fmt.Fprintf(&b, ", %s", count(s.Splits, "split", "splits"))
		}
		fmt.Fprintf(&b, "; %.2f s of CPU; %s of advice\n", s.CPU, size(s.AdviceBytes))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func size(n int64) string {
	switch {
	case n < 10_000:
		return fmt.Sprintf("%d bytes", n)
	case n < 10_000_000:
		return fmt.Sprintf("%d KB", n/1000)
	}
	return fmt.Sprintf("%d MB", n/1_000_000)
}
