package engine

import (
	"bytes"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
)

// jwk is the numbers of a key as JWK has them (RFC 7518), as bytes.
type jwk struct {
	Kty string `json:"kty"`
	Crv string `json:"crv,omitempty"`
	N   []byte `json:"n,omitempty"`
	E   []byte `json:"e,omitempty"`
	D   []byte `json:"d,omitempty"`
	P   []byte `json:"p,omitempty"`
	Q   []byte `json:"q,omitempty"`
	DP  []byte `json:"dp,omitempty"`
	DQ  []byte `json:"dq,omitempty"`
	QI  []byte `json:"qi,omitempty"`
	X   []byte `json:"x,omitempty"`
	Y   []byte `json:"y,omitempty"`
	// Point is x and y together, as keys are exchanged.
	Point []byte `json:"point,omitempty"`
}

// Of larger keys the arithmetic would take too long.
const mostKeyBytes = 16384 / 8

var jwkCurves = map[string]elliptic.Curve{"P-256": elliptic.P256(), "P-384": elliptic.P384(), "P-521": elliptic.P521()}

func parseJWK(text []byte) (any, error) {
	var j jwk
	if err := json.Unmarshal(text, &j); err != nil {
		return nil, err
	}
	for _, b := range [][]byte{j.N, j.E, j.D, j.P, j.Q, j.X, j.Y, j.Point} {
		if len(b) > mostKeyBytes {
			return nil, errors.New("unsupported: a key of this size")
		}
	}
	switch j.Kty {
	case "RSA":
		return j.rsa()
	case "EC":
		return j.ec()
	case "OKP":
		return j.okp()
	}
	return nil, errors.New("no kind of key")
}

// rsa: others take whatever numbers they are given for a key.
func (j jwk) rsa() (any, error) {
	odd := errors.New("unsupported: an RSA key of these numbers")
	number := func(b []byte) *big.Int { return new(big.Int).SetBytes(b) }
	e := number(j.E)
	public := rsa.PublicKey{N: number(j.N)}
	if !e.IsInt64() || e.Int64() < 3 || e.Int64() > 1<<31-1 || e.Bit(0) == 0 || public.N.BitLen() < 512 || public.N.Bit(0) == 0 {
		return nil, odd
	}
	public.E = int(e.Int64())
	if j.D == nil {
		return &public, nil
	}
	k := &rsa.PrivateKey{PublicKey: public, D: number(j.D), Primes: []*big.Int{number(j.P), number(j.Q)}}
	if k.Primes[0].Cmp(big.NewInt(2)) < 0 || k.Primes[1].Cmp(big.NewInt(2)) < 0 {
		return nil, odd
	}
	if err := k.Validate(); err != nil {
		return nil, fmt.Errorf("%w: %w", odd, err)
	}
	k.Precompute()
	for i, n := range []*big.Int{k.Precomputed.Dp, k.Precomputed.Dq, k.Precomputed.Qinv} {
		if n == nil || n.Cmp(number([][]byte{j.DP, j.DQ, j.QI}[i])) != 0 {
			return nil, odd
		}
	}
	return k, nil
}

func (j jwk) ec() (any, error) {
	curve, ok := jwkCurves[j.Crv]
	if !ok {
		return nil, errors.New("unsupported: a key on this curve")
	}
	size := (curve.Params().BitSize + 7) / 8
	point := j.Point
	if point == nil {
		x, y := bytes.TrimLeft(j.X, "\x00"), bytes.TrimLeft(j.Y, "\x00")
		if len(x) > size || len(y) > size {
			return nil, errors.New("no point of the curve")
		}
		point = make([]byte, 1+2*size)
		point[0] = 4
		copy(point[1+size-len(x):], x)
		copy(point[1+2*size-len(y):], y)
	} else if len(point) > 0 && point[0] != 4 && point[0] != 0 {
		return nil, errors.New("unsupported: a point in this form")
	}
	public, err := ecdsa.ParseUncompressedPublicKey(curve, point)
	if err != nil || j.D == nil {
		return public, err
	}
	d := bytes.TrimLeft(j.D, "\x00")
	if len(d) > size {
		return nil, errors.New("unsupported: a private key of another curve")
	}
	k, err := ecdsa.ParseRawPrivateKey(curve, append(make([]byte, size-len(d)), d...))
	if err != nil || !k.PublicKey.Equal(public) {
		return nil, errors.New("unsupported: a private key of another public key")
	}
	return k, nil
}

