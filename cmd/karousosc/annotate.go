package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"karousosc/transpile"
	"karousosc/transpile/manifest"
)

func newAnnotateCommand() *cobra.Command {
	var entry string
	var write, asJSON bool
	cmd := &cobra.Command{
		Use:   "annotate APP [VARIABLE...]",
		Short: "Show the variables that requests of an app share",
		Long: `Annotate shows the variables of an app that requests can share, as build finds them:
those that the source declares with //karousos:loggable, and what is made while the app
loads (variables, objects, class instances, properties) and written to by functions that
may run later. Each comes with the places and functions that do so. All of them are
tracked; nothing need be written.

With --write, the directive is put into the source before each variable that was
found (or before the VARIABLEs named). A declared variable must hold only what can be
logged, from the start; one that was merely found may also hold handlers or the
server's handle, as long as only load time puts them there. Such variables, and what
has no declaration of its own, are tracked as they are, and get no directive.

Exit status: 0 done, 2 not, or not for every variable.`,
		Example: `  karousosc annotate testapps/gallery --entry club.js
  karousosc annotate . --json | jq -r '.found[].name'
  karousosc annotate . sessions buckets --write`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			app, names := args[0], args[1:]
			declared, found, unfollowed, err := transpile.Find(app, entry)
			if err != nil {
				if places := errorPlaces(err); len(places) > 0 {
					printPlaces(cmd.ErrOrStderr(), "error", app, places)
					return cannot("%s cannot be analysed: %s", app, count(len(places), "error"))
				}
				return cannot("%w", err)
			}
			if len(names) > 0 {
				for _, n := range names {
					if !slices.ContainsFunc(found, func(x transpile.Shared) bool { return x.Name == n }) {
						return cannot("no variable %s was found that requests share and that is not declared", n)
					}
				}
				found = slices.DeleteFunc(found, func(x transpile.Shared) bool { return !slices.Contains(names, x.Name) })
			}
			if asJSON {
				if err := printSharedJSON(cmd.OutOrStdout(), declared, found, unfollowed); err != nil {
					return cannot("%w", err)
				}
			} else {
				printShared(cmd.OutOrStdout(), app, declared, found, unfollowed)
			}
			if !write {
				return nil
			}
			found = slices.DeleteFunc(found, func(x transpile.Shared) bool { return !x.Declared })
			refused, err := transpile.Declare(app, found)
			if err != nil {
				return cannot("%w", err)
			}
			if len(refused) > 0 {
				printPlaces(cmd.ErrOrStderr(), "error", app, refused)
				return cannot("%s of %d not declared", count(len(refused), "variable"), len(found))
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&entry, "entry", "", "the `file` that starts the app, relative to APP")
	cmd.Flags().BoolVar(&write, "write", false, "write the directives into the app's sources")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print what was found as JSON")
	return cmd
}

func printShared(w io.Writer, app string, declared []manifest.Annotation, found []transpile.Shared, unfollowed []string) {
	for _, a := range declared {
		fmt.Fprintf(w, "%s: %s is declared loggable\n", within(app, a.Position), a.Name)
	}
	for _, x := range found {
		if len(x.Writes) == 0 {
			fmt.Fprintf(w, "%s: %s is %s\n", within(app, x.Position), x.Name, x.Why)
			continue
		}
		fmt.Fprintf(w, "%s: %s is %s by functions; it is %s:\n", within(app, x.Position), x.Name, x.How, x.Why)
		last := ""
		for _, at := range x.Writes {
			by := at.Function
			if by == "" {
				by = "a function"
			}
			if line := fmt.Sprintf("    %s in %s\n", within(app, at.Position), by); line != last {
				fmt.Fprint(w, line)
				last = line
			}
		}
		if !x.Tracked {
			fmt.Fprintf(w, "    It is not tracked; if requests share it, %s.\n", x.Advice())
		}
	}
	if len(declared) == 0 && len(found) == 0 {
		fmt.Fprintf(w, "nothing was found that requests share\n")
	}
	if len(unfollowed) > 0 {
		fmt.Fprintf(w, "not followed: what is kept by %s. If requests share it, the audit notices, and re-executes all of them together.\n", packages(unfollowed))
	}
}

// packages lists them as the end of a sentence does.
func packages(names []string) string {
	if len(names) == 1 {
		return "package " + names[0]
	}
	return "packages " + strings.Join(names, ", ")
}

func printSharedJSON(w io.Writer, declared []manifest.Annotation, found []transpile.Shared, unfollowed []string) error {
	report := struct {
		Declared   []manifest.Annotation `json:"declared"`
		Found      []transpile.Shared    `json:"found"`
		Unfollowed []string              `json:"unfollowed"`
	}{declared, found, unfollowed}
	if report.Unfollowed == nil {
		report.Unfollowed = []string{}
	}
	if report.Declared == nil {
		report.Declared = []manifest.Annotation{}
	}
	if report.Found == nil {
		report.Found = []transpile.Shared{}
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(report)
}
