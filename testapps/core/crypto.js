'use strict';
const crypto = require('crypto');
const stream = require('stream');
const { promisify } = require('util');

// Keys of this test only.
const rsa = `-----BEGIN PRIVATE KEY-----
MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQCzvg/5kgbOLMqq
QuLXSBQnF0+YSoiDsMDmcUWg+Y4AnGb5tt75/FoCBQsaAD7jPktsd7kalzkWoG0C
0GQ89I7/BsWxQPHL94HUcRQuF59Q9wGGKLwQBX3ALblAOjP6BjkDQxp2MVSQyONx
E+XLKwXl5FyjOGW5y6nbPOVWXhF5zyFRieCj2DNrtng2Z05khDdDHoDeHU0IDZYn
Heh++z6NItbxCLccih8gWH/jgs2FIXI8fsC+MgpwanruCoMeMwW356H3HL+w3A0w
8f7nFbilcMfFBZ/Uwlw45vJYy1B20evm2qpGHMigCn/TGmsPHGgxjs8JF9InOvBp
QL+kQ5+NAgMBAAECggEACjxxc/TPOugdnY8kFH8IGMbQ01sxRZCoF6eNP9LedaXy
jleOAL4QkStg27j2W+IlEPcLfVpt155Ivv+HqdoCl772vLa2XneItwS+kbZqLgX3
GgERXrc1V1+zPFdkNOGsVwV4CRGbn4g1PbAUptqbIiG8bdYtIuTYlkH0TJQcWiur
ajo/T5unRh7x2meQo+565zgr4S42PZ10yWzFfPevws5LoEAqTavWuEvI2x3cIrN5
9dqhIjAdFKAbQAWVLZ05KSj8Fvzf4PNkoZ9nLxrsQSRcURgFAJNVaapu0L1pRtC2
t5g7eXtJfgdgCzbfYuFlIlkW/d5ebM3DC43HysvGWQKBgQDaNK2J48MgyhLfFUJK
aqn5NLmg8KQjWFq+STGNy7yA89WGdaH9drrC5bIN7VIn0RuS+r8IQgYI3ePV2zrT
7AJG6c9H4qsU1LthVlmbJ/3XIjNiQb/7SwmTIuXjKY/4bo2H+54DOnkfcXx0+8D4
p+ss1ulDNyFsRz3ZFpEDDKxMuQKBgQDS3+f6x34cgcNtI3KxL71pPOk3A7Uvh0jp
IDIVVoPHfmBEdU+bL+0RWjgSP87aYI6HfRvJyFe/vhpY/zSjF+Rz8hQVAqE+on4E
uuL2MDo0DtC3ZZVOEnPnSIhBDkIU85rLx4EaF76wCVYD8Q9K8hrRkdAinv3WTSxY
AAdbBAeHdQKBgQCml39Cfix0dTKxNLbWv9ajV3i9gduezI8DJjh6DGkPfpmvvVF+
hM4TjHBDJ8QIeCJ4NY3xjQ60aEvQ8z5Xm6ElaM6DEHATSFMC/n0M8xxeylK2moIr
Jd/agNNIemvbfPP7NMQvrM3ajrc5TRfH/9OR+UY/tfCDjWSPwCXYUS2eqQKBgQCN
mvAjtl0YdYcvPdOh6oYOKmoNmH7OKNGsQwN+0rbxewrYTdKkSp2uvl/S2Whluttb
XocPjGpohxcYVmAZeUzfE1uq9DYlYmavdHQ+kAo1tRExZpTJdZjBYjKlRRbZDPER
EKrAQ9u4SLyrLvBvCn855enXpd6dTvuNKI/H7b/ElQKBgBYDHfhcYiuHtdw8RVYt
/sMaeAbEXmFdUWKMYDQwKOX4uCkieoLdA4tx3zyzcwi0ScWgPtL3Ft+exDWTGBVb
5LSydK4Bu/q8HpCqYj7V43GucSeHI9TJJYrZZwaIQVPI24ueeXQT0oilcxIEoiOe
IaRk45275dIkKe9YqsAgbWI1
-----END PRIVATE KEY-----`;
const ec = `-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIEYfZFhXRKz6zzfWPUWcDln7APR43zznotut9IrXz/DkoAoGCCqGSM49
AwEHoUQDQgAEs/lGm0/DrDrPnleXe1sNhDi9Rr6WANxc8Cgg0v+ymho8EpUxh6kX
AQV+mBv9d44zrVmkQmNE9U1ykmWsvrXeOw==
-----END EC PRIVATE KEY-----`;
const ed = `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIB178cWaReCgMefeH3uaZMjZmKdowVP19QxctPBcRA6m
-----END PRIVATE KEY-----`;
const publicOf = (key) => crypto.createPublicKey(key).export({ type: 'spki', format: 'pem' });
const sha = (s) => crypto.createHash('sha256').update(s).digest();
const failure = (f) => {
  try {
    return f().toString();
  } catch (e) {
    return { name: e.name, message: e.message, code: e.code };
  }
};
const roundtrip = (algorithm, keyLength, ivLength) => (s) => {
  const key = sha('key' + s).subarray(0, keyLength);
  const iv = sha('iv' + s).subarray(0, ivLength);
  const c = crypto.createCipheriv(algorithm, key, iv);
  if (algorithm.endsWith('gcm')) c.setAAD(Buffer.from('header' + s));
  const out = [c.update(s, 'utf8', 'hex'), c.update('0123456789abcdef'.repeat(3), 'utf8', 'hex'), c.update(Buffer.from('tail')).toString('hex'), c.final('hex')];
  const tag = algorithm.endsWith('gcm') ? c.getAuthTag() : Buffer.alloc(0);
  const d = crypto.createDecipheriv(algorithm, key, iv);
  if (algorithm.endsWith('gcm')) d.setAAD(Buffer.from('header' + s)).setAuthTag(tag);
  const back = d.update(out.join(''), 'hex', 'utf8') + d.final('utf8');
  return [out, tag.toString('base64'), back];
};

