// Package v1 is version 1 of the advice format: see FORMAT.md beside this file.
// The server's half is runtime/js/server/advice*.ts.
package v1

import (
	"encoding/binary"
	"hash/crc32"

	"karousosc/verifier/advice/record"
)

const (
	Version    = 1
	magic      = "KADVICE"
	blockMagic = "KADV"
	headerSize = 24
	// blockSize is how many bytes of records a block holds, more or less.
	blockSize = 256 << 10
	maxNames  = 4096
	maxIndex  = 1<<31 - 2
	// maxRatio is beyond what deflate can reach: 258 bytes for two bits.
	maxRatio = 1040
)

// How a record names its activation (bits 4 and 5 of its first byte).
const (
	ctxSame       = 0x00
	ctxActivation = 0x10
	ctxRequest    = 0x20
	ctxHandler    = 0x30
	ctxMask       = 0x30
	opMask        = 0x0f
	flagA         = 0x40
	flagB         = 0x80
)

// The first byte of a value or key.
const (
	tagUndefined = iota
	tagNull
	tagFalse
	tagTrue
	tagAbsent
	tagHole
	tagInt
	tagNegative
	tagDouble
	tagString
	tagBigInt
	tagDate
	tagRegExp
	tagError
	tagInitRef
	tagRef
	tagFn
	tagList
	tagDeltaPrev
	tagDelta
	tagBytes
	tagShape
	tagAll
	tagName
	tagFirstName   = 0x20
	tagShortString = 0x40
	tagSmallInt    = 0x80
)

const shortString = 64

// tagSlot is where the table of recent tags keeps t.
func tagSlot(t uint32) uint8 { return uint8(t * 0x9e3779b1 >> 24) }

func crc(b []byte) uint32 { return crc32.ChecksumIEEE(b) }

// Header is a file's preamble.
type Header struct {
	Version int
	BuildID string
	Size    int
}

// ReadHeader reads the preamble that every version begins with. A file that
// ends inside it has Size 0 and no error: the server died that early.
func ReadHeader(name string, data []byte) (Header, error) {
	bad := func(at int, why string) (Header, error) {
		return Header{}, &record.FormatError{File: name, Offset: int64(at), Inside: -1, Reason: why}
	}
	for i := 0; i < len(magic) && i < len(data); i++ {
		if data[i] != magic[i] {
			return bad(0, "this is not an advice file")
		}
	}
	if len(data) < 9 {
		return Header{}, nil
	}
	h := Header{Version: int(data[7])}
	if h.Version != Version {
		return h, &record.FormatError{File: name, Offset: 7, Inside: -1, Reason: "unknown format version"}
	}
	n := 9 + int(data[8])
	if len(data) < n+4 {
		return Header{}, nil
	}
	if binary.LittleEndian.Uint32(data[n:]) != crc(data[:n]) {
		return bad(0, "the preamble's checksum is wrong")
	}
	for _, c := range data[9:n] {
		if c < 0x20 || c > 0x7e {
			return bad(9, "the build id is not plain text")
		}
	}
	h.BuildID, h.Size = string(data[9:n]), n+4
	return h, nil
}
