package engine

import (
	"bytes"
	"crypto"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/asn1"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
)

// Keys travel as DER: PKIX for public ones, PKCS#8 for private ones.

// description is what JavaScript needs to know of a key.
type description struct {
	Private  bool   `json:"private"`
	Type     string `json:"type"` // as Node calls it
	Bits     int    `json:"bits,omitempty"`
	Exponent int    `json:"exponent,omitempty"`
	Curve    string `json:"curve,omitempty"` // as Node calls it
	// Der is the key itself, Public that of its public part.
	Der    []byte `json:"der"`
	Public []byte `json:"public"`
	// Traditional is the key in the format of its algorithm: PKCS#1 or SEC 1.
	Traditional       []byte `json:"traditional,omitempty"`
	PublicTraditional []byte `json:"publicTraditional,omitempty"`
	// Foreign keys came in an encoding that is not the one given here.
	Foreign bool `json:"foreign,omitempty"`
	JWK     jwk  `json:"jwk"`
}

var curveNames = map[elliptic.Curve]string{elliptic.P224(): "secp224r1", elliptic.P256(): "prime256v1", elliptic.P384(): "secp384r1", elliptic.P521(): "secp521r1"}

// describeKey(key, kind): in PEM, as the numbers of a JWK, or in DER of the kind. What is no key at all is an error; what may
// be one to others is not supported.
func describeKey(args [][]byte) ([]byte, error) {
	if err := want(args, 2); err != nil {
		return nil, err
	}
	key, der, err := readKey(string(args[1]), args[0])
	if err != nil {
		return nil, err
	}
	d := description{}
	public := key
	var errs [3]error
	switch k := key.(type) {
	case *rsa.PrivateKey:
		d.Traditional = x509.MarshalPKCS1PrivateKey(k)
	case *ecdsa.PrivateKey:
		d.Traditional, errs[0] = x509.MarshalECPrivateKey(k)
	}
	if signer, ok := key.(interface{ Public() crypto.PublicKey }); ok {
		d.Private, public = true, signer.Public()
		d.Der, errs[1] = x509.MarshalPKCS8PrivateKey(key)
	}
	d.Public, errs[2] = x509.MarshalPKIXPublicKey(public)
	if err := errors.Join(errs[:]...); err != nil {
		return nil, fmt.Errorf("unsupported: %w", err)
	}
	if !d.Private {
		d.Der = d.Public
	}
	switch p := public.(type) {
	case *rsa.PublicKey:
		d.Type, d.Bits, d.Exponent = "rsa", p.N.BitLen(), p.E
		d.PublicTraditional = x509.MarshalPKCS1PublicKey(p)
		if !d.Private {
			d.Traditional = d.PublicTraditional
		}
	case *ecdsa.PublicKey:
		d.Type, d.Curve = "ec", curveNames[p.Curve]
	case ed25519.PublicKey:
		d.Type = "ed25519"
	case *ecdh.PublicKey:
		d.Type = "x25519"
	default:
		return nil, fmt.Errorf("unsupported: a key of type %T", public)
	}
	d.Foreign = der != nil && !bytes.Equal(der, d.Der) && !bytes.Equal(der, d.Traditional)
	if d.JWK, err = jwkOf(key); err != nil {
		return nil, err
	}
	return json.Marshal(d)
}