const refusal = (f) => {
  try {
    const r = f();
    return Buffer.isBuffer(r) ? r.toString('hex') : typeof r === 'object' ? r.constructor.name : r;
  } catch (e) {
    return [e.name, e.code, e.message];
  }
};

module.exports = {
  // Text of a cipher comes in parts, of which the first may end within a character or within three bytes of base64.
  parts: (s) => {
    const [key, iv] = [Buffer.alloc(32, 1), Buffer.alloc(16, 2)];
    return ['utf8', 'base64', 'hex', 'base64url'].flatMap((encoding) =>
      [13, 14, 15, 16].map((n) => {
        const c = crypto.createCipheriv('aes-256-cbc', key, iv);
        const sealed = c.update('x'.repeat(n) + 'ä€🍀' + s, 'utf8', 'base64') + c.final('base64');
        const d = crypto.createDecipheriv('aes-256-cbc', key, iv);
        return [sealed, d.update(sealed, 'base64', encoding), d.final(encoding)];
      }),
    );
  },
  odd: (s) => {
    const [key, iv, other] = [Buffer.alloc(32, 1), Buffer.alloc(16, 2), Buffer.from(s + 'abcd')];
    const cipher = () => crypto.createCipheriv('aes-256-cbc', key, iv);
    const after = (f, ...g) => g.reduce((x, y) => (y(x), x), f());
    return [
      () => crypto.createHash('md5').update(s, 'none').digest('none'),
      () => crypto.createHash('md5').update('a' + s + 'bc'.slice(s.length % 2), 'hex'),
      () => crypto.createHash('md5').update(5),
      () => after(() => crypto.createHash('md5'), (h) => h.digest()).copy(),
      () => crypto.createHmac(5, s),
      () => crypto.createHmac('none', s),
      () => after(() => crypto.createHmac('md5', s), (h) => h.digest()).update(s),
      () => after(() => crypto.createHmac('md5', s), (h) => h.digest()).digest('hex'),
      () => crypto.hash('sha1', 1),
      () => crypto.hash('sha1', s, 'none'),
      () => crypto.hash('none', s),
      () => crypto.hash('md5', s, 'Buffer'),
      () => crypto.randomUUID({ disableEntropyCache: s }),
      () => crypto.randomBytes(1.5).length / 2,
      () => crypto.randomBytes(5, s),
      () => crypto.randomInt(s),
      () => crypto.randomInt(0, 2 ** 48),
      () => crypto.randomInt(-(2 ** 48), 1),
      () => crypto.randomFillSync(Buffer.alloc(4), 5),
      () => crypto.randomFillSync(Buffer.alloc(4), 1, 4),
      () => crypto.randomFill(Buffer.alloc(4), 1, s, () => {}),
      () => crypto.timingSafeEqual(s, other),
      () => crypto.timingSafeEqual(new Uint16Array([1]), Buffer.from([1, 0])),
      () => crypto.hkdf(),
      () => crypto.hkdfSync('sha256', 1),
      () => crypto.hkdfSync('sha256', s, 1),
      () => crypto.pbkdf2(s, s, 1, 5, () => {}),
      () => crypto.scryptSync(s, s, 5, { N: 4, cost: 4 }),
      () => crypto.scryptSync(s, s, 5, { maxmem: -1 }),
      () => cipher().update(s, 'utf8', 'none'),
      () => after(cipher, (c) => c.update(s, 'utf8', 'utf8')).final('hex'),
      () => cipher().update(5),
      () => after(cipher, (c) => c.final()).setAutoPadding(),
      () => cipher().setAAD(other),
      () => crypto.createCipheriv('aes-256-cbc', 5, iv),
      () => crypto.createCipheriv(5),
      () => crypto.createSecretKey(5),
      () => [crypto.getHashes(), crypto.getCiphers(), crypto.getCurves(), Object.keys(crypto.constants).filter((k) => !/^(default|OPENSSL_V)/.test(k))].join(),
    ].map(refusal);
  },
  // Not asked like the others: plain Node lets the next request hear of it (TestStaleErrors).
  'unfit': (s) => [crypto.getCipherInfo('aes-256-gcm', { ivLength: 0 }) === undefined, s],
  known: (s) => [crypto.getCurves(), ...[['AES-128-GCM'], ['aes-256-cbc', {}], [427], ['aes192'], ['id-aes256-gcm', { ivLength: s.length }], ['aes-128-ctr', { ivLength: 16, keyLength: s.length }], [s], [null], [1.5], ['aes128', s], ['aes128', { keyLength: s }], ['aes128', { ivLength: 2 ** 31 }], [2 ** 40]].map((args) => failure(() => JSON.stringify(crypto.getCipherInfo(...args) || null))), crypto.randomBytes(1).length], // which takes away what plain Node leaves of lengths that do not fit
  hashPiped: (s) =>
    new Promise((resolve, reject) => {
      const h = crypto.createHash('sha256');
      stream.Readable.from([s + 'a', Buffer.from('b')]).pipe(h).on('finish', () => resolve([h.digest('hex'), h instanceof stream.Transform])).on('error', reject);
    }),
  hashPipeline: async (s) => {
    const h = crypto.createHmac('sha1', 'key');
    await stream.promises.pipeline(stream.Readable.from([s, 'é']), h);
    return h.read().toString('hex');
  },
  hashSetEncoding: async (s) => {
    const h = crypto.createHash('md5').setEncoding('base64');
    h.write(s || 'x', 'utf8');
    h.end('6162', 'hex');
    const out = [];
    for await (const c of h) out.push(c);
    return out;
  },
  hashes: (s) => ['md5', 'sha1', 'sha224', 'sha256', 'SHA384', 'sha512', 'sha512-256', 'sha3-256', 'RSA-SHA256'].map((a) => crypto.createHash(a).update(s).update('more').digest('hex')),
  hmac: (s) => ['md5', 'sha1', 'sha256', 'sha512'].map((a) => crypto.createHmac(a, s).update('text').digest('base64url') + crypto.createHmac(a, crypto.createSecretKey(Buffer.from(s + 'k'))).update(s).digest('hex')),
  oneshot: (s) => (crypto.hash ? '' : '') + crypto.createHash('sha256').update(s).copy().digest('base64'),
  pbkdf2: async (s) => [crypto.pbkdf2Sync(s, 'salt', 10, 20, 'sha256').toString('hex'), (await promisify(crypto.pbkdf2)('password', s, 7, 33, 'sha512')).toString('hex')],
  scrypt: async (s) => [crypto.scryptSync(s, 'salt', 32, { N: 16, r: 2 }).toString('hex'), (await promisify(crypto.scrypt)(s, 'salt', 16)).toString('base64')],
  hkdf: async (s) => [Buffer.from(crypto.hkdfSync('sha256', s || 'x', 'salt', 'info', 40)).toString('hex'), Buffer.from(await promisify(crypto.hkdf)('sha1', 'key', s, s, 10)).toString('hex')],
  cbc128: roundtrip('aes-128-cbc', 16, 16),
  cbc256: roundtrip('AES-256-CBC', 32, 16),
  ctr192: roundtrip('aes-192-ctr', 24, 16),
  gcm128: roundtrip('aes-128-gcm', 16, 12),
  gcm256: roundtrip('aes-256-gcm', 32, 16),
  cipherstream: async (s) => {
    const c = crypto.createCipheriv('aes-256-cbc', sha(s), sha('iv').subarray(0, 16));
    const chunks = [];
    c.on('data', (x) => chunks.push(x));
    c.write(s);
    c.end('the end');
    await new Promise((resolve) => c.on('end', resolve));
    return Buffer.concat(chunks).toString('hex');
  },
  nopadding: (s) => {
    const c = crypto.createCipheriv('aes-128-cbc', sha(s).subarray(0, 16), Buffer.alloc(16)).setAutoPadding(false);
    return [c.update('0123456789abcdef', 'latin1', 'hex'), failure(() => c.update(s) && c.final())];
  },
  tampered: (s) => {
    const c = crypto.createCipheriv('aes-128-gcm', Buffer.alloc(16), Buffer.alloc(12));
    const out = Buffer.concat([c.update(s + 'x'), c.final()]);
    const d = crypto.createDecipheriv('aes-128-gcm', Buffer.alloc(16), Buffer.alloc(12));
    const tag = c.getAuthTag();
    if (s.length > 3) tag[0] ^= 1;
    d.setAuthTag(tag);
    return failure(() => d.update(out) + d.final());
  },
  badciphers: (s) => [
    failure(() => crypto.createCipheriv('nope', s, s)),
    failure(() => crypto.createCipheriv('aes-128-cbc', s, Buffer.alloc(16))),
    failure(() => crypto.createCipheriv('aes-128-cbc', Buffer.alloc(16), s)),
    failure(() => crypto.createDecipheriv('aes-128-cbc', Buffer.alloc(16), Buffer.alloc(16)).final()),
    failure(() => { const d = crypto.createDecipheriv('aes-128-cbc', Buffer.alloc(16), Buffer.alloc(16)); d.update(sha(s)); return d.final(); }),
    failure(() => { const d = crypto.createCipheriv('aes-128-cbc', Buffer.alloc(16), Buffer.alloc(16)); d.final(); return d.final(); }),
    failure(() => crypto.createCipheriv('aes-128-gcm', Buffer.alloc(16), Buffer.alloc(12)).getAuthTag()),
    failure(() => crypto.pbkdf2Sync(s, s, 0, 10, 'sha1')),
    failure(() => crypto.pbkdf2Sync(s, s, 1, 10, 'nope')),
    failure(() => crypto.scryptSync(s, s, 10, { N: 3 })),
    failure(() => crypto.createSign('nope')),
    failure(() => crypto.createPrivateKey(s)),
    failure(() => crypto.createPublicKey(s)),
    failure(() => crypto.createHash('nope')),
    failure(() => crypto.timingSafeEqual(Buffer.from(s), Buffer.from('two'))),
  ],
  rs256: (s) => {
    const signature = crypto.createSign('RSA-SHA256').update(s).sign(rsa, 'base64');
    const yes = crypto.createVerify('RSA-SHA256').update(s).verify(publicOf(rsa), signature, 'base64');
    const no = crypto.createVerify('RSA-SHA256').update(s + '!').verify(publicOf(rsa), signature, 'base64');
    return [signature, yes, no, crypto.sign('sha512', Buffer.from(s), rsa).toString('hex')];
  },
  ps256: (s) => {
    const key = { key: rsa, padding: crypto.constants.RSA_PKCS1_PSS_PADDING, saltLength: crypto.constants.RSA_PSS_SALTLEN_DIGEST };
    const signature = crypto.createSign('sha256').update(s).sign(key);
    const longest = crypto.sign('sha256', Buffer.from(s), { key: rsa, padding: crypto.constants.RSA_PKCS1_PSS_PADDING });
    return [signature.length, crypto.createVerify('sha256').update(s).verify({ ...key, key: publicOf(rsa) }, signature), crypto.verify('sha256', Buffer.from(s), { key: publicOf(rsa), padding: 6 }, longest)];
  },
  es256: async (s) => {
    const key = crypto.createPrivateKey(ec);
    const a = crypto.createSign('SHA256').update(s).sign(key);
    const b = crypto.createSign('SHA256').update(s).sign({ key, dsaEncoding: 'ieee-p1363' });
    const c = await promisify(crypto.sign)('sha256', Buffer.from(s), key);
    const pub = crypto.createPublicKey(key);
    return [crypto.verify('sha256', Buffer.from(s), pub, a), b.length, crypto.verify('sha256', Buffer.from(s), { key: pub, dsaEncoding: 'ieee-p1363' }, b), crypto.verify('sha256', Buffer.from(s + 'x'), pub, c)];
  },
  ed25519: (s) => {
    const signature = crypto.sign(null, Buffer.from(s), ed);
    return [signature.toString('hex'), crypto.verify(null, Buffer.from(s), publicOf(ed), signature), crypto.verify(null, Buffer.from('x' + s), publicOf(ed), signature)];
  },
  keys: () => [rsa, ec, ed].map((pem) => {
    const key = crypto.createPrivateKey(pem);
    const pub = crypto.createPublicKey(key);
    return [key.type, key.asymmetricKeyType, JSON.stringify(key.asymmetricKeyDetails, (k, v) => (typeof v === 'bigint' ? String(v) : v)), pub.type, publicOf(pem), pub.export({ type: 'spki', format: 'der' }).toString('hex'), key.export({ type: 'pkcs8', format: 'pem' }), key instanceof crypto.KeyObject, crypto.createSecretKey(Buffer.from('abc')).symmetricKeySize];
  }),
  traditional: () => [crypto.createPrivateKey(rsa).export({ type: 'pkcs1', format: 'pem' }), crypto.createPublicKey(rsa).export({ type: 'pkcs1', format: 'pem' }), crypto.createPrivateKey(ec).export({ type: 'sec1', format: 'pem' })],
  subtle: async (s) => [Buffer.from(await crypto.webcrypto.subtle.digest('SHA-256', Buffer.from(s))).toString('hex'), Buffer.from(await globalThis.crypto.subtle.digest({ name: 'sha-512' }, new TextEncoder().encode(s))).toString('hex')],
  random: async () => [crypto.randomBytes(5).toString('hex'), (await promisify(crypto.randomBytes)(6)).toString('hex'), await promisify(crypto.randomInt)(10), crypto.randomInt(3, 9), crypto.randomUUID(), crypto.randomFillSync(Buffer.alloc(4)).toString('hex'), (await promisify(crypto.randomFill)(Buffer.alloc(4))).toString('hex'), crypto.getRandomValues(new Uint8Array(3)).length],
  timingsafe: (s) => crypto.timingSafeEqual(sha(s), sha('two')),
};
