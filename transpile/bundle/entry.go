package bundle

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// App is an app's folder and what its package.json says about it.
type App struct {
	Dir   string // absolute, symbolic links resolved, as module resolution has it
	Name  string
	Entry string // slash-separated path of the file that starts it, relative to Dir
}

// OpenApp finds an app's entry: the given one (relative to the app's folder),
// else package.json's main, else the file that its start script runs, else
// index.js, in that order.
func OpenApp(dir, entry string) (*App, error) {
	st, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("%s: there is no such folder", dir)
	case err != nil:
		return nil, err
	case !st.IsDir():
		return nil, fmt.Errorf("%s is a file; name the app's folder, the one with package.json (and the file with --entry)", dir)
	}
	abs, err := filepath.Abs(dir)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "package.json")
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("%s: there is no package.json; name the app's folder, or make one with `npm init`", dir)
	case err != nil:
		return nil, err
	}
	var pkg struct {
		Name    string            `json:"name"`
		Main    string            `json:"main"`
		Scripts map[string]string `json:"scripts"`
	}
	if err := json.Unmarshal([]byte(strings.TrimPrefix(string(text), "\ufeff")), &pkg); err != nil {
		return nil, packageError(path, string(text), err)
	}
	app := &App{Dir: abs, Name: pkg.Name}
	if app.Name == "" {
		app.Name = filepath.Base(abs)
	}

	if entry != "" {
		if app.Entry = app.find(entry); app.Entry == "" {
			return nil, fmt.Errorf("%s: there is no entry file %s (--entry is relative to the app's folder)", dir, entry)
		}
		return app, nil
	}
	var tried []string
	if pkg.Main != "" {
		if app.Entry = app.find(pkg.Main); app.Entry != "" {
			return app, nil
		}
		tried = append(tried, "package.json's main is "+pkg.Main+", which does not exist")
	}
	if start := pkg.Scripts["start"]; start != "" {
		if file := startFile(start); file == "" {
			tried = append(tried, fmt.Sprintf("the start script %q names no file that is clear", start))
		} else if app.Entry = app.find(file); app.Entry != "" {
			return app, nil
		} else {
			tried = append(tried, "the start script runs "+file+", which does not exist")
		}
	}
	if app.Entry = app.find("index.js"); app.Entry != "" {
		return app, nil
	}
	tried = append(tried, "there is no index.js")
	return nil, fmt.Errorf("%s: cannot tell which file starts the app: %s; name it with --entry FILE", dir, strings.Join(tried, ", "))
}

// find resolves an entry as Node.js does (extensions, folders), and TypeScript
// beside it. It returns "" when there is no such file.
func (a *App) find(name string) string {
	isFile := func(p string) bool {
		st, err := os.Stat(p)
		return err == nil && st.Mode().IsRegular()
	}
	path := filepath.FromSlash(name)
	if !filepath.IsAbs(path) {
		path = filepath.Join(a.Dir, path)
	}
	for _, suffix := range []string{"", ".js", ".ts", ".json", "/index.js", "/index.ts"} {
		if p := path + filepath.FromSlash(suffix); isFile(p) {
			if rel, err := filepath.Rel(a.Dir, p); err == nil {
				return filepath.ToSlash(rel)
			}
		}
	}
	return ""
}

var runner = regexp.MustCompile(`^(?:node|nodejs|tsx|ts-node|nodemon)$`)

// startFile returns the file that a start script gives to node, or "" if it is not
// one plain command (which others may precede with &&).
func startFile(script string) string {
	file := ""
	for _, command := range strings.Split(script, "&&") {
		words := strings.Fields(command)
		i := slices.IndexFunc(words, runner.MatchString)
		if i < 0 {
			continue
		}
		if file != "" || strings.ContainsAny(command, "$'\"&|;<>`") {
			return ""
		}
		for i++; i < len(words) && strings.HasPrefix(words[i], "-"); i++ {
			switch words[i] {
			case "-r", "--require", "--import", "--loader":
				i++ // has a value
			}
		}
		if i >= len(words) {
			return ""
		}
		file = words[i]
	}
	return file
}

func packageError(path, text string, err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		line, col := NewLines(text).LineCol(int(syntax.Offset) - 1)
		return fmt.Errorf("%s:%d:%d: %w", path, line+1, col+1, err)
	}
	return fmt.Errorf("%s: %w", path, err)
}
