package trace

import (
	"encoding/binary"
	"hash/crc32"
)

// FORMAT.md explains the layout that these constants spell out.
const (
	fileMagic   = "KTRACE\x1a"
	version     = 1
	fileHead    = len(fileMagic) + 1
	blockMagic  = "KTBK"
	blockHead   = 36
	blockTarget = 256 << 10 // a block is handed on when it has grown to this
	maxBlock    = 16 << 20  // and one record cannot grow it past this
	maxPart     = 64 << 10  // bodies are recorded in parts of at most this
	ridGap      = 100_000   // ids skipped when the file's last session was cut short
)

const (
	flagFirst  = 1
	flagLast   = 2
	flagStored = 4
)

const (
	recRequest      = 1
	recRequestPart  = 2
	recResponse     = 3
	recResponsePart = 4
	recAbort        = 5
	recUnaudited    = 6
	recReason       = 7
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// head is a block's head; the checksums are computed and checked by put and
// parseHead.
type head struct {
	flags, number, raw, stored, requests, headers, crc uint32
}

func (h *head) put(b []byte) {
	copy(b, blockMagic)
	for i, v := range []uint32{h.flags, h.number, h.raw, h.stored, h.requests, h.headers, h.crc} {
		binary.LittleEndian.PutUint32(b[4+4*i:], v)
	}
	binary.LittleEndian.PutUint32(b[32:], crc32.Checksum(b[:32], castagnoli))
}

// parseHead returns a reason when b is no head of a block.
func parseHead(b []byte) (h head, reason string) {
	if string(b[:4]) != blockMagic {
		return h, "no block starts here (damaged file)"
	}
	if binary.LittleEndian.Uint32(b[32:]) != crc32.Checksum(b[:32], castagnoli) {
		return h, "the head of the block does not match its checksum (damaged file)"
	}
	for i, p := range []*uint32{&h.flags, &h.number, &h.raw, &h.stored, &h.requests, &h.headers, &h.crc} {
		*p = binary.LittleEndian.Uint32(b[4+4*i:])
	}
	switch {
	case h.flags&^(flagFirst|flagLast|flagStored) != 0:
		return h, "the block has flags that this version does not know"
	case h.raw > maxBlock || h.stored > maxBlock:
		return h, "the block is larger than any that a collector writes"
	case h.requests > h.raw || h.headers > h.raw:
		return h, "the block counts more records than it has bytes"
	}
	return h, ""
}
