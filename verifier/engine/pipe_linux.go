package engine

import (
	"os"
	"syscall"
)

// Jobs are hundreds of kilobytes; a pipe holds 64 KiB unless told otherwise,
// which costs a round of wake-ups for each of them. Failure only costs time.
func growPipe(f syscall.Conn) {
	c, err := f.SyscallConn()
	if err != nil {
		return
	}
	c.Control(func(fd uintptr) {
		const setPipeSize = 1031
		syscall.Syscall(syscall.SYS_FCNTL, fd, setPipeSize, 1<<20)
	})
}

// limitData is the backstop behind the watching parent: memory that is asked
// for faster than the parent looks. V8 reserves terabytes of address space, so
// only writable private memory can be limited.
func limitData(n int64) {
	l := syscall.Rlimit{Cur: uint64(n), Max: uint64(n)}
	const rlimitData = 2
	syscall.Setrlimit(rlimitData, &l)
	// Should the machine itself run out, this process goes first.
	os.WriteFile("/proc/self/oom_score_adj", []byte("900"), 0)
}
