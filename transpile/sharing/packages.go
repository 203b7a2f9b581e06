package sharing

import "strings"

// PackageOf is the npm package that a file of the build belongs to, or "".
func PackageOf(file string) string {
	parts := strings.Split("/"+file, "/node_modules/")
	if len(parts) == 1 {
		return ""
	}
	names := strings.SplitN(parts[len(parts)-1], "/", 3)
	if strings.HasPrefix(names[0], "@") && len(names) > 1 {
		return names[0] + "/" + names[1]
	}
	return names[0]
}

// own tells the app's own files from those of packages, and from what the bundler
// adds.
func own(file string) bool {
	return file != "" && !strings.Contains(file, ":") && PackageOf(file) == ""
}
