package scenario

import (
	"fmt"
	"strconv"
	"syscall"
)

// Port returns a port that nobody else is given for as long as this process lives,
// so that a server may be started on it, and started again.
//
// A socket is bound to the port and never listens. The kernel gives no bound port
// to those who ask for any port, here or in another process, nor to outgoing
// connections; a server that asks for this very port gets it, since both sockets
// have SO_REUSEADDR, as Node's servers do.
func Port() (string, error) {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return "", fmt.Errorf("cannot reserve a port: %w", err)
	}
	if err := syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1); err != nil {
		return "", fmt.Errorf("cannot reserve a port: %w", err)
	}
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{}); err != nil {
		return "", fmt.Errorf("cannot reserve a port: %w", err)
	}
	addr, err := syscall.Getsockname(fd)
	if err != nil {
		return "", fmt.Errorf("cannot reserve a port: %w", err)
	}
	return strconv.Itoa(addr.(*syscall.SockaddrInet4).Port), nil
}
