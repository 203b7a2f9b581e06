package explain

import (
	"fmt"
	"io"

	"karousosc/transpile/manifest"
)

// Text writes the page for a person. at turns a place into what is printed.
func (e *Explanation) Text(w io.Writer, at func(manifest.Position) string) {
	functions, packages := 0, 0
	for _, p := range e.Packages {
		functions += p.Functions
		if p.Name != "" && p.Name != "(bundler)" {
			packages++
		}
	}
	fmt.Fprintf(w, "INSTRUMENTED: %s, in the app and %s. Each branch taken counts in the digest by which requests are grouped.\n", plural(functions, "function"), plural(packages, "package"))
	for _, p := range e.Packages {
		name := p.Name
		if name == "" {
			name = "(the app)"
		}
		fmt.Fprintf(w, "  %-32s %5d functions %6d branches", name, p.Functions, p.Branches)
		if p.Pure > 0 {
			fmt.Fprintf(w, " %4d pure", p.Pure)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "\nTRACKED: %s. Accesses are logged where requests race for them.\n", plural(len(e.Tracked), "variable"))
	for _, a := range e.Tracked {
		fmt.Fprintf(w, "  %-5s %-26s %s\n", a.Kind, a.Name, at(a.Position))
	}
	fmt.Fprintf(w, "\nPURE: %s. They change nothing and read nothing shared, so they run lane by lane, and their branches tell no requests apart.\n", plural(len(e.Pure), "function"))
	for _, f := range e.Pure {
		fmt.Fprintf(w, "  %-32s %s\n", f.Name, at(f.Position))
	}
	fmt.Fprintf(w, "\nRECORDED: %s. What is read there, the verifier cannot compute: it takes it from the server's advice and checks that it is possible.\n", plural(len(e.Recorded), "place"))
	for _, r := range e.Recorded {
		fmt.Fprintf(w, "  %-16s %-28s %s\n", r.Kind, r.Code, at(r.Position))
	}
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
