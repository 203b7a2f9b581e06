package bundle

import (
	_ "embed"
	"regexp"
	"strings"
)

//go:embed helpers.js
var helpersText string

// helpers are ours by the names of the bundler's, each in one line.
var helpers = func() map[string]string {
	m := map[string]string{}
	for _, part := range strings.Split(helpersText, "\n\n") {
		name, ok := strings.CutPrefix(part, "var ")
		if !ok {
			continue
		}
		name, _, _ = strings.Cut(name, " ")
		lines := strings.Split(strings.TrimSpace(part), "\n")
		for i, l := range lines {
			lines[i] = strings.TrimSpace(l)
		}
		m[name] = strings.Join(lines, " ")
	}
	return m
}()

var (
	helperHead  = regexp.MustCompile(`(?m)^([ \t]*)var (__asyncGenerator|__yieldStar|__forAwait|__spreadValues|__objRest|__privateIn|__privateGet|__privateSet|__privateMethod|__privateAdd) = .*$`)
	helperNames = regexp.MustCompile(`\b(__await|__knownSymbol|__hasOwnProp|__getOwnPropSymbols|__propIsEnum|__defNormalProp|__typeError)\d*\b`)
)

// loopHead is what goes round in the bundler's `for await`, which does not ask whether
// the answer is an object, and so may go round for ever.
var loopHead = regexp.MustCompile(`\), (\w+), (\w+), \w+; (\w+) = !\((\w+) = (yield (?:new __await\d*\()?(\w+)\.next\(\)\)?)\)\.done;`)

func checkLoops(text string) string {
	return loopHead.ReplaceAllStringFunc(text, func(s string) string {
		m := loopHead.FindStringSubmatch(s)
		if m[1] != m[3] || m[2] != m[4] {
			return s
		}
		return strings.Replace(s, "!("+m[4]+" = "+m[5]+").done", m[6]+".$("+m[4]+" = "+m[5]+")", 1)
	})
}

// replaceHelpers puts our helpers in the places of the bundler's, and moves no line.
func replaceHelpers(text string) string {
	for _, name := range []string{"__asyncGenerator", "__yieldStar", "__forAwait", "__spreadValues", "__objRest", "__privateIn", "__privateGet", "__privateSet", "__privateMethod", "__privateAdd"} {
		if !strings.Contains(text, "var "+name+" = ") {
			continue
		}
		for _, m := range helperHead.FindAllStringSubmatchIndex(text, 1<<10) {
			// A package that was bundled itself has helpers of its own; they are given their names as all that is the program's.
			if text[m[4]:m[5]] != name || strings.Contains(text[m[0]:m[1]], nameHelper+"(") {
				continue
			}
			end := m[1]
			if text[end-1] == '{' {
				tail := "\n" + text[m[2]:m[3]] + "};\n"
				i := strings.Index(text[end:], tail)
				if i < 0 {
					break
				}
				end += i + len(tail) - 1
			}
			old := text[m[0]:end]
			ours := helpers[name]
			for _, used := range helperNames.FindAllStringSubmatch(old, -1) {
				ours = regexp.MustCompile(`\b`+used[1]+`\b`).ReplaceAllString(ours, used[0])
			}
			text = text[:m[0]] + text[m[2]:m[3]] + ours + strings.Repeat("\n", strings.Count(old, "\n")) + text[end:]
			break
		}
	}
	text = strings.Replace(text, wrapper, namedWrapper, 1)
	return checkLoops(text)
}
