// Package capture finds the files of an app that it may read while it runs (views,
// static files, data, settings), so that both builds have them: copies beside the
// server's program, and a table for the verifier.
//
// Which files an app reads only running it can tell, so all of its folder is taken:
// the source as well, because an app may serve a file that it also loads, or list
// the folder that it lies in. Left out is what is not the app's: its packages,
// version control, builds, advice and traces of this program; and what the owner
// leaves out by patterns.
//
// Contents, times and permissions are read once, here. What a file system adds to
// that (owners, inodes, times of access) is not part of a build. Times are kept to
// the millisecond, because Node's Date has no more.
package capture

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"
)

// DefaultLimit is how many bytes of files a build takes.
const DefaultLimit = 64 << 20

// maxFiles bounds the entries of a table that is read whole at every start.
const maxFiles = 20_000

// epochVariable sets all times to one, for builds that are to be repeated from a
// checkout that does not keep times (reproducible-builds.org).
const epochVariable = "SOURCE_DATE_EPOCH"

// Options say what to take.
type Options struct {
	// Patterns choose among the files by their path relative to the app's folder, with
	// slashes: ** is any number of folders, and ! in front leaves out. The last that
	// matches decides; what none matches is taken unless the first one chooses, or it is a package's.
	Patterns []string
	Limit    int64    // bytes in all; DefaultLimit if 0
	Skip     []string // folders that are not the app's, such as the one to build into
	Folders  []Folder // of packages
}

// A Folder is a folder or a file of a package.
type Folder struct {
	Path string // where it is
	As   string // what it is in the set
	// Leave tells what is left out, by the path.
	Leave func(path string) bool
	// Limit is how many bytes it may hold; with more, or with more than maxFiles/10 files, none of it is taken.
	Limit int64
}

// File is one captured file. The JSON form is that of verifier/files.json.
type File struct {
	Data    []byte `json:"data"` // base64
	Size    int64  `json:"size"`
	MtimeMS int64  `json:"mtimeMs"`
	Mode    uint32 `json:"mode"` // st_mode of a regular file, readable by all
}

// Set is the captured files by their path relative to the app's folder, with slashes.
type Set struct {
	Files map[string]File `json:"files"`
	// Left are the folders of packages that hold more than they may.
	Left []Left `json:"-"`
	// Links are symbolic links, which are not taken.
	Links []string `json:"-"`
	// Bytes is the sum of sizes.
	Bytes int64 `json:"-"`
}

// Left is a folder of a package that was not taken.
type Left struct {
	Folder string // what it would be in the set
	Bytes  int64
}

// Names lists the files in order.
func (s *Set) Names() []string {
	names := make([]string, 0, len(s.Files))
	for name := range s.Files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Table is verifier/files.json.
func (s *Set) Table() ([]byte, error) { return encode(s) }

// Times is server/files.json: what the server needs to know whether its copies are
// those of the build, and to give them back their times.
func (s *Set) Times() ([]byte, error) {
	type entry struct {
		Size    int64 `json:"size"`
		MtimeMS int64 `json:"mtimeMs"`
	}
	out := struct {
		Files map[string]entry `json:"files"`
	}{map[string]entry{}}
	for name, f := range s.Files {
		out.Files[name] = entry{f.Size, f.MtimeMS}
	}
	return encode(out)
}

func encode(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return append(text, '\n'), nil
}

// Time is the file's time of last change.
func (f File) Time() time.Time { return time.UnixMilli(f.MtimeMS) }

// Capture reads the files of an app's folder.
func Capture(dir string, opts Options) (*Set, error) {
	if opts.Limit == 0 {
		opts.Limit = DefaultLimit
	}
	for _, p := range opts.Patterns {
		if !doublestar.ValidatePattern(strings.TrimPrefix(p, "!")) {
			return nil, fmt.Errorf("--files %q is no pattern", p)
		}
	}
	epoch, err := sourceDate()
	if err != nil {
		return nil, err
	}
	skip := map[string]bool{}
	for _, s := range opts.Skip {
		if abs, err := filepath.Abs(s); err == nil {
			skip[resolved(abs)] = true
		}
	}
	found, links, err := walk(dir, "", opts.Patterns, func(path, name string) bool { return skip[path] || foreign(path, name) })
	if err != nil {
		return nil, err
	}
	set := &Set{Files: map[string]File{}, Links: links}
	for _, f := range opts.Folders {
		more, _, err := walk(f.Path, f.As, opts.Patterns, func(path, name string) bool { return name == "node_modules" })
		if err != nil {
			return nil, err
		}
		bytes := int64(0)
		more = slices.DeleteFunc(more, func(c candidate) bool {
			leave := f.Leave != nil && f.Leave(c.path)
			if !leave {
				bytes += c.info.Size()
			}
			return leave
		})
		if f.Limit > 0 && (bytes > f.Limit || len(more) > maxFiles/10) {
			set.Left = append(set.Left, Left{f.As, bytes})
			continue
		}
		found = append(found, more...)
	}
	for _, c := range found {
		set.Bytes += c.info.Size()
	}
	if set.Bytes > opts.Limit || len(found) > maxFiles {
		return nil, tooMuch(found, set.Bytes, opts.Limit)
	}
	set.Bytes = 0
	for _, c := range found {
		data, err := os.ReadFile(c.path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return nil, fmt.Errorf("%w; leave it out with --files '!%s' if the app does not read it", err, c.rel)
		}
		mtime := int64(math.Round(float64(c.info.ModTime().UnixMicro()) / 1000))
		if epoch >= 0 {
			mtime = epoch * 1000
		}
		set.Files[c.rel] = File{Data: data, Size: int64(len(data)), MtimeMS: mtime, Mode: mode(c.info)}
		set.Bytes += int64(len(data))
	}
	return set, nil
}

// walk finds the files and the symbolic links of a folder, which is called as in the set.
func walk(dir, as string, patterns []string, skip func(path, name string) bool) (found []candidate, links []string, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) && path != dir {
				return nil // gone meanwhile: not a file to rely on
			}
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(filepath.Join(as, rel))
		if d.IsDir() {
			if rel != "." && skip(path, d.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		if !chosen(patterns, name) || strings.HasSuffix(name, ".ktrace") {
			return nil
		}
		switch {
		case d.Type()&fs.ModeSymlink != 0:
			links = append(links, name)
		case d.Type().IsRegular():
			info, err := d.Info()
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			} else if err != nil {
				return err
			}
			found = append(found, candidate{name, path, info})
		}
		return nil
	})
	return found, links, err
}

