package bundle

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"

	"github.com/evanw/esbuild/pkg/api"
)

// addonLoaders are packages by which others load their native addons, under names that
// only run time shows.
var addonLoaders = []string{"bindings", "node-gyp-build", "@mapbox/node-pre-gyp", "node-pre-gyp", "pkg-prebuilds", "prebuild-install"}

// resolveAddon refuses packages that are native addons, where the app itself asks for one. Packages that
// ask for one often do without.
func (b *bundler) resolveAddon(p api.PluginBuild) func(api.OnResolveArgs) (api.OnResolveResult, error) {
	return func(a api.OnResolveArgs) (api.OnResolveResult, error) {
		none := api.OnResolveResult{}
		if a.PluginData == resolving || b.plain {
			return none, nil
		}
		if isPackage(b.rel(a.Importer)) {
			if slices.Contains(addonLoaders, a.Path) {
				b.warnImporter(a, "loads a native addon (by %s), which cannot be audited; if this runs, it throws", a.Path)
			}
			return none, nil
		}
		r := p.Resolve(a.Path, api.ResolveOptions{Importer: a.Importer, Namespace: a.Namespace, ResolveDir: a.ResolveDir, Kind: a.Kind, PluginData: resolving})
		if len(r.Errors) == 0 && loadsAddon(packageDir.FindString(r.Path)) {
			return refuse("package " + a.Path + " is a native addon, which cannot be audited; use one that is written in JavaScript"), nil
		}
		return none, nil
	}
}

func loadsAddon(dir string) bool {
	var pkg struct{ Dependencies map[string]string }
	text, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if dir == "" || err != nil || json.Unmarshal(text, &pkg) != nil {
		return false
	}
	return slices.ContainsFunc(addonLoaders, func(name string) bool { return pkg.Dependencies[name] != "" })
}
