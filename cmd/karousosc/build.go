package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"karousosc/transpile"
	"karousosc/transpile/bundle"
	"karousosc/transpile/capture"
	"karousosc/transpile/explain"
	"karousosc/transpile/manifest"
	"karousosc/transpile/program"
)

func newBuildCommand() *cobra.Command {
	var opts transpile.Options
	var asJSON bool
	var fileLimit int64
	cmd := &cobra.Command{
		Use:   "build APP",
		Short: "Make the server's and the verifier's build of an app",
		Long: `Build makes two programs of one app: DIST/server, which is run in the app's place
and writes advice while it answers, and DIST/verifier, which verify runs.
DIST/manifest.json says what they were made of.

APP is a folder with package.json, its packages installed. The file that starts
the app is package.json's main, else the one that its start script runs, else
index.js. Variables that requests share are found where a module of the app declares
them and a function changes them (karousosc annotate shows them); what is shared in
another way is declared in the source:

    //karousos:loggable
    const messages = messageBoard();

The files of APP (views, static files, data; not node_modules and .git) go into both
builds, so that the app finds them: DIST/server/app is the server's working folder.

DIST/server needs nothing but Node.js: copy it to any machine and run
node index.js. The same app always gives the same bytes, so whoever has the source
can check a build by repeating it.

Exit status: 0 built, 2 not; then DIST is as it was before.`,
		Example: `  karousosc build testapps/motd
  karousosc build . -o /srv/audit/dist --entry src/server.ts
  karousosc build . --files '!uploads' --files '!**/*.psd'
  karousosc build . --explain | less
  karousosc build testapps/motd --json | jq -r .buildId`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, cancel := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer cancel()
			if fileLimit < 1 {
				return cannot("--files-limit must be at least 1 (MiB)")
			}
			opts.App, opts.FileLimit = args[0], fileLimit<<20
			line := newSteps(cmd.ErrOrStderr())
			opts.Progress = line.step
			res, err := transpile.Build(ctx, opts)
			line.clear()
			if ctx.Err() != nil && err != nil {
				return cannot("interrupted; nothing was written")
			}
			var report buildReport
			switch {
			case err != nil:
				places := errorPlaces(err)
				if asJSON {
					report.Errors = found(opts.App, places)
					if len(places) == 0 {
						report.Errors = []finding{{Text: err.Error()}}
					}
					if err := report.write(cmd.OutOrStdout()); err != nil {
						return cannot("%w", err)
					}
					return &exitError{code: exitCannot}
				}
				if len(places) == 0 {
					return cannot("%w", err)
				}
				printPlaces(cmd.ErrOrStderr(), "error", opts.App, places)
				return cannot("%s was not built: %s", opts.App, count(len(places), "error"))
			case asJSON:
				report.from(opts.App, res)
				if err := report.write(cmd.OutOrStdout()); err != nil {
					return cannot("%w", err)
				}
				return nil
			}
			printPlaces(cmd.ErrOrStderr(), "warning", opts.App, res.Warnings)
			printBuild(cmd.OutOrStdout(), res)
			if res.Explained != nil {
				fmt.Fprintln(cmd.OutOrStdout())
				res.Explained.Text(cmd.OutOrStdout(), func(p manifest.Position) string { return within(opts.App, p).String() })
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&opts.Out, "out", "o", "dist", "`folder` to write; an earlier build in it is replaced")
	cmd.Flags().StringVar(&opts.Entry, "entry", "", "the `file` that starts the app, relative to APP")
	cmd.Flags().StringArrayVar(&opts.Capture, "files", nil, "take only the app's files that match `PATTERN`, or with ! in front leave them out; may be repeated, the last match decides")
	cmd.Flags().Int64Var(&fileLimit, "files-limit", capture.DefaultLimit>>20, "`MiB` of the app's files that a build takes")
	cmd.Flags().BoolVar(&opts.Explain, "explain", false, "print what was instrumented, what is pure, and what is recorded, with places")
	cmd.Flags().BoolVar(&opts.Minify, "minify", false, "leave white space out of the server's program")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a summary as JSON")
	return cmd
}

// errorPlaces returns the places that a build's error is about.
func errorPlaces(err error) []bundle.Diagnostic {
	var places bundle.Errors
	if errors.As(err, &places) {
		return places
	}
	var problems program.Problems
	if errors.As(err, &problems) {
		for _, p := range problems {
			places = append(places, bundle.Diagnostic{Position: manifest.Position(p.Pos), Text: p.Msg})
		}
	}
	return places
}

// within names a file of the app as seen from the working directory, so that
// terminals and editors can open it.
func within(app string, p manifest.Position) manifest.Position {
	if p.File != "" {
		p.File = filepath.Join(app, filepath.FromSlash(p.File))
	}
	return p
}

// printPlaces prints each place with its line and a mark under the column.
func printPlaces(w io.Writer, kind, app string, places []bundle.Diagnostic) {
	for _, d := range places {
		d.Position = within(app, d.Position)
		fmt.Fprintf(w, "%s: %s\n", kind, d)
		// Lines of minified packages would fill the screen.
		if d.LineText == "" || len(d.LineText) > 200 || strings.Contains(d.File, "node_modules") {
			continue
		}
		mark := make([]rune, 0, d.Column)
		for _, c := range d.LineText {
			if len(mark) >= d.Column-1 {
				break
			}
			if c != '\t' {
				c = ' '
			}
			mark = append(mark, c)
		}
		fmt.Fprintf(w, "    %s\n    %s^\n", d.LineText, string(mark))
	}
}

func printBuild(w io.Writer, res *transpile.Result) {
	m := res.Manifest
	fmt.Fprintf(w, "built %s (%s) into %s in %.1f s\n", m.App, m.Entry, res.Out, res.Duration.Seconds())
	fmt.Fprintf(w, "  build id  %s\n", m.BuildID)
	fmt.Fprintf(w, "  bundle    %s, %s, core modules %s\n", count(res.Files, "file"), count(len(m.Functions), "function"), strings.Join(m.CoreModules, " "))
	fmt.Fprintf(w, "  files     %s, %d KB\n", count(len(res.Captured.Files), "file"), (res.Captured.Bytes+999)/1000)
	fmt.Fprintf(w, "  server    %d KB\n  verifier  %d KB\n", res.Server/1000, res.Verifier/1000)
	if len(m.Annotations) == 0 && len(res.Shared) == 0 {
		fmt.Fprintf(w, "  nothing is declared loggable, and nothing was found that requests share\n")
	}
	for _, a := range m.Annotations {
		fmt.Fprintf(w, "  loggable  %s %s (%s)\n", a.Kind, a.Name, a.Position)
	}
	for _, x := range res.Shared {
		switch {
		case !x.Tracked:
		case len(x.Writes) == 0:
			fmt.Fprintf(w, "  shared    %s (%s), %s\n", x.Name, x.Position, x.Why)
		default:
			fmt.Fprintf(w, "  shared    %s (%s), %s at %s\n", x.Name, x.Position, x.How, x.Writes[0].Position)
		}
	}
	fmt.Fprintf(w, "run it with: karousosc serve %s\n", res.Out)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// buildReport is what --json prints. Its names are stable.
type buildReport struct {
	OK          bool                  `json:"ok"`
	App         string                `json:"app,omitempty"`
	Entry       string                `json:"entry,omitempty"`
	Out         string                `json:"out,omitempty"`
	BuildID     string                `json:"buildId,omitempty"`
	Files       int                   `json:"files,omitempty"`
	Functions   int                   `json:"functions,omitempty"`
	Captured    int                   `json:"capturedFiles,omitempty"`
	FileBytes   int64                 `json:"capturedBytes,omitempty"`
	CoreModules []string              `json:"coreModules,omitempty"`
	Annotations []manifest.Annotation `json:"annotations,omitempty"`
	Shared      []transpile.Shared    `json:"shared,omitempty"`
	ServerBytes int                   `json:"serverBytes,omitempty"`
	VerifyBytes int                   `json:"verifierBytes,omitempty"`
	Seconds     float64               `json:"seconds,omitempty"`
	Explained   *explain.Explanation  `json:"explained,omitempty"` // places relative to the app
	Warnings    []finding             `json:"warnings,omitempty"`
	Errors      []finding             `json:"errors,omitempty"`
}

// finding is an error or warning; one that is about no place has a text only.
type finding struct {
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	Text   string `json:"text"`
}

func found(app string, places []bundle.Diagnostic) []finding {
	var out []finding
	for _, d := range places {
		p := within(app, d.Position)
		out = append(out, finding{p.File, p.Line, p.Column, d.Text})
	}
	return out
}

func (r *buildReport) from(app string, res *transpile.Result) {
	m := res.Manifest
	*r = buildReport{
		OK: true, App: m.App, Entry: m.Entry, Out: res.Out, BuildID: m.BuildID, Files: res.Files, Functions: len(m.Functions),
		Explained: res.Explained, Captured: len(res.Captured.Files), FileBytes: res.Captured.Bytes,
		CoreModules: m.CoreModules, Annotations: m.Annotations, Shared: res.Shared, ServerBytes: res.Server, VerifyBytes: res.Verifier,
		Seconds: res.Duration.Seconds(), Warnings: found(app, res.Warnings),
	}
}

func (r *buildReport) write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// steps shows what a command is at, on one line of a terminal; on anything else it
// is silent.
type steps struct{ p *progress }

func newSteps(w io.Writer) *steps { return &steps{newProgress(w)} }

func (s *steps) step(text string) {
	if s.p.w != nil {
		s.p.used = true
		fmt.Fprintf(s.p.w, "\r\x1b[K%s…", text)
	}
}

func (s *steps) clear() { s.p.clear() }
