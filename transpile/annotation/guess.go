package annotation

import (
	"iter"
	"strings"
)

// The functions here guess; see the package comment for why that is enough. A
// wrong guess costs one more run of the parser, a missing one an error message,
// so they lean towards more guesses.

// maxGuesses bounds the parser runs for one place, whatever the file.
const maxGuesses = 400

// assigns returns the offsets of the = signs that may begin the initialiser of
// the variable after whose name s begins: the first one, and as types may contain
// some (as defaults of type parameters), those after it in the same statement.
func assigns(s string) []int {
	var out []int
	scan(s, 0, func(at, depth int, c byte) bool {
		if depth < 0 || depth == 0 && c == ';' {
			return false
		}
		// Neither =>, ==, <=; but `>=` may end type arguments: Map<A,B>=…
		if c == '=' && !strings.HasPrefix(s[at+1:], "=") && !strings.HasPrefix(s[at+1:], ">") &&
			(at == 0 || strings.IndexByte("=!<", s[at-1]) < 0) {
			out = append(out, at)
		}
		return len(out) < maxGuesses
	})
	return out
}

// ends yields the offsets at which an expression or type that starts at i may
// end: after the last piece of text before each comma, semicolon, line end or
// closing bracket at its own depth; and should the scanner have been misled
// (an apostrophe in JSX text…), before any such character at all.
func ends(s string, i int) iter.Seq[int] {
	return func(yield func(int) bool) {
		seen, stopped := map[int]bool{}, false
		add := func(p int) bool {
			if stopped || p <= i || seen[p] {
				return !stopped
			}
			seen[p] = true
			stopped = len(seen) > maxGuesses || !yield(p)
			return !stopped
		}
		last := i // end of the last piece
		scan(s, i, func(at, depth int, c byte) bool {
			if depth < 0 {
				return add(last) && false
			}
			if depth == 0 && (c == ',' || c == ';' || c == '\n') {
				if !add(last) || c == ';' {
					return false
				}
			}
			if c != '\n' {
				last = at + 1
			}
			return true
		})
		add(last)
		for j := i; j < len(s) && !stopped; j++ {
			if strings.IndexByte(",;\n)]}", s[j]) >= 0 {
				add(i + len(strings.TrimRight(s[i:j], " \t\r")))
			}
		}
	}
}

// scan walks over s from offset i and calls f for each piece of code: its last
// byte's offset, the bracket depth after it and the byte itself, which for
// strings, templates and regular expressions is their closing quote and for a
// closing bracket that bracket. White space is passed over except \n, comments
// except the \n that ends them. It stops when f returns false.
func scan(s string, i int, f func(at, depth int, c byte) bool) {
	depth := 0
	prev := byte('=') // last significant byte
	for ; i < len(s); i++ {
		c := s[i]
		switch {
		case c == ' ' || c == '\t' || c == '\r':
			continue
		case c == '\n':
			if !f(i, depth, c) {
				return
			}
			continue
		case strings.HasPrefix(s[i:], "//"):
			i = lineEnd(s, i) - 1
			continue
		case strings.HasPrefix(s[i:], "/*"):
			j := strings.Index(s[i+2:], "*/")
			if j < 0 {
				return
			}
			i += 2 + j + 1
			continue
		case c == '"' || c == '\'':
			i = quoted(s, i, c)
		case c == '`':
			i = template(s, i)
		case c == '/' && regexpMay(s, i, prev):
			i = regexp(s, i)
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		}
		i = min(i, len(s)-1)
		prev = s[i]
		if !f(i, depth, prev) {
			return
		}
	}
}

// quoted returns the offset of the quote that closes the string at i.
func quoted(s string, i int, quote byte) int {
	for i++; i < len(s) && s[i] != quote && s[i] != '\n'; i++ {
		if s[i] == '\\' {
			i++
		}
	}
	return i
}

// template returns the offset of the backtick that closes the template at i.
func template(s string, i int) int {
	for i++; i < len(s) && s[i] != '`'; i++ {
		switch {
		case s[i] == '\\':
			i++
		case strings.HasPrefix(s[i:], "${"):
			i += 2
			scan(s, i, func(at, depth int, c byte) bool {
				i = at
				return depth >= 0
			})
		}
	}
	return i
}

// regexpMay tells whether a slash after the byte prev is likelier to begin a
// regular expression than to divide.
func regexpMay(s string, i int, prev byte) bool {
	switch {
	case prev == ')' || prev == ']' || prev == '}' || prev == '"' || prev == '\'' || prev == '`':
		return false
	case prev == '_' || prev == '$' || prev >= 0x80 || prev >= '0' && prev <= '9' || prev >= 'a' && prev <= 'z' || prev >= 'A' && prev <= 'Z':
		before := strings.TrimRight(s[:i], " \t")
		for _, k := range []string{"return", "typeof", "case", "in", "of", "void", "delete", "throw", "new", "await", "yield", "else", "do"} {
			if rest, ok := strings.CutSuffix(before, k); ok {
				if rest == "" {
					return true
				}
				if w, _ := word(rest, len(rest)-1); w == "" && rest[len(rest)-1] != '.' {
					return true
				}
			}
		}
		return false
	}
	return true
}

// regexp returns the offset of the slash that closes the regular expression at i.
func regexp(s string, i int) int {
	class := false
	for j := i + 1; j < len(s) && s[j] != '\n'; j++ {
		switch s[j] {
		case '\\':
			j++
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if !class {
				return j
			}
		}
	}
	return i // it divides after all
}