// readKey answers a key, and its encoding if it came in one.
func readKey(kind string, data []byte) (key any, der []byte, err error) {
	if len(data) > 32*mostKeyBytes {
		return nil, nil, errors.New("unsupported: a key of this size")
	}
	switch kind {
	case "jwk":
		key, err = parseJWK(data)
		return key, nil, err
	case "pem":
		block, _ := pem.Decode(data)
		if block == nil {
			if bytes.Contains(data, []byte("-----BEGIN")) {
				return nil, nil, errors.New("unsupported: a key in PEM of this form")
			}
			return nil, nil, errors.New("no PEM")
		}
		if block.Headers["Proc-Type"] != "" || block.Type == "ENCRYPTED PRIVATE KEY" {
			return nil, nil, errors.New("unsupported: an encrypted key")
		}
		data, kind = block.Bytes, map[string]string{"PUBLIC KEY": "spki", "RSA PUBLIC KEY": "pkcs1-public", "CERTIFICATE": "certificate",
			"PRIVATE KEY": "pkcs8", "RSA PRIVATE KEY": "pkcs1", "EC PRIVATE KEY": "sec1"}[block.Type]
	}
	key, err = parseKey(kind, data)
	if err != nil {
		// What is a sequence may be a key of a kind that is unknown here.
		var whole asn1.RawValue
		if _, bad := asn1.Unmarshal(data, &whole); bad == nil && whole.Tag == asn1.TagSequence {
			err = fmt.Errorf("unsupported: %w", err)
		}
	}
	if kind == "certificate" {
		data = nil
	}
	return key, data, err
}

func parseKey(kind string, der []byte) (any, error) {
	switch kind {
	case "spki":
		return x509.ParsePKIXPublicKey(der)
	case "pkcs1-public":
		return x509.ParsePKCS1PublicKey(der)
	case "certificate":
		c, err := x509.ParseCertificate(der)
		if err != nil {
			return nil, err
		}
		return c.PublicKey, nil
	case "pkcs8":
		return x509.ParsePKCS8PrivateKey(der)
	case "pkcs1":
		return x509.ParsePKCS1PrivateKey(der)
	case "sec1":
		return x509.ParseECPrivateKey(der)
	}
	return nil, errors.New("unsupported: a key of this format")
}

// scheme is how a signature is made; the JSON of it comes with each call.
type scheme struct {
	Hash    string `json:"hash"` // "" for Ed25519
	PSS     bool   `json:"pss"`
	Salt    int    `json:"salt"`    // of PSS: as in crypto/rsa
	MaxSalt bool   `json:"maxSalt"` // the longest salt that the key has room for
	P1363   bool   `json:"p1363"`   // ECDSA: both numbers side by side
}

var hashNames = map[string]crypto.Hash{
	"md5": crypto.MD5, "sha1": crypto.SHA1, "sha224": crypto.SHA224, "sha256": crypto.SHA256, "sha384": crypto.SHA384, "sha512": crypto.SHA512,
	"sha512-224": crypto.SHA512_224, "sha512-256": crypto.SHA512_256, "sha3-224": crypto.SHA3_224, "sha3-256": crypto.SHA3_256, "sha3-384": crypto.SHA3_384, "sha3-512": crypto.SHA3_512,
}

func (s scheme) sum(data []byte) (crypto.Hash, []byte, error) {
	h := newHash(s.Hash)
	if h == nil {
		return 0, nil, errors.New("no such hash")
	}
	h.Write(data)
	return hashNames[s.Hash], h.Sum(nil), nil
}

func (s scheme) pss(h crypto.Hash, bits int) *rsa.PSSOptions {
	o := &rsa.PSSOptions{Hash: h, SaltLength: s.Salt}
	if s.MaxSalt {
		o.SaltLength = (bits-1+7)/8 - 2 - h.Size()
	}
	return o
}

func schemeOf(b []byte) (s scheme, err error) {
	err = json.Unmarshal(b, &s)
	return s, err
}

// signWith(private key, scheme, data): for schemes whose signature is determined.
func signWith(args [][]byte) ([]byte, error) {
	if err := want(args, 3); err != nil {
		return nil, err
	}
	key, err := x509.ParsePKCS8PrivateKey(args[0])
	if err != nil {
		return nil, err
	}
	s, err := schemeOf(args[1])
	if err != nil {
		return nil, err
	}
	switch k := key.(type) {
	case ed25519.PrivateKey:
		return ed25519.Sign(k, args[2]), nil
	case *rsa.PrivateKey:
		h, sum, err := s.sum(args[2])
		if err != nil || s.PSS {
			return nil, errors.New("unsupported: this signature is random")
		}
		signature, err := rsa.SignPKCS1v15(rand.Reader, k, h, sum)
		if err != nil {
			return nil, fmt.Errorf("unsupported: %w", err)
		}
		return signature, nil
	}
	return nil, errors.New("unsupported: this signature is random")
}

