// Package js holds the JavaScript that both builds of an audited program link,
// embedded so that the command is one file. The sources are TypeScript beside
// this file; `go generate` bundles them into dist with esbuild's Go API, so
// that building needs npm for the pinned shims and types but no JavaScript
// build tool.
package js

import (
	"embed"
	"fmt"
)

//go:generate go run ./gen

//go:embed all:dist
var dist embed.FS

// The generated files; gen/main.go says what each one is for.
const (
	Server      = "server.js"
	FlushWorker = "flush-worker.js"
	Verifier    = "verifier.js"
	Models      = "models.js"
	ModelsPlain = "models-plain.js"
	LoopPlain   = "loop-plain.js"
)

// File returns one generated file.
func File(name string) (string, error) {
	b, err := dist.ReadFile("dist/" + name)
	if err != nil {
		return "", fmt.Errorf("runtime/js: %s was not generated: run `go generate ./runtime/js` (make build does)", name)
	}
	return string(b), nil
}

// Must is File for callers that cannot work without it.
func Must(name string) string {
	s, err := File(name)
	if err != nil {
		panic(err)
	}
	return s
}
