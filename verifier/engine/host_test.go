package engine

import (
	"bufio"
	"bytes"
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/asn1"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/tommie/v8go"
)

// host calls a host function as JavaScript does.
func host(m *machine, name string, args ...string) (out, wrong string) {
	var framed []byte
	for _, a := range args {
		framed = append(binary.LittleEndian.AppendUint32(framed, uint32(len(a))), a...)
	}
	answer := m.answerCall(name, framed)
	if answer[0] == 1 {
		return "", string(answer[1:])
	}
	return string(answer[1:]), ""
}

func unhex(s string) string {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// The published test vectors, and what is refused.
func TestHostFunctions(t *testing.T) {
	key, iv := unhex("2b7e151628aed2a6abf7158809cf4f3c"), unhex("000102030405060708090a0b0c0d0e0f")
	plain, counter := unhex("6bc1bee22e409f96e93d7e117393172a"), unhex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")
	zeros := strings.Repeat("\x00", 16)
	for _, c := range []struct {
		name  string
		args  []string
		out   string // in hex
		wrong string
	}{
		{"pbkdf2", []string{"password", "salt", "1", "20", "sha1"}, "0c60c80f961f0e71f3a9b524af6012062fe037a6", ""},
		{"pbkdf2", []string{"password", "salt", "1", "0", "sha1"}, "", ""},
		{"pbkdf2", []string{"password", "salt", "-1", "20", "sha1"}, "", "no number"},
		{"pbkdf2", []string{"password", "salt", "1", "x", "sha1"}, "", "no number"},
		{"pbkdf2", []string{"password", "salt", "1", "20", "sha9"}, "", "no such hash"},
		{"pbkdf2", []string{"password", "salt", "1", "20"}, "", "4 arguments, not 5"},
		{"scrypt", []string{"", "", "16", "1", "1", "64"}, "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906", ""},
		{"scrypt", []string{"", "", "16", "1", "1", "-1"}, "", "no number"},
		{"scrypt", []string{"", "", "16", "1", "1"}, "", "5 arguments, not 6"},
		{"hkdf", []string{"sha256", strings.Repeat("\x0b", 22), unhex("000102030405060708090a0b0c"), unhex("f0f1f2f3f4f5f6f7f8f9"), "42"}, "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865", ""},
		{"hkdf", []string{"sha9", "", "", "", "1"}, "", "no such hash"},
		{"hkdf", []string{"sha1", "", "", "", ""}, "", "no number"},
		{"hkdf", []string{"sha1"}, "", "1 arguments, not 5"},
		{"cbc", []string{"e", key, iv, plain}, "7649abac8119b246cee98e9b12e9197d", ""},
		{"cbc", []string{"d", key, iv, unhex("7649abac8119b246cee98e9b12e9197d")}, hex.EncodeToString([]byte(plain)), ""},
		{"cbc", []string{"e", key[1:], iv, plain}, "", "invalid key size"},
		{"cbc", []string{"e", key, iv[1:], plain}, "", "bad lengths"},
		{"cbc", []string{"e", key, iv, plain[1:]}, "", "bad lengths"},
		{"cbc", []string{"e", key, iv}, "", "3 arguments, not 4"},
		{"ctr", []string{key, counter, "0", plain}, "874d6191b620e3261bef6864990db6ce", ""},
		{"ctr", []string{key, counter, "15", plain[15:]}, "ce", ""},
		{"ctr", []string{key, counter, "16", plain}, "", "bad lengths"},
		{"ctr", []string{key, counter, "?", plain}, "", "bad lengths"},
		{"ctr", []string{key, counter[1:], "0", plain}, "", "bad lengths"},
		{"ctr", []string{key[1:], counter, "0", plain}, "", "invalid key size"},
		{"ctr", []string{key}, "", "1 arguments, not 4"},
		{"gcm", []string{zeros, zeros[:12], zeros, ""}, "ab6e47d42cec13bdf53a67b21257bddf", ""},
		{"gcm", []string{zeros, "", zeros, ""}, "", "an empty iv"},
		{"gcm", []string{zeros[1:], zeros[:12], zeros, ""}, "", "invalid key size"},
		{"gcm", []string{zeros}, "", "1 arguments, not 4"},
		{"gcmj0", []string{zeros, zeros[:12]}, "00000000000000000000000000000002", ""},
		{"gcmj0", []string{zeros, ""}, "", "an empty iv"},
		{"gcmj0", []string{zeros[1:], zeros[:8]}, "", "invalid key size"},
		{"gcmj0", []string{zeros}, "", "1 arguments, not 2"},
		{"ascii", []string{"grün.example"}, hex.EncodeToString([]byte("xn--grn-ioa.example")), ""},
		{"ascii", []string{"xn--a"}, "", "idna"},
		{"ascii", nil, "", "0 arguments, not 1"},
		{"unicode", []string{"xn--grn-ioa.example"}, hex.EncodeToString([]byte("grün.example")), ""},
		{"unicode", nil, "", "0 arguments, not 1"},
		{"encoding", []string{"utf8"}, hex.EncodeToString([]byte("utf-8\n")), ""},
		{"encoding", []string{"x-user-defined"}, "", "no x-user-defined"},
		{"encoding", []string{"nope"}, "", "htmlindex: invalid encoding name"},
		{"encoding", []string{"\u00a0utf8"}, "", "space around a label"},
		{"encoding", nil, "", "0 arguments, not 1"},
		{"key", []string{"", "pem"}, "", "no PEM"},
		{"key", []string{"-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nAAAA\n-----END RSA PRIVATE KEY-----\n", "pem"}, "", "an encrypted key"},
		{"key", []string{"-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n", "pem"}, "", "an encrypted key"},
		{"key", []string{"-----BEGIN SOMETHING-----\nAAAA\n-----END SOMETHING-----\n", "pem"}, "", "a key of this format"},
		{"key", []string{"x", "certificate"}, "", "x509"},
		{"key", []string{"x"}, "", "1 arguments, not 2"},
		{"sign", []string{"x", "{}", "y"}, "", "asn1"},
		{"sign", []string{"x"}, "", "1 arguments, not 3"},
		{"verify", []string{"x", "{}", "y", "z"}, "", "asn1"},
		{"verify", []string{"x"}, "", "1 arguments, not 4"},
		// RFC 3394, 4.1
		{"wrap", []string{"e", unhex("000102030405060708090a0b0c0d0e0f"), unhex("00112233445566778899aabbccddeeff")}, "1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5", ""},
		{"wrap", []string{"d", unhex("000102030405060708090a0b0c0d0e0f"), unhex("1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5")}, "00112233445566778899aabbccddeeff", ""},
		{"wrap", []string{"d", unhex("000102030405060708090a0b0c0d0e0f"), unhex("1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe4")}, "", "not wrapped by this key"},
		{"wrap", []string{"d", zeros, zeros}, "", "bad lengths"},
		{"wrap", []string{"d", zeros, ""}, "", "bad lengths"},
		{"wrap", []string{"e", zeros, zeros[8:]}, "", "bad lengths"},
		{"wrap", []string{"e", zeros, zeros + "x"}, "", "bad lengths"},
		{"wrap", []string{"e", "", zeros}, "", "invalid key size"},
		{"wrap", nil, "", "0 arguments, not 3"},
		{"agree", []string{"x", "y"}, "", "asn1"},
		{"agree", nil, "", "0 arguments, not 2"},
		{"oaep", []string{"x", "sha256", "", "y"}, "", "asn1"},
		{"oaep", nil, "", "0 arguments, not 4"},
		{"primes", []string{"x"}, "", "asn1"},
		{"primes", nil, "", "0 arguments, not 1"},
		{"brotli", []string{"", "x"}, "", "invalid syntax"},
		{"brotli", []string{""}, "", "1 arguments, not 2"},
		{"file", []string{"a"}, "", "no such file"},
		{"file", nil, "", "0 arguments, not 1"},
		{"files", nil, hex.EncodeToString([]byte("{}")), ""},
		{"nothing", nil, "", "no host function nothing"},
	} {
		out, wrong := host(&machine{}, c.name, c.args...)
		if hex.EncodeToString([]byte(out)) != c.out || (wrong == "") != (c.wrong == "") || !strings.Contains(wrong, c.wrong) {
			t.Errorf("%s%.200q: %x %q, want %s %q", c.name, c.args, out, wrong, c.out, c.wrong)
		}
	}
	for _, framed := range []string{"\x00", "\x00\x00\x00", "\x02\x00\x00\x00x", "\xff\xff\xff\xff"} {
		if got := (&machine{}).answerCall("ascii", []byte(framed)); string(got) != "\x01bad arguments" {
			t.Errorf("%q: %q", framed, got)
		}
	}
}

// A counter block of GCM is where its key stream begins.
func TestCounterOfGCM(t *testing.T) {
	key, iv, plain := strings.Repeat("k", 16), "an iv of some length", "what is encrypted"
	block, err := aes.NewCipher([]byte(key))
	if err != nil {
		t.Fatal(err)
	}
	a, err := cipher.NewGCMWithNonceSize(block, len(iv))
	if err != nil {
		t.Fatal(err)
	}
	counter, wrong := host(&machine{}, "gcmj0", key, iv)
	got, wrong2 := host(&machine{}, "ctr", key, counter, "0", plain)
	if want := a.Seal(nil, []byte(iv), []byte(plain), nil); wrong+wrong2 != "" || got != string(want[:len(plain)]) {
		t.Errorf("%x %s%s, want %x", got, wrong, wrong2, want)
	}
}

func TestBrotliOfAStream(t *testing.T) {
	var packed bytes.Buffer
	w := brotli.NewWriter(&packed)
	w.Write([]byte("some text"))
	w.Close()
	whole := packed.String()
	for _, c := range []struct{ in, most, out string }{
		{whole, "100", "esome text"}, {whole, "9", "msome text"}, {whole, "4", "msome"}, {whole[:len(whole)-1], "100", "m"}, {"\xff\xff\xff", "100", "x"}, {whole + "more", "100", "lsome text"},
	} {
		out, wrong := host(&machine{}, "brotli", c.in, c.most)
		if wrong != "" || out != c.out && !(c.out == "m" && strings.HasPrefix(out, "m")) {
			t.Errorf("%x, at most %s: %q %s, want %q", c.in, c.most, out, wrong, c.out)
		}
	}
}

func TestHostFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "files.json")
	if err := os.WriteFile(file, []byte(`{"files":{"a":{"data":"eHl6","size":3,"mtimeMs":7,"mode":420}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	m := &machine{cfg: workerConfig{Files: file}}
	if out, wrong := host(m, "files"); out != `{"a":{"size":3,"mtimeMs":7,"mode":420}}` {
		t.Error(out, wrong)
	}
	os.Remove(file) // it is read once
	if out, wrong := host(m, "file", "a"); out != "xyz" {
		t.Error(out, wrong)
	}
	m = &machine{cfg: workerConfig{Files: file}}
	for _, name := range []string{"files", "file"} {
		if out, wrong := host(m, name, "a"); !strings.Contains(wrong, "no such file or directory") {
			t.Errorf("%s without the table: %q %q", name, out, wrong)
		}
	}
}

func marshal(t *testing.T, der []byte, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return string(der)
}

// dsaKey is a public key that can be read, but not written.
func dsaKey(t *testing.T) string {
	t.Helper()
	type algorithm struct {
		ID         asn1.ObjectIdentifier
		Parameters struct{ P, Q, G *big.Int }
	}
	one := big.NewInt(1)
	der, err := asn1.Marshal(struct {
		Algorithm algorithm
		Key       asn1.BitString
	}{algorithm{asn1.ObjectIdentifier{1, 2, 840, 10040, 4, 1}, struct{ P, Q, G *big.Int }{one, one, one}}, asn1.BitString{Bytes: []byte{2, 1, 1}, BitLength: 24}})
	return marshal(t, der, err)
}

// Keys come in many forms, and a signature is one of what was signed only.
func TestHostKeys(t *testing.T) {
	r, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	e, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	_, ed, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	x, err := ecdh.X25519().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	spki := func(k any) string { b, err := x509.MarshalPKIXPublicKey(k); return marshal(t, b, err) }
	pkcs8 := func(k any) string { b, err := x509.MarshalPKCS8PrivateKey(k); return marshal(t, b, err) }
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Unix(1<<33, 0)}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, e.Public(), e)
	if err != nil {
		t.Fatal(err)
	}
	sec1, err := x509.MarshalECPrivateKey(e)
	if err != nil {
		t.Fatal(err)
	}
	inPEM := func(kind, der string) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: []byte(der)}))
	}
	for _, c := range []struct {
		key, kind, want string
		public          any
		private         bool
	}{
		{spki(r.Public()), "spki", "rsa 2048 65537", r.Public(), false},
		{string(x509.MarshalPKCS1PublicKey(&r.PublicKey)), "pkcs1-public", "rsa 2048 65537", r.Public(), false},
		{inPEM("RSA PUBLIC KEY", string(x509.MarshalPKCS1PublicKey(&r.PublicKey))), "pem", "rsa 2048 65537", r.Public(), false},
		{string(x509.MarshalPKCS1PrivateKey(r)), "pkcs1", "rsa 2048 65537", r.Public(), true},
		{pkcs8(r), "pkcs8", "rsa 2048 65537", r.Public(), true},
		{string(certificate), "certificate", "ec prime256v1", e.Public(), false},
		{string(sec1), "sec1", "ec prime256v1", e.Public(), true},
		{inPEM("PRIVATE KEY", pkcs8(ed)), "pem", "ed25519", ed.Public(), true},
		{pkcs8(x), "pkcs8", "x25519", x.Public(), true},
	} {
		out, wrong := host(&machine{}, "key", c.key, c.kind)
		var d description
		if err := json.Unmarshal([]byte(out), &d); err != nil {
			t.Errorf("%s: %v %s", c.kind, err, wrong)
			continue
		}
		got := strings.TrimSpace(strings.Join([]string{d.Type, d.Curve}, " "))
		if d.Type == "rsa" {
			got = "rsa 2048 65537"
			if d.Bits != 2048 || d.Exponent != 65537 || len(d.Traditional) == 0 || bytes.Equal(d.Traditional, d.PublicTraditional) == c.private {
				t.Errorf("%s: %+v", c.kind, d)
			}
		}
		if got != c.want || d.Private != c.private || string(d.Public) != spki(c.public) || bytes.Equal(d.Der, d.Public) == c.private {
			t.Errorf("%s: %s %+v", c.kind, got, d)
		}
	}
	if out, wrong := host(&machine{}, "key", dsaKey(t), "spki"); !strings.Contains(wrong, "unsupported: x509: unsupported public key type: *dsa.PublicKey") {
		t.Errorf("DSA: %s %s", out, wrong)
	}
	if out, wrong := host(&machine{}, "key", "x", "pkcs8"); !strings.Contains(wrong, "asn1") {
		t.Errorf("no key: %s %s", out, wrong)
	}

	// What looks like a key may be one to others.
	for _, c := range []struct{ key, kind, wrong string }{
		{"0\x03\x02\x01\x05", "spki", "unsupported: "}, {"0\x03\x02\x01\x05", "pkcs8", "unsupported: "}, {spki(e.Public()) + "more", "spki", "unsupported: "},
		{"-----BEGIN", "pem", "unsupported: "}, {strings.Repeat("0", 1<<20), "pkcs8", "unsupported: a key of this size"}, {"0\x03\x02\x01", "spki", "asn1"}, {"\x02\x01\x05", "spki", "asn1"},
	} {
		if out, wrong := host(&machine{}, "key", c.key, c.kind); !strings.HasPrefix(wrong, c.wrong) {
			t.Errorf("%q: %s %s", c.key, out, wrong)
		}
	}

	const data = "what is signed"
	sum := sha256.Sum256([]byte(data))
	pss := func(salt int) string {
		b, err := rsa.SignPSS(rand.Reader, r, crypto.SHA256, sum[:], &rsa.PSSOptions{SaltLength: salt})
		return marshal(t, b, err)
	}
	der, err := ecdsa.SignASN1(rand.Reader, e, sum[:])
	if err != nil {
		t.Fatal(err)
	}
	var pair struct{ R, S *big.Int }
	if _, err := asn1.Unmarshal(der, &pair); err != nil {
		t.Fatal(err)
	}
	p1363 := make([]byte, 64)
	pair.R.FillBytes(p1363[:32])
	pair.S.FillBytes(p1363[32:])
	signed := func(key any, scheme string) string {
		out, wrong := host(&machine{}, "sign", pkcs8(key), scheme, data)
		if wrong != "" {
			t.Fatal(wrong)
		}
		return out
	}
	for _, c := range []struct {
		name, signature, scheme string
		public                  any
	}{
		{"Ed25519", signed(ed, "{}"), "{}", ed.Public()},
		{"RSA", signed(r, `{"hash":"sha256"}`), `{"hash":"sha256"}`, r.Public()},
		{"PSS", pss(32), `{"hash":"sha256","pss":true,"salt":32}`, r.Public()},
		{"PSS with the longest salt", pss(256 - 2 - 32), `{"hash":"sha256","pss":true,"maxSalt":true}`, r.Public()},
		{"ECDSA", string(der), `{"hash":"sha256"}`, e.Public()},
		{"ECDSA side by side", string(p1363), `{"hash":"sha256","p1363":true}`, e.Public()},
	} {
		ask := func(data, signature string) string {
			out, wrong := host(&machine{}, "verify", spki(c.public), c.scheme, data, signature)
			return out + wrong
		}
		other := c.signature[:10] + string(c.signature[10]^1) + c.signature[11:]
		got := ask(data, c.signature) + ask(data+".", c.signature) + ask(data, other) + ask(data, c.signature[:len(c.signature)-2]) + ask(data, "")
		if got != "10000" {
			t.Errorf("%s: %s", c.name, got)
		}
	}
	for _, c := range []struct{ name, key, scheme, wrong string }{
		{"sign", pkcs8(e), `{"hash":"sha256"}`, "this signature is random"},
		{"sign", pkcs8(r), `{"hash":"sha256","pss":true}`, "this signature is random"},
		{"sign", pkcs8(r), `{"hash":"sha9"}`, "this signature is random"},
		{"sign", pkcs8(r), `{`, "unexpected end"},
		{"verify", spki(r.Public()), `{`, "unexpected end"},
		{"verify", spki(r.Public()), `{"hash":"sha9"}`, "no such hash"},
		{"verify", spki(x.Public()), `{"hash":"sha256"}`, "a key of this type"},
	} {
		args := []string{c.key, c.scheme, data}
		if c.name == "verify" {
			args = append(args, "signature")
		}
		if out, wrong := host(&machine{}, c.name, args...); !strings.Contains(wrong, c.wrong) {
			t.Errorf("%s %s: %x %q, want %s", c.name, c.scheme, out, wrong, c.wrong)
		}
	}
}

// A key goes through its JWK and comes out the same.
func TestKeysAsJWK(t *testing.T) {
	r, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	e, err := ecdsa.GenerateKey(elliptic.P521(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	_, ed, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	x, err := ecdh.X25519().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	describe := func(key, kind string) (d description, wrong string) {
		t.Helper()
		out, wrong := host(&machine{}, "key", key, kind)
		if wrong == "" {
			if err := json.Unmarshal([]byte(out), &d); err != nil {
				t.Fatal(err)
			}
		}
		return d, wrong
	}
	as := func(j jwk) string { b, err := json.Marshal(j); return marshal(t, b, err) }
	var keys []jwk
	for _, key := range []any{r, e, ed, x} {
		der, err := x509.MarshalPKCS8PrivateKey(key)
		d, wrong := describe(marshal(t, der, err), "pkcs8")
		if wrong != "" || d.Foreign {
			t.Fatalf("%T: %s", key, wrong)
		}
		again, wrong := describe(as(d.JWK), "jwk")
		if wrong != "" || !bytes.Equal(again.Der, der) || !again.Private {
			t.Errorf("%T: %s", key, wrong)
		}
		public := jwk{Kty: d.JWK.Kty, Crv: d.JWK.Crv, N: d.JWK.N, E: d.JWK.E, X: d.JWK.X, Y: d.JWK.Y}
		again, wrong = describe(as(public), "jwk")
		if wrong != "" || !bytes.Equal(again.Der, d.Public) || again.Private {
			t.Errorf("public %T: %s", key, wrong)
		}
		// Nobody is told what prime numbers a key that is none has.
		out, wrong := host(&machine{}, "primes", string(der))
		if isRSA := d.Type == "rsa"; (out == "1") != isRSA || (wrong == "") != isRSA {
			t.Errorf("primes of %T: %s %s", key, out, wrong)
		}
		keys = append(keys, d.JWK)
	}
	k, p, o, m := keys[0], keys[1], keys[2], keys[3]
	point := append(append([]byte{4}, p.X...), p.Y...)
	if d, wrong := describe(as(jwk{Kty: "EC", Crv: "P-521", Point: point}), "jwk"); wrong != "" || !bytes.Equal(d.JWK.Y, p.Y) {
		t.Error("a point:", wrong)
	}
	for _, c := range []struct {
		name string
		key  jwk
		want string
	}{
		{"no kind", jwk{}, "no kind of key"},
		{"no modulus", jwk{Kty: "RSA", E: k.E}, "unsupported: an RSA key"},
		{"an even modulus", jwk{Kty: "RSA", N: append(k.N[:len(k.N):len(k.N)], 0), E: k.E}, "unsupported: an RSA key"},
		{"an even exponent", jwk{Kty: "RSA", N: k.N, E: []byte{2}}, "unsupported: an RSA key"},
		{"a long exponent", jwk{Kty: "RSA", N: k.N, E: k.N}, "unsupported: an RSA key"},
		{"a long modulus", jwk{Kty: "RSA", N: make([]byte, 1<<20), E: k.E}, "unsupported: a key of this size"},
		{"no factors", jwk{Kty: "RSA", N: k.N, E: k.E, D: k.D}, "unsupported: an RSA key"},
		{"other factors", jwk{Kty: "RSA", N: k.N, E: k.E, D: k.D, P: k.P, Q: k.P, DP: k.DP, DQ: k.DQ, QI: k.QI}, "unsupported: an RSA key"},
		{"other remainders", jwk{Kty: "RSA", N: k.N, E: k.E, D: k.D, P: k.P, Q: k.Q, DP: k.DQ, DQ: k.DP, QI: k.QI}, "unsupported: an RSA key"},
		{"another private exponent", jwk{Kty: "RSA", N: k.N, E: k.E, D: k.P, P: k.P, Q: k.Q, DP: k.DP, DQ: k.DQ, QI: k.QI}, "unsupported: an RSA key"},
		{"no curve", jwk{Kty: "EC", X: p.X, Y: p.Y}, "unsupported: a key on this curve"},
		{"beside the curve", jwk{Kty: "EC", Crv: p.Crv, X: p.Y, Y: p.X}, "P521 point not on curve"},
		{"far from the curve", jwk{Kty: "EC", Crv: "P-256", X: p.X, Y: p.Y}, "no point of the curve"},
		{"another private number", jwk{Kty: "EC", Crv: p.Crv, X: p.X, Y: p.Y, D: p.X}, "unsupported: a private key of another"},
		{"a long private number", jwk{Kty: "EC", Crv: p.Crv, X: p.X, Y: p.Y, D: append([]byte{1}, p.D...)}, "unsupported: a private key of another"},
		{"half a point", jwk{Kty: "EC", Crv: p.Crv, Point: append([]byte{2}, p.X...)}, "unsupported: a point in this form"},
		{"nowhere", jwk{Kty: "EC", Crv: p.Crv, Point: []byte{0}}, "ecdsa: invalid"},
		{"another curve", jwk{Kty: "OKP", Crv: "Ed448", X: o.X}, "unsupported: a key on this curve"},
		{"a short key", jwk{Kty: "OKP", Crv: "Ed25519", X: o.X[1:]}, "not 32 bytes"},
		{"a short private key", jwk{Kty: "OKP", Crv: "X25519", X: m.X, D: m.D[1:]}, "not 32 bytes"},
	} {
		if _, wrong := describe(as(c.key), "jwk"); !strings.HasPrefix(wrong, c.want) {
			t.Errorf("%s: %q, want %s", c.name, wrong, c.want)
		}
	}
	if _, wrong := describe("[", "jwk"); wrong == "" {
		t.Error("what is no JSON is a key")
	}

	// Both parties of an exchange come to the same.
	for _, j := range []jwk{p, m} {
		d, _ := describe(as(j), "jwk")
		if out, wrong := host(&machine{}, "agree", string(d.Der), string(d.Public)); wrong != "" || len(out) != len(j.X) {
			t.Errorf("%s: %x %s", j.Crv, out, wrong)
		}
	}
	one, _ := describe(as(o), "jwk")
	other, _ := describe(as(m), "jwk")
	if _, wrong := host(&machine{}, "agree", string(one.Der), string(other.Public)); !strings.HasPrefix(wrong, "unsupported: ") {
		t.Error("keys of different types agree:", wrong)
	}

	// What was sealed is opened with the same hash and label only.
	sealed, err := rsa.EncryptOAEP(sha256.New(), rand.Reader, &r.PublicKey, []byte("sealed"), []byte("label"))
	if err != nil {
		t.Fatal(err)
	}
	d, _ := describe(as(k), "jwk")
	for _, c := range []struct{ key, hash, label, want string }{
		{string(d.Der), "sha256", "label", "sealed"}, {string(d.Der), "sha256", "", "crypto/rsa: decryption error"}, {string(d.Der), "sha1", "label", "crypto/rsa: decryption error"},
		{string(d.Der), "sha9", "label", "unsupported: a key or hash of this kind"}, {string(one.Der), "sha256", "label", "unsupported: a key or hash of this kind"},
	} {
		if out, wrong := host(&machine{}, "oaep", c.key, c.hash, c.label, string(sealed)); out+wrong != c.want {
			t.Errorf("%s %s: %q %q, want %s", c.hash, c.label, out, wrong, c.want)
		}
	}
}

// A pair whose numbers suit each other is none if they are not prime.
func TestPairsOfPrimes(t *testing.T) {
	one := big.NewInt(1)
	prime := func(bits int) *big.Int {
		p, err := rand.Prime(rand.Reader, bits)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	e := big.NewInt(65537)
	for {
		p, q := prime(512), new(big.Int).Mul(prime(256), prime(256))
		p1, q1 := new(big.Int).Sub(p, one), new(big.Int).Sub(q, one)
		d := new(big.Int).ModInverse(e, new(big.Int).Mul(p1, q1))
		if n := new(big.Int).Mul(p, q); d != nil && n.BitLen() == 1024 {
			der, err := x509.MarshalPKCS8PrivateKey(&rsa.PrivateKey{PublicKey: rsa.PublicKey{N: n, E: 65537}, D: d, Primes: []*big.Int{p, q}})
			if out, wrong := host(&machine{}, "primes", marshal(t, der, err)); out != "0" {
				t.Errorf("%q %s", out, wrong)
			}
			return
		}
	}
}

// Keys, signatures and texts come from the advice and from requests.
func FuzzHostFunctions(f *testing.F) {
	var names []string
	for name := range hostFunctions {
		switch name {
		case "pbkdf2", "scrypt", "hkdf":
			continue // they take as long as they are told to
		}
		names = append(names, name)
	}
	slices.Sort(names)
	_, ed, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		f.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(ed)
	if err != nil {
		f.Fatal(err)
	}
	for i := range names {
		f.Add(uint8(i), der, []byte("pkcs8"), []byte(`{"hash":"sha256","pss":true}`), []byte("0"))
		f.Add(uint8(i), []byte(`{"kty":"EC","crv":"P-256","x":"AA==","y":"AA==","d":"AA=="}`), []byte("jwk"), []byte("e"), []byte("sha256"))
		f.Add(uint8(i), []byte(`{"kty":"RSA","n":"AQAB","e":"AQAB","d":"AA==","p":"AQ==","q":"AQ=="}`), []byte("jwk"), der, der)
		f.Add(uint8(i), []byte("e"), make([]byte, 16), make([]byte, 16), make([]byte, 24))
	}
	f.Fuzz(func(t *testing.T, which uint8, a, b, c, d []byte) {
		g := hostFunctions[names[int(which)%len(names)]]
		for _, args := range [][][]byte{nil, {a}, {a, b}, {a, b, c}, {a, b, c, d}} {
			own := make([][]byte, len(args))
			for i := range args {
				own[i] = bytes.Clone(args[i])
			}
			g(own)
		}
	})
}

// What JavaScript hands over is not believed to be as long as it says.
func TestHostFunctionsFromJavaScript(t *testing.T) {
	w := start(t, Config{}, `
		const host = $host;
		const bytes = (s) => Uint8Array.from(s, (c) => c.charCodeAt(0));
		const text = (b) => b.reduce((s, c) => s + String.fromCharCode(c), '');
		const long = 'x'.repeat(100000);
		// Something that is longer each time that it is asked.
		const growing = (at) => { let n = 0; return { get length() { return ++n < at ? 0 : 1 << 20; } }; };
		let job;
		function __start(j) { job = j; }
		function __step() { return 0; }
		function __result() { try { return String(eval(job)); } catch (e) { return String(e?.message ?? e); } }`)
	for _, c := range []struct{ job, want string }{
		{`host.hashTexts('md5', 'abc', '3')`, "kAFQmDzST7DWlj99KOF/cg=="},
		{`host.hashTexts('md5', 'abcabc', '3,3')`, "kAFQmDzST7DWlj99KOF/cg==kAFQmDzST7DWlj99KOF/cg=="},
		{`host.hashTexts('md5', '', '')`, ""},
		{`host.hashTexts('md5', 'abc', '2')`, "the lengths do not fit the texts"},
		{`host.hashTexts('md5', 'abc', '4')`, "the lengths do not fit the texts"},
		{`host.hashTexts('md5', 'abc', '-1')`, "the lengths do not fit the texts"},
		{`host.hashTexts('md5', 'abc', 'x,3')`, "the lengths do not fit the texts"},
		{`host.hashTexts('md9', 'abc', '3')`, "no such hash"},
		{`host.hashTexts('md5')`, "hashTexts wants three arguments"},
		{`host.hashBytes('md5', bytes('abc'))`, "kAFQmDzST7DWlj99KOF/cg=="},
		{`host.hashBytes('md9', bytes('abc'))`, "no such hash"},
		{`host.hashBytes('md5', { length: -1 })`, "the length does not fit the buffer"},
		{`host.hashBytes('md5', growing(3))`, "the length does not fit the buffer"},
		{`text(host.call('ascii', [bytes('xn--a.example')])).slice(0, 5)`, "\x01idna"},
		{`text(host.call('ascii', [bytes('example')]))`, "\x00example"},
		{`text(host.call('ascii', []))`, "\x010 arguments, not 1"},
		{`host.call('ascii', [{ length: -10 }])`, "the length does not fit the buffer"},
		{`host.call('pbkdf2', ['p', 's', '1', '300000', 'sha1'].map(bytes)).length`, "300001"}, // an answer that is longer than the buffer
		{`text(host.call('unicode', [bytes(long)])) === '\0' + long`, "true"},
	} {
		if got := run(t, w, c.job); got != c.want {
			t.Errorf("%s: %q, want %q", c.job, got, c.want)
		}
	}
}

// What is no message, or too long for one.
func TestFrames(t *testing.T) {
	frame := func(n uint32, text string) *strings.Reader {
		return strings.NewReader("J" + string(binary.LittleEndian.AppendUint32(nil, n)) + text)
	}
	if kind, payload, err := readFrame(frame(3, "abcdef"), nil); kind != 'J' || string(payload) != "abc" || err != nil {
		t.Errorf("%c %q %v", kind, payload, err)
	}
	for what, r := range map[string]*strings.Reader{"over the limit": frame(maxFrame+1, ""), "EOF": strings.NewReader("J"), "unexpected EOF": frame(3, "ab")} {
		if _, _, err := readFrame(r, nil); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
	}
	part := strings.Repeat("x", maxFrame/8+1)
	if err := writeFrame(bufio.NewWriter(io.Discard), 'J', part, part, part, part, part, part, part, part); err == nil || !strings.Contains(err.Error(), "over the limit") {
		t.Errorf("a long message: %v", err)
	}
	if err := writeFrame(bufio.NewWriter(io.Discard), 'J', part); err != nil {
		t.Error(err)
	}
	for _, text := range []string{"x", strings.Repeat("x", 100)} {
		if err := writeFrame(bufio.NewWriterSize(closedWriter{}, 16), 'J', text); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("a message of %d bytes to nobody: %v", len(text), err)
		}
	}
}

type closedWriter struct{}

func (closedWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// The result of a job is text.
func TestResultThatIsNoText(t *testing.T) {
	w := start(t, Config{}, `function __start() {} function __step() { return 0; } function __result() { return 5; }`)
	var thrown *JSError
	if out, err := w.Run(t.Context(), []byte("x")); !errors.As(err, &thrown) || !strings.Contains(thrown.Message, "must return a string") {
		t.Errorf("%q %v", out, err)
	}
}

// Without a home, code is not kept.
func TestNoFolderForCode(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "")
	if dir := DefaultCodeDir(); dir != "" {
		t.Error(dir)
	}
	t.Setenv("HOME", "/home/of")
	if dir := DefaultCodeDir(); dir != "/home/of/.cache/karousosc/code" {
		t.Error(dir)
	}
}

// What a worker is asked for has to be there.
func TestScriptsThatAreNone(t *testing.T) {
	m := &machine{}
	for _, payload := range []string{"", "name", "name\x00", "name\x00\x00\x00\x00", "name\x00\x02\x00\x00\x00x"} {
		if _, err := m.script([]byte(payload)); err == nil || err.Error() != "bad script" {
			t.Errorf("%q: %v", payload, err)
		}
	}
	m.scripts = make([]*v8go.UnboundScript, 1)
	for _, number := range []string{"", "x", "-1", "1"} {
		if _, err := m.code(number); err == nil || err.Error() != "no such script" {
			t.Errorf("%q: %v", number, err)
		}
	}
}
