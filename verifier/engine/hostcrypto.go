package engine

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/pbkdf2"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"strconv"

	"golang.org/x/crypto/scrypt"
)

func number(b []byte) (int, error) {
	n, err := strconv.Atoi(string(b))
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%q is no number", b)
	}
	return n, nil
}

func numbers(args [][]byte) ([]int, error) {
	out := make([]int, len(args))
	for i, a := range args {
		n, err := number(a)
		if err != nil {
			return nil, err
		}
		out[i] = n
	}
	return out, nil
}

func hashOf(name []byte) (func() hash.Hash, error) {
	if newHash(string(name)) == nil {
		return nil, errors.New("no such hash")
	}
	return func() hash.Hash { return newHash(string(name)) }, nil
}

// pbkdf2Key(password, salt, iterations, length, hash)
func pbkdf2Key(args [][]byte) ([]byte, error) {
	if err := want(args, 5); err != nil {
		return nil, err
	}
	n, err := numbers(args[2:4])
	if err != nil {
		return nil, err
	}
	h, err := hashOf(args[4])
	if err != nil {
		return nil, err
	}
	if n[1] == 0 {
		return nil, nil
	}
	return pbkdf2.Key(h, string(args[0]), args[1], n[0], n[1])
}

// scryptKey(password, salt, N, r, p, length)
func scryptKey(args [][]byte) ([]byte, error) {
	if err := want(args, 6); err != nil {
		return nil, err
	}
	n, err := numbers(args[2:])
	if err != nil {
		return nil, err
	}
	return scrypt.Key(args[0], args[1], n[0], n[1], n[2], n[3])
}

// hkdfKey(hash, key, salt, info, length)
func hkdfKey(args [][]byte) ([]byte, error) {
	if err := want(args, 5); err != nil {
		return nil, err
	}
	h, err := hashOf(args[0])
	if err != nil {
		return nil, err
	}
	n, err := number(args[4])
	if err != nil {
		return nil, err
	}
	return hkdf.Key(h, args[1], args[2], string(args[3]), n)
}

// cbc("e" or "d", key, iv, whole blocks)
func cbc(args [][]byte) ([]byte, error) {
	if err := want(args, 4); err != nil {
		return nil, err
	}
	c, err := aes.NewCipher(args[1])
	if err != nil {
		return nil, err
	}
	iv, data := args[2], args[3]
	if len(iv) != aes.BlockSize || len(data)%aes.BlockSize != 0 {
		return nil, errors.New("bad lengths")
	}
	mode := cipher.NewCBCDecrypter(c, iv)
	if string(args[0]) == "e" {
		mode = cipher.NewCBCEncrypter(c, iv)
	}
	mode.CryptBlocks(data, data)
	return data, nil
}

// ctr(key, first counter block, bytes of the key stream to skip, data)
func ctr(args [][]byte) ([]byte, error) {
	if err := want(args, 4); err != nil {
		return nil, err
	}
	c, err := aes.NewCipher(args[0])
	if err != nil {
		return nil, err
	}
	skip, err := number(args[2])
	if err != nil || skip >= aes.BlockSize || len(args[1]) != aes.BlockSize {
		return nil, errors.New("bad lengths")
	}
	s := cipher.NewCTR(c, args[1])
	var none [aes.BlockSize]byte
	s.XORKeyStream(none[:skip], none[:skip])
	s.XORKeyStream(args[3], args[3])
	return args[3], nil
}

// gcm(key, iv, plain text, additional data): the tag.
func gcm(args [][]byte) ([]byte, error) {
	if err := want(args, 4); err != nil {
		return nil, err
	}
	a, _, err := gcmOf(args[0], args[1])
	if err != nil {
		return nil, err
	}
	sealed := a.Seal(nil, args[1], args[2], args[3])
	return sealed[len(args[2]):], nil
}

func gcmOf(key, iv []byte) (a cipher.AEAD, c cipher.Block, err error) {
	if len(iv) == 0 {
		return nil, nil, errors.New("an empty iv")
	}
	if c, err = aes.NewCipher(key); err != nil {
		return nil, nil, err
	}
	a, err = cipher.NewGCMWithNonceSize(c, len(iv))
	return a, c, err
}

// gcmCounter(key, iv): the counter block that GCM's first data block is encrypted with.
func gcmCounter(args [][]byte) ([]byte, error) {
	if err := want(args, 2); err != nil {
		return nil, err
	}
	key, iv := args[0], args[1]
	if len(iv) == 12 {
		return append(iv, 0, 0, 0, 2), nil
	}
	// The first block of the key stream, decrypted, is the counter block.
	a, c, err := gcmOf(key, iv)
	if err != nil {
		return nil, err
	}
	stream := a.Seal(nil, iv, make([]byte, aes.BlockSize), nil)[:aes.BlockSize]
	counter := make([]byte, aes.BlockSize)
	c.Decrypt(counter, stream)
	return counter, nil
}

// keyWrap("e" or "d", key, data) is AES Key Wrap (RFC 3394).
func keyWrap(args [][]byte) ([]byte, error) {
	if err := want(args, 3); err != nil {
		return nil, err
	}
	c, err := aes.NewCipher(args[1])
	if err != nil {
		return nil, err
	}
	check := bytes.Repeat([]byte{0xa6}, 8)
	data := args[2]
	if string(args[0]) == "e" {
		data = append(bytes.Clone(check), data...)
	}
	n := len(data)/8 - 1
	if len(data)%8 != 0 || n < 2 {
		return nil, errors.New("bad lengths")
	}
	a := data[:8]
	var block [aes.BlockSize]byte
	round := func(i, t int, f func(dst, src []byte), before bool) {
		r := data[8*i : 8*i+8]
		copy(block[:8], a)
		copy(block[8:], r)
		if before {
			binary.BigEndian.PutUint64(block[:8], binary.BigEndian.Uint64(block[:8])^uint64(t))
		}
		f(block[:], block[:])
		copy(r, block[8:])
		if !before {
			binary.BigEndian.PutUint64(block[:8], binary.BigEndian.Uint64(block[:8])^uint64(t))
		}
		copy(a, block[:8])
	}
	if string(args[0]) == "e" {
		for t := 1; t <= 6*n; t++ {
			round((t-1)%n+1, t, c.Encrypt, false)
		}
		return data, nil
	}
	for t := 6 * n; t > 0; t-- {
		round((t-1)%n+1, t, c.Decrypt, true)
	}
	if !bytes.Equal(a, check) {
		return nil, errors.New("not wrapped by this key")
	}
	return data[8:], nil
}
