package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/tommie/v8go"
)

// Compiled code is kept between runs: parsing and compiling an application and
// its packages costs as much as re-executing thousands of its requests. A file
// holds what V8 made of one script, functions that ran at the start included.
// V8 itself rejects code of another version or of other flags; that it is the
// script's code, undamaged, is checked here.

const codeLifetime = 30 * 24 * time.Hour

// DefaultCodeDir is where compiled code is kept for this user, or "".
func DefaultCodeDir() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "karousosc", "code")
}

// codeFile is where the code of a script is, run with these flags.
func codeFile(dir string, flags []string, s Script) string {
	h := sha256.New()
	for _, x := range []string{"1", v8go.Version(), strings.Join(flags, " "), s.Name, s.Source} {
		h.Write(stringAsBytes(x))
		h.Write([]byte{0})
	}
	return filepath.Join(dir, hex.EncodeToString(h.Sum(nil))+".v8")
}

// readCode answers nil unless the file is whole.
func readCode(file string) []byte {
	b, err := os.ReadFile(file)
	if err != nil || len(b) <= sha256.Size {
		return nil
	}
	sum := sha256.Sum256(b[sha256.Size:])
	if string(sum[:]) != string(b[:sha256.Size]) {
		return nil
	}
	return b[sha256.Size:]
}

// writeCode keeps code, and lets go of what nobody has made for a long time.
// It is only for speed, so failing does not matter.
func writeCode(file string, code []byte) {
	dir := filepath.Dir(file)
	if os.MkdirAll(dir, 0o700) != nil {
		return
	}
	sum := sha256.Sum256(code)
	f, err := os.CreateTemp(dir, "new-")
	if err != nil {
		return
	}
	_, err = f.Write(append(sum[:], code...))
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > codeLifetime {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}
