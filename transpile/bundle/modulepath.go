package bundle

import (
	"net/url"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// Each module asks for its own folder, and in a bundle they all lie in one file.
// What a build has at run time is the app's folder again, in the server's build with
// copies of the app's files in it (transpile/capture.go); so a module's __dirname is
// that folder and, behind it, where in it the module was.
//
// The bundler exchanges the free names for others of ours, which no program binds;
// here each of these becomes the path of the file that it stems from.
const (
	dirName     = "__karousos_dirname"
	fileName    = "__karousos_filename"
	metaURL     = "__karousos_meta_url"
	metaResolve = "__karousos_meta_resolve"
)

// modulePathHead defines the app's folder, as a path and as an URL.
const modulePathHead = `var ` + dirName + ` = __dirname, ` + metaURL + ` = "file://" + encodeURI(__dirname).replace(/[?#]/g, encodeURIComponent);`

var modulePath = regexp.MustCompile(dirName + `|` + fileName + `|` + metaURL + `|` + metaResolve)

// placeModules gives each module its own path. head is the length of the text in
// front, which defines the names.
// It returns the files that ask.
func (b *Bundle) placeModules(head int) []string {
	lines := NewLines(b.Text)
	var edits []edit
	asking := map[string]bool{}
	for _, m := range modulePath.FindAllStringIndex(b.Text, -1) {
		if m[0] < head {
			continue
		}
		file := ""
		if pos, ok := b.Map.Position(lines.LineCol(m[0])); ok {
			file = pos.File
			asking[file] = true
		}
		if text := placed(b.Text[m[0]:m[1]], file); text != "" {
			edits = append(edits, edit{m[0], m[1] - m[0], text})
		}
	}
	b.apply(edits)
	return sortedKeys(asking)
}

// placed is the expression for one of the names in a file, or "" for the name as it is.
func placed(name, file string) string {
	file = placeOf(file)
	rest := "/" + file
	switch name {
	case dirName:
		if rest = "/" + path.Dir(file); rest == "/." {
			return ""
		}
		return "(" + dirName + " + " + strconv.Quote(rest) + ")"
	case fileName:
		return "(" + dirName + " + " + strconv.Quote(rest) + ")"
	}
	at := "(" + metaURL + " + " + strconv.Quote((&url.URL{Path: rest}).EscapedPath()) + ")"
	if name == metaResolve {
		return metaResolve + "(" + at + ")"
	}
	return at
}

// edit replaces a part of a line.
type edit struct {
	at, len int
	text    string
}

// apply makes edits, which are in order and within lines, and keeps the map true.
func (b *Bundle) apply(edits []edit) {
	if len(edits) == 0 {
		return
	}
	var text strings.Builder
	lines, last := NewLines(b.Text), 0
	before, shift := -1, 0 // the line of the edit before, and how far that line has grown
	for _, e := range edits {
		line, col := lines.LineCol(e.at)
		if line != before {
			before, shift = line, 0
		}
		more := utf16Len(e.text) - utf16Len(b.Text[e.at:e.at+e.len])
		for i := range b.Map.Lines[line] {
			if s := &b.Map.Lines[line][i]; s.Gen > col+shift {
				s.Gen += more
			}
		}
		shift += more
		text.WriteString(b.Text[last:e.at])
		text.WriteString(e.text)
		last = e.at + e.len
	}
	text.WriteString(b.Text[last:])
	b.Text = text.String()
}
