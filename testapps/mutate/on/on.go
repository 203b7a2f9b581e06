// Package on switches the checks of an instrumented verifier off, one at a time. Only what `mutate` compiles imports it:
// the environment says which check is off, and where to note those that came to decide something.
package on

import (
	"os"
	"strconv"
	"strings"
	"sync"
)

// The environment of an instrumented program, and of the processes that it starts.
const (
	Active = "KAROUSOSC_MUTATE_OFF"  // the number of the check that is off
	Fired  = "KAROUSOSC_MUTATE_NOTE" // the file that is told of checks that decided
)

var (
	active = number(os.Getenv(Active))
	notes  = os.Getenv(Fired)
	noted  sync.Map
)

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return -1
	}
	return n
}

// Off tells whether check n is off. It is asked where the check decides: nowhere else does the program differ without it.
func Off(n int) bool {
	if n == active {
		return true
	}
	if notes != "" {
		note(n)
	}
	return false
}

// Note notes the checks that the verifier's runtime says have decided, in the result of a job.
func Note(result string) {
	_, list, ok := strings.Cut(result, `"$fired":[`)
	if notes == "" || !ok {
		return
	}
	list, _, _ = strings.Cut(list, "]")
	for _, s := range strings.Split(list, ",") {
		if n := number(s); n >= 0 {
			note(n)
		}
	}
}

// note appends at once: the process may die at any time.
func note(n int) {
	if _, again := noted.LoadOrStore(n, true); again {
		return
	}
	f, err := os.OpenFile(notes, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		_, err = f.WriteString(strconv.Itoa(n) + "\n")
		f.Close()
	}
	if err != nil {
		panic(err)
	}
}

// Script gives the verifier's runtime the number of the check that is off.
func Script(source string) string {
	if active < 0 || !strings.HasPrefix(source, "globalThis.$off") {
		return source
	}
	return strings.Replace(source, "/*off*/-1", strconv.Itoa(active), 1)
}