func (j jwk) okp() (any, error) {
	if j.Crv != "Ed25519" && j.Crv != "X25519" {
		return nil, errors.New("unsupported: a key on this curve")
	}
	b := j.X
	if j.D != nil {
		b = j.D
	}
	if len(b) != 32 {
		return nil, errors.New("not 32 bytes")
	}
	switch {
	case j.Crv == "Ed25519" && j.D != nil:
		return ed25519.NewKeyFromSeed(b), nil
	case j.Crv == "Ed25519":
		return ed25519.PublicKey(b), nil
	case j.D != nil:
		return ecdh.X25519().NewPrivateKey(b)
	}
	return ecdh.X25519().NewPublicKey(b)
}

// jwkOf is the JWK of a key, with its private part if it has one.
func jwkOf(key any) (jwk, error) {
	switch k := key.(type) {
	case *rsa.PublicKey:
		return jwk{Kty: "RSA", N: k.N.Bytes(), E: big.NewInt(int64(k.E)).Bytes()}, nil
	case *rsa.PrivateKey:
		if len(k.Primes) != 2 {
			return jwk{}, errors.New("unsupported: a key of several primes")
		}
		k.Precompute()
		if k.Precomputed.Dp == nil || k.Precomputed.Dq == nil || k.Precomputed.Qinv == nil {
			return jwk{}, errors.New("unsupported: an RSA key of these numbers")
		}
		j, err := jwkOf(&k.PublicKey)
		j.D, j.P, j.Q = k.D.Bytes(), k.Primes[0].Bytes(), k.Primes[1].Bytes()
		j.DP, j.DQ, j.QI = k.Precomputed.Dp.Bytes(), k.Precomputed.Dq.Bytes(), k.Precomputed.Qinv.Bytes()
		return j, err
	case *ecdsa.PublicKey:
		point, err := k.Bytes()
		if err != nil {
			return jwk{}, err
		}
		size := len(point) / 2
		return jwk{Kty: "EC", Crv: k.Params().Name, X: point[1 : 1+size], Y: point[1+size:]}, nil
	case *ecdsa.PrivateKey:
		j, err := jwkOf(&k.PublicKey)
		if err == nil {
			j.D, err = k.Bytes()
		}
		return j, err
	case ed25519.PublicKey:
		return jwk{Kty: "OKP", Crv: "Ed25519", X: k}, nil
	case ed25519.PrivateKey:
		return jwk{Kty: "OKP", Crv: "Ed25519", X: k[32:], D: k.Seed()}, nil
	case *ecdh.PublicKey:
		return jwk{Kty: "OKP", Crv: "X25519", X: k.Bytes()}, nil
	case *ecdh.PrivateKey:
		return jwk{Kty: "OKP", Crv: "X25519", X: k.PublicKey().Bytes(), D: k.Bytes()}, nil
	}
	return jwk{}, fmt.Errorf("unsupported: a key of type %T", key)
}

// primes(RSA key in PKCS#8) answers "1" if its factors are prime.
func primes(args [][]byte) ([]byte, error) {
	if err := want(args, 1); err != nil {
		return nil, err
	}
	key, err := x509.ParsePKCS8PrivateKey(args[0])
	if err != nil {
		return nil, err
	}
	k, ok := key.(*rsa.PrivateKey)
	if !ok || k.N.BitLen() > 8*mostKeyBytes {
		return nil, errors.New("unsupported: a key of this type or size")
	}
	for _, p := range k.Primes {
		if !p.ProbablyPrime(8) {
			return []byte("0"), nil
		}
	}
	return []byte("1"), nil
}