// verifyWith(public key, scheme, data, signature) answers "1" or "0".
func verifyWith(args [][]byte) ([]byte, error) {
	if err := want(args, 4); err != nil {
		return nil, err
	}
	key, err := x509.ParsePKIXPublicKey(args[0])
	if err != nil {
		return nil, err
	}
	s, err := schemeOf(args[1])
	if err != nil {
		return nil, err
	}
	yes := func(ok bool) ([]byte, error) {
		if ok {
			return []byte("1"), nil
		}
		return []byte("0"), nil
	}
	// What is wrong with the key makes no signature invalid.
	valid := func(err error) ([]byte, error) {
		if err != nil && !errors.Is(err, rsa.ErrVerification) {
			return nil, fmt.Errorf("unsupported: %w", err)
		}
		return yes(err == nil)
	}
	data, signature := args[2], args[3]
	if k, ok := key.(ed25519.PublicKey); ok {
		return yes(ed25519.Verify(k, data, signature))
	}
	h, sum, err := s.sum(data)
	if err != nil {
		return nil, err
	}
	switch k := key.(type) {
	case *rsa.PublicKey:
		if s.PSS {
			return valid(rsa.VerifyPSS(k, h, sum, signature, s.pss(h, k.N.BitLen())))
		}
		return valid(rsa.VerifyPKCS1v15(k, h, sum, signature))
	case *ecdsa.PublicKey:
		if s.P1363 {
			n := (k.Curve.Params().N.BitLen() + 7) / 8
			if len(signature) != 2*n {
				return yes(false)
			}
			r, t := new(big.Int).SetBytes(signature[:n]), new(big.Int).SetBytes(signature[n:])
			return yes(ecdsa.Verify(k, sum, r, t))
		}
		return yes(ecdsa.VerifyASN1(k, sum, signature))
	}
	return nil, errors.New("unsupported: a key of this type")
}

// agree(private key, public key): what both parties of a Diffie-Hellman exchange come to.
func agree(args [][]byte) ([]byte, error) {
	if err := want(args, 2); err != nil {
		return nil, err
	}
	key, err := x509.ParsePKCS8PrivateKey(args[0])
	if err != nil {
		return nil, err
	}
	other, err := x509.ParsePKIXPublicKey(args[1])
	if err != nil {
		return nil, err
	}
	if k, ok := key.(*ecdsa.PrivateKey); ok {
		if key, err = k.ECDH(); err != nil {
			return nil, err
		}
	}
	if k, ok := other.(*ecdsa.PublicKey); ok {
		if other, err = k.ECDH(); err != nil {
			return nil, err
		}
	}
	k, ok1 := key.(*ecdh.PrivateKey)
	p, ok2 := other.(*ecdh.PublicKey)
	if !ok1 || !ok2 {
		return nil, errors.New("unsupported: keys of these types")
	}
	return k.ECDH(p)
}

// decryptOAEP(private key, hash, label, data)
func decryptOAEP(args [][]byte) ([]byte, error) {
	if err := want(args, 4); err != nil {
		return nil, err
	}
	key, err := x509.ParsePKCS8PrivateKey(args[0])
	if err != nil {
		return nil, err
	}
	h := newHash(string(args[1]))
	k, ok := key.(*rsa.PrivateKey)
	if h == nil || !ok {
		return nil, errors.New("unsupported: a key or hash of this kind")
	}
	out, err := rsa.DecryptOAEP(h, nil, k, args[3], args[2])
	if err != nil && !errors.Is(err, rsa.ErrDecryption) {
		return nil, fmt.Errorf("unsupported: %w", err)
	}
	return out, err
}
