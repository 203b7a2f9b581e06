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

var helperNames = regexp.MustCompile(`\b(__await|__knownSymbol|__hasOwnProp|__getOwnPropSymbols|__propIsEnum|__defNormalProp|__typeError)\d*\b`)

// loopHead is what goes round in the bundler's `for await`, which does not ask whether
// the answer is an object, and so may go round for ever.
var loopHead = regexp.MustCompile(`\), (\w+), (\w+), \w+; (\w+) = !\((\w+) = (yield (?:new __await\d*\()?(\w+)\.next\(\)\)?)\)\.done;`)

func checkLoops(text string) string {
	return inLines(text, ".done;", func(lines string) string {
		return loopHead.ReplaceAllStringFunc(lines, func(s string) string {
			m := loopHead.FindStringSubmatch(s)
			if m[1] != m[3] || m[2] != m[4] {
				return s
			}
			return strings.Replace(s, "!("+m[4]+" = "+m[5]+").done", m[6]+".$("+m[4]+" = "+m[5]+")", 1)
		})
	})
}

// helper finds the bundler's helper of a name: where the line with its head begins, what is before the var, and where
// that line ends; -1 if there is none.
func helper(text, name string) (start int, before string, end int) {
	head := "var " + name + " = "
	for from := 0; ; {
		i := strings.Index(text[from:], head)
		if i < 0 {
			return -1, "", -1
		}
		at := from + i
		from = at + len(head)
		start = strings.LastIndexByte(text[:at], '\n') + 1
		if before = text[start:at]; strings.Trim(before, " \t") != "" {
			continue
		}
		if end = len(text); strings.Contains(text[at:], "\n") {
			end = at + strings.IndexByte(text[at:], '\n')
		}
		// A package that was bundled itself has helpers of its own; they are given their names as all that is the program's.
		if !strings.Contains(text[at:end], nameHelper+"(") {
			return start, before, end
		}
	}
}

// replaceHelpers puts our helpers in the places of the bundler's, and moves no line.
func replaceHelpers(text string) string {
	for _, name := range []string{"__asyncGenerator", "__yieldStar", "__forAwait", "__spreadValues", "__objRest", "__privateIn", "__privateGet", "__privateSet", "__privateMethod", "__privateAdd"} {
		start, before, end := helper(text, name)
		if start < 0 {
			continue
		}
		if text[end-1] == '{' {
			tail := "\n" + before + "};\n"
			i := strings.Index(text[end:], tail)
			if i < 0 {
				continue
			}
			end += i + len(tail) - 1
		}
		old := text[start:end]
		ours := helpers[name]
		for _, used := range helperNames.FindAllStringSubmatch(old, -1) {
			ours = regexp.MustCompile(`\b`+used[1]+`\b`).ReplaceAllString(ours, used[0])
		}
		text = text[:start] + before + ours + strings.Repeat("\n", strings.Count(old, "\n")) + text[end:]
	}
	text = strings.Replace(text, wrapper, namedWrapper, 1)
	return checkLoops(text)
}
