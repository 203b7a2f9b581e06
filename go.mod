module karousosc

go 1.26.8

require (
	github.com/andybalholm/brotli v1.2.0
	github.com/bmatcuk/doublestar/v4 v4.8.1
	github.com/evanw/esbuild v0.28.2
	github.com/grafana/sobek v0.0.0-20260429085637-a66d4790012b
	github.com/klauspost/compress v1.18.0
	github.com/spf13/cobra v1.9.1
	github.com/tommie/v8go v0.34.0
	golang.org/x/crypto v0.45.0
	golang.org/x/mod v0.36.0
	golang.org/x/net v0.47.0
	golang.org/x/text v0.31.0
	pgregory.net/rapid v1.2.0
)

require (
	github.com/go-sourcemap/sourcemap v2.1.4+incompatible // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/spf13/pflag v1.0.6 // indirect
	github.com/tommie/v8go/deps/android_amd64 v0.0.0-20250515043113-5dcc98077472 // indirect
	github.com/tommie/v8go/deps/android_arm64 v0.0.0-20250515043113-5dcc98077472 // indirect
	github.com/tommie/v8go/deps/darwin_amd64 v0.0.0-20250515043113-5dcc98077472 // indirect
	github.com/tommie/v8go/deps/darwin_arm64 v0.0.0-20250515043113-5dcc98077472 // indirect
	github.com/tommie/v8go/deps/linux_amd64 v0.0.0-20250515043113-5dcc98077472 // indirect
	github.com/tommie/v8go/deps/linux_arm64 v0.0.0-20250515043113-5dcc98077472 // indirect
	golang.org/x/sys v0.38.0 // indirect
)