// candidate is a file that was found and not read yet.
type candidate struct {
	rel, path string
	info      fs.FileInfo
}

// mode keeps whether a file can be executed, which version control keeps too.
func mode(info fs.FileInfo) uint32 {
	const regular = 0o100000
	if info.Mode()&0o100 != 0 {
		return regular | 0o755
	}
	return regular | 0o644
}

func sourceDate() (int64, error) {
	text := os.Getenv(epochVariable)
	if text == "" {
		return -1, nil
	}
	n, err := strconv.ParseInt(text, 10, 40)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%s is %q, not a number of seconds since 1970", epochVariable, text)
	}
	return n, nil
}

func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// foreign tells whether a folder inside of an app's is not the app's own.
func foreign(path, name string) bool {
	switch name {
	case "node_modules", ".git", ".hg", ".svn":
		return true
	}
	has := func(name string) bool {
		_, err := os.Stat(filepath.Join(path, filepath.FromSlash(name)))
		return err == nil
	}
	if has("manifest.json") && has("verifier/program.js") && has("server/index.js") {
		return true // a build
	}
	advice, _ := filepath.Glob(filepath.Join(path, "*.kadv"))
	return len(advice) > 0
}

// chosen tells whether the patterns take a file.
func chosen(patterns []string, rel string) bool {
	take := len(patterns) == 0 || strings.HasPrefix(patterns[0], "!") || strings.HasPrefix(rel, "node_modules/")
	for _, p := range patterns {
		p, out := strings.CutPrefix(p, "!")
		p = strings.TrimPrefix(p, "./")
		if matches(strings.TrimSuffix(p, "/"), rel) {
			take = !out
		}
	}
	return take
}

// matches tells whether a pattern means a file or a folder that it lies in.
func matches(pattern, rel string) bool {
	ok, _ := doublestar.Match(pattern, rel)
	if !ok {
		ok, _ = doublestar.Match(pattern+"/**", rel)
	}
	return ok
}

func tooMuch(found []candidate, bytes, limit int64) error {
	sort.SliceStable(found, func(i, j int) bool { return found[i].info.Size() > found[j].info.Size() })
	var largest []string
	for _, c := range found[:min(3, len(found))] {
		largest = append(largest, fmt.Sprintf("%s (%s)", c.rel, megabytes(c.info.Size())))
	}
	return fmt.Errorf("the app's folder holds %d files of %s, more than the %d files of %s that a build takes; the largest are %s; leave out what the app does not read with --files '!PATTERN', or allow more with --files-limit",
		len(found), megabytes(bytes), maxFiles, megabytes(limit), strings.Join(largest, ", "))
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20)) }
