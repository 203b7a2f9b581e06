package bundle

import (
	_ "embed"

	"github.com/evanw/esbuild/pkg/api"
)

// written are core modules that need nothing of the platform's own. A program gets them
// as modules of its own, in both builds.
var written = map[string]string{"stream/consumers": consumersJS, "readline": readlineJS, "readline/promises": "module.exports = require('readline').promises"}

//go:embed core/consumers.js
var consumersJS string

//go:embed core/readline.js
var readlineJS string

const writtenModules = "karousosc-core" // their namespace

func (b *bundler) loadWritten(a api.OnLoadArgs) (api.OnLoadResult, error) {
	text := written[a.Path]
	return api.OnLoadResult{Contents: &text, Loader: api.LoaderJS, ResolveDir: b.app.Dir}, nil
}
