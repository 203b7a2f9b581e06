'use strict';
const crypto = require('crypto');
const { inspect, promisify, types } = require('util');
const { subtle } = globalThis.crypto;

// Keys of this test only.
const keys = {
  rsa: {
    pub: { kty: 'RSA', n: 'rvy6vHvKiuF-vsXMZfzJSyRmaor2xb8rAfN4JhgFSLBRxvqzZtVT4ljhqO2yYuNJRKayA7Uog4lGO4xcg0CIr3jxph6r8_vUhxoMqkxst-VG7NJsDwJ9tu_rZryJUpEJMDOsFka5lytl13Rqmv5C4BKXLHyfWIS8KLqxU26-8qInrIFtxKD0828Dv5TiF2FicAiVtULgZm2P5z6g3sh9QurYl1Svg2kHPi-YWLfL8hrOM1pffb31r3Dnq7sDMmmfJ8Ta6a8cHStnnv5-64RX5r1G-xW02YhH1Whm4U33qo8aYUmDp--7FQd8neeILI-XZEPTgT_kA04zph_6Wgx76Q', e: 'AQAB' },
    priv: { kty: 'RSA', n: 'rvy6vHvKiuF-vsXMZfzJSyRmaor2xb8rAfN4JhgFSLBRxvqzZtVT4ljhqO2yYuNJRKayA7Uog4lGO4xcg0CIr3jxph6r8_vUhxoMqkxst-VG7NJsDwJ9tu_rZryJUpEJMDOsFka5lytl13Rqmv5C4BKXLHyfWIS8KLqxU26-8qInrIFtxKD0828Dv5TiF2FicAiVtULgZm2P5z6g3sh9QurYl1Svg2kHPi-YWLfL8hrOM1pffb31r3Dnq7sDMmmfJ8Ta6a8cHStnnv5-64RX5r1G-xW02YhH1Whm4U33qo8aYUmDp--7FQd8neeILI-XZEPTgT_kA04zph_6Wgx76Q', e: 'AQAB', d: 'OjGcXICCrEsvnnwjbKtzugSh9r6-MKdRwzVX-Ls2TqUsnRLUxNcfLYBHk6lxEMfrnuQdAXSmw4_MhpM4VQIKMujy3D8JCnvugvubyKrf4Qxj2PBltVwruMHzNFhxBr9rIdedXE8q-2YYWV3C8kaqsOAd3FKZn5ONC7KCtG95GzFbCypbfEd8RqAXHQmh4GDXcTh4wq453NMbGYzEJHEFFpI58DUKAnFJgGUtrVQI8ee4g43LVKNvxh8RuMszb9CeU7Z37xOSMA2GhinH2EHtflR0sxclGlASYIRqq-lTI_IO9T1RWeHV5661dr52-4YGk7r1Er9aTkJ1RJNSvpQFDQ', p: '4qRVdijpTHbPDRXOYRQrpvJ6I7TOS8ybA2zAdZ2KNJeoBHsIyqH1mWWe5EcE1xYA7kGGmOvlN1IChTIRzJWp5qzFC8IpWWybFZDz9dczew3NuIH7DLE79qXRbeHNfm7NzRdx27F37_OkjLR2JpPqmwNJchjX4PbWRyI0RbvNDTs', q: 'xad5uoXGzcFGW5fsvNJ00j3KFz12myqLAYGNvFw1tATOtBYbT5LwOqBOespkwurSj5-gXZeg2iknBNnZLja_Y9wXsU1HhC7Sp3NYX_fz0LYBGrwyssItjvlEjNC04f28H4X0SRPmmB-_INnzdSQ1SDBtI6_i5V8gY0zieDXpmSs', dp: 'Zu1gzoen5Az03SlxD498f5YROBQNuEjUgUqrYP7J3DafnGFPzc6d3itTbLKAFTot9AYYHWzMLUJ2WI0znii9_z-pQTzNUIpNKA8rbBNukszjB48oN0xqQgpuQSvSCkBCAIlMMQy4vmV07l2qZry4R-vHOCTmLYmMKMP031J5vi8', dq: 'tzU8jRrxIskS-VWCV6fQJwylJROQu9UcUgIPKdhi4wFNw_l1yTWPPRhYhlLSQSY-lGhG0ln4_B8HDuUK_V4720koIO1b6_cmxZYSBaqksgHyViC58Z4xcoQ0-T1_XLa_yIx22cH7jWhn1gCQPTWZuddBYsHm0-tv7vtWNEzswU8', qi: 'j_Il3SQ09SVMc5fBGXJtBa-Cb8XfB-toUltiNKD5DxKwSPM5kvGHvUSGhBKC_qtRYsoEKZDVz1WtVIuq-tr0LwTLTsIg0fBqK_X0Rar1oX_uj8ob51j4gNnLOOiMMzY9j-1omnPdPViupgCxZC6MK8LGkjAHAyFRp15OPpWbriM' },
  },
  ec: {
    pub: { kty: 'EC', x: 'vnspjsEZxRAeKcPDyNWA8DjZANSG21c_iyaVSPQ8mro', y: 'cZNiHVsbSnAI_PX7bkCPR1j361kEjnP15xZ5DbjGnC0', crv: 'P-256' },
    priv: { kty: 'EC', x: 'vnspjsEZxRAeKcPDyNWA8DjZANSG21c_iyaVSPQ8mro', y: 'cZNiHVsbSnAI_PX7bkCPR1j361kEjnP15xZ5DbjGnC0', crv: 'P-256', d: 'Le9C2EzFi7PbdpJ2rBFZhBegQ6gzWJ8uleqfCvcdTl4' },
  },
  ec384: {
    pub: { kty: 'EC', x: 'GbdFVrCCIMWn2mTkNXgP4sLjhysQJq5dzh7mhKm6_VswpWhXoUrIO-sOuDTL1H9G', y: 'Wiv0Bg_hxQBkkMukOVf-kvlSK5LrWsWAoEtRDWURWker47ebmFLqU5gNey2YkHX4', crv: 'P-384' },
    priv: { kty: 'EC', x: 'GbdFVrCCIMWn2mTkNXgP4sLjhysQJq5dzh7mhKm6_VswpWhXoUrIO-sOuDTL1H9G', y: 'Wiv0Bg_hxQBkkMukOVf-kvlSK5LrWsWAoEtRDWURWker47ebmFLqU5gNey2YkHX4', crv: 'P-384', d: 'WmObhF8_tPsNBvTiUzpa3YgBGqCKIXKahc8vUuLR0vrEXDImeRvOV8HXNWMdXiE3' },
  },
  ed: {
    pub: { crv: 'Ed25519', x: 'Up66iU8CoGske0heTG2pAFxXAX0LYbAEZxbiWHTeg-0', kty: 'OKP' },
    priv: { crv: 'Ed25519', d: 'sAn7DbIR4k1jVpho34qVAAS_OfQHCKgeKolPJueZYEI', x: 'Up66iU8CoGske0heTG2pAFxXAX0LYbAEZxbiWHTeg-0', kty: 'OKP' },
  },
  x: {
    pub: { crv: 'X25519', x: '-42jx0CXyJofy2lLmjYGEiSH2wlDmuzbDf4dlAtaZm8', kty: 'OKP' },
    priv: { crv: 'X25519', d: '0B6txV92Evsd2qHjaDIkAiRf9Qz6eyHp9R5YY0_MWWg', x: '-42jx0CXyJofy2lLmjYGEiSH2wlDmuzbDf4dlAtaZm8', kty: 'OKP' },
  },
};
const sealed = 'Y9OoWD4nouIkLyYeVP+dOBiBFcfnX27WhtYgYNtTu9lBBKVde2Uy844l4j0HA/g91wAgp6EAbSL0g9R30tmP2gg7NxrkufjsqC7NlgPLuicVLQt9SDSo6iD3YAvBWWNi3+t+NKuecjmIM3V62CUzBMORiYi5fqmpg2s49AnyFxKW50RF5gV7fXdWYAoHbeTXx2VDwLpPsSm44OzHxXbx2/2i42cpNYJwJOIUUPWpfULdCESxPcPjdhNSoDgw7AyC/XZb1difpCiH005JYmG7DrZff9RhZZOZ68g1hQ9IpJFbVKnttjTspY0Xz245wG2222uiWyNQmKMzi5uczEWkgg=='; // by the public RSA key
const bytes = (s) => new TextEncoder().encode(s);
const hex = (b) => Buffer.from(b).toString('hex');
const padded = (s, n) => Buffer.from(s.padEnd(n, '.')).subarray(0, n);
const imported = async (name, algorithm, forPublic, forPrivate) => [
  await subtle.importKey('jwk', keys[name].pub, algorithm, true, forPublic),
  await subtle.importKey('jwk', keys[name].priv, algorithm, true, forPrivate),
];
const failures = async (...all) => {
  const out = [];
  for (const f of all) {
    try {
      out.push(inspect(await f()));
    } catch (e) {
      out.push([e.constructor.name, e.name, e.code, e.message]);
    }
  }
  return out;
};
const signs = (name, algorithm, params) => async (s) => {
  const [pub, priv] = await imported(name, algorithm, ['verify'], ['sign']);
  const signature = await subtle.sign(params, priv, bytes(s));
  const random = /ECDSA|PSS/.test(priv.algorithm.name);
  return [random || hex(signature), signature.byteLength, await subtle.verify(params, pub, signature, bytes(s)), await subtle.verify(params, pub, signature, bytes(s + '!')), await subtle.verify(params, pub, bytes(s), bytes(s))];
};
const derives = (name, algorithm, params) => async () => {
  const [pub, priv] = await imported(name, algorithm, [], ['deriveBits', 'deriveKey']);
  const p = { ...params, public: pub };
  return [hex(await subtle.deriveBits(p, priv, null)), hex(await subtle.deriveBits(p, priv, 13)), await subtle.exportKey('jwk', await subtle.deriveKey(p, priv, { name: 'AES-CBC', length: 128 }, true, ['encrypt']))];
};

module.exports = {
  hmac: async (s) => {
    const key = await subtle.importKey('raw', bytes(s + 'key'), { name: 'HMAC', hash: 'SHA-256' }, true, ['sign', 'verify']);
    const signature = await subtle.sign('HMAC', key, bytes(s));
    return [hex(signature), await subtle.verify('HMAC', key, signature, bytes(s)), await subtle.verify('hmac', key, signature, bytes('one')), await subtle.exportKey('jwk', key), hex(await subtle.exportKey('raw', key)), inspect(key), String(key), types.isCryptoKey(key), key instanceof CryptoKey];
  },
  rsa: signs('rsa', { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }, 'RSASSA-PKCS1-v1_5'),
  pss: signs('rsa', { name: 'RSA-PSS', hash: 'SHA-512' }, { name: 'RSA-PSS', saltLength: 64 }),
  ecdsa: signs('ec', { name: 'ECDSA', namedCurve: 'P-256' }, { name: 'ECDSA', hash: 'SHA-384' }),
  ed25519: signs('ed', 'Ed25519', 'Ed25519'),
  ecdh: derives('ec384', { name: 'ECDH', namedCurve: 'P-384' }, { name: 'ECDH' }),
  x25519: derives('x', 'X25519', { name: 'X25519' }),
  gcm: async (s) => {
    const key = await subtle.importKey('raw', padded(s, 32), 'AES-GCM', false, ['encrypt', 'decrypt']);
    const params = { name: 'AES-GCM', iv: padded(s, 12), additionalData: bytes(s), tagLength: 96 };
    const sealed = await subtle.encrypt(params, key, bytes(s + s));
    const spoilt = new Uint8Array(sealed.slice(0));
    if (s.length > 3) spoilt[0] ^= 1;
    return [hex(sealed), Buffer.from(await subtle.decrypt(params, key, sealed)).toString(), await failures(() => subtle.decrypt(params, key, spoilt), () => subtle.decrypt(params, key, bytes(s)), () => subtle.exportKey('raw', key))];
  },
  cbc: async (s) => {
    const key = await subtle.importKey('jwk', { kty: 'oct', k: padded(s, 16).toString('base64url'), alg: 'A128CBC' }, 'AES-CBC', true, ['encrypt', 'decrypt']);
    const params = { name: 'AES-CBC', iv: padded('iv', 16) };
    const sealed = await subtle.encrypt(params, key, bytes(s + s));
    return [hex(sealed), Buffer.from(await subtle.decrypt(params, key, sealed)).toString(), await failures(() => subtle.decrypt(params, key, padded(s, 15)), () => subtle.decrypt(params, key, padded('x', 16)))];
  },
  ctr: async (s) => {
    const key = await subtle.importKey('raw', padded('key', 24), 'AES-CTR', false, ['encrypt', 'decrypt']);
    const params = { name: 'AES-CTR', counter: padded(s, 16), length: 64 };
    const sealed = await subtle.encrypt(params, key, bytes(s + s));
    return [hex(sealed), Buffer.from(await subtle.decrypt(params, key, sealed)).toString()];
  },
  wrap: async (s) => {
    const wrapping = await subtle.importKey('raw', padded('key', 16), 'AES-KW', false, ['wrapKey', 'unwrapKey']);
    const key = await subtle.importKey('raw', padded(s, 32), { name: 'HMAC', hash: 'SHA-384' }, true, ['sign']);
    const out = [];
    for (const format of ['raw', 'jwk']) {
      const wrapped = await subtle.wrapKey(format, key, wrapping, 'AES-KW');
      const back = await subtle.unwrapKey(format, wrapped, wrapping, 'AES-KW', { name: 'HMAC', hash: 'SHA-384' }, true, ['sign']);
      out.push(hex(wrapped), hex(await subtle.exportKey('raw', back)), await failures(() => subtle.unwrapKey(format, padded('x', 24), wrapping, 'AES-KW', { name: 'HMAC', hash: 'SHA-384' }, true, ['sign'])));
    }
    return out;
  },
  oaep: async (s) => {
    const [, key] = await imported('rsa', { name: 'RSA-OAEP', hash: 'SHA-256' }, [], ['decrypt']);
    return [Buffer.from(await subtle.decrypt('RSA-OAEP', key, Buffer.from(sealed, 'base64'))).toString(), await failures(() => subtle.decrypt('RSA-OAEP', key, bytes(s)))];
  },
  pbkdf2: async (s) => {
    const key = await subtle.importKey('raw', bytes(s), 'PBKDF2', false, ['deriveBits', 'deriveKey']);
    const params = { name: 'PBKDF2', hash: 'SHA-512', salt: bytes('salt'), iterations: 10 };
    return [hex(await subtle.deriveBits(params, key, 256)), await subtle.exportKey('jwk', await subtle.deriveKey(params, key, { name: 'AES-GCM', length: 256 }, true, ['encrypt'])), await failures(() => subtle.deriveBits(params, key, 7), () => subtle.deriveBits({ ...params, iterations: 0 }, key, 8))];
  },
  hkdf: async (s) => {
    const key = await subtle.importKey('raw', bytes('key'), 'HKDF', false, ['deriveBits', 'deriveKey']);
    const params = { name: 'HKDF', hash: 'SHA-256', salt: bytes(s), info: bytes('info') };
    return [hex(await subtle.deriveBits(params, key, 128)), await subtle.exportKey('jwk', await subtle.deriveKey(params, key, { name: 'HMAC', hash: 'SHA-384' }, true, ['sign'])), await failures(() => subtle.deriveBits(params, key, 800000), () => subtle.deriveBits(params, key))];
  },
  formats: async () => {
    const out = [];
    for (const [name, algorithm] of [['rsa', { name: 'RSA-PSS', hash: 'SHA-384' }], ['ec', { name: 'ECDSA', namedCurve: 'P-256' }], ['ed', 'Ed25519']]) {
      const [pub, priv] = await imported(name, algorithm, ['verify'], ['sign']);
      const [spki, pkcs8] = [await subtle.exportKey('spki', pub), await subtle.exportKey('pkcs8', priv)];
      const again = [await subtle.importKey('spki', spki, algorithm, true, ['verify']), await subtle.importKey('pkcs8', pkcs8, algorithm, true, ['sign'])];
      out.push(hex(spki), hex(pkcs8), inspect(again, { depth: 4 }), await subtle.exportKey('jwk', again[0]), await subtle.exportKey('jwk', again[1]));
      if (name !== 'rsa') out.push(inspect(await subtle.importKey('raw', await subtle.exportKey('raw', pub), algorithm, false, ['verify'])));
    }
    return out;
  },
  refusals: async (s) => {
    const key = await subtle.importKey('raw', bytes('key'), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    const hash = { name: 'HMAC', hash: 'SHA-256' };
    return failures(
      () => subtle.sign('HMAC', key, bytes(s)), () => subtle.sign('ECDSA', key, bytes(s)), () => subtle.sign('HMAC', key, s), () => subtle.sign('HMAC'), () => subtle.exportKey('raw', key), () => subtle.exportKey(s, key),
      () => subtle.importKey('raw', bytes(s), 'nope', true, ['sign']), () => subtle.importKey('raw', bytes(s), hash, true, [s]), () => subtle.importKey('raw', bytes(s), 'HMAC', true, ['sign']), () => subtle.importKey('spki', bytes(s), hash, true, ['sign']),
      () => subtle.importKey('raw', bytes(s), 'AES-GCM', true, ['encrypt']), () => subtle.importKey('raw', bytes(''), hash, true, ['sign']), () => subtle.importKey('raw', bytes('x'), hash, true, []),
      () => subtle.importKey('jwk', { kty: s }, hash, true, ['sign']), () => subtle.importKey('jwk', { kty: 'oct', k: 'AA', use: s }, hash, true, ['sign']), () => subtle.importKey('jwk', { kty: 'oct', k: 'AA', alg: s + 'x' }, hash, true, ['sign']),
      () => subtle.importKey('jwk', { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' }, { name: 'ECDSA', namedCurve: 'P-256' }, true, ['verify']), () => subtle.importKey('spki', bytes(s), { name: 'ECDSA', namedCurve: 'P-256' }, true, ['verify']),
      () => subtle.digest(s, bytes(s)), () => subtle.generateKey({ name: 'AES-GCM', length: 5 }, true, ['encrypt']), () => subtle.generateKey('Ed25519', true, ['verify']), () => new CryptoKey(),
      () => crypto.createPublicKey({ key: { kty: s }, format: 'jwk' }), () => crypto.createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' }, format: 'jwk' }), () => crypto.createPrivateKey({ key: keys.ed.pub, format: 'jwk' }), () => crypto.KeyObject.from(s),
      () => crypto.generateKeySync('aes', { length: s.length }), () => crypto.generateKeyPairSync(s, {}), () => crypto.generateKeyPairSync('rsa', { modulusLength: s }),
    );
  },
  objects: async (s) => {
    const out = [];
    for (const name of Object.keys(keys)) {
      const priv = crypto.createPrivateKey({ key: keys[name].priv, format: 'jwk' });
      const pub = crypto.createPublicKey({ key: keys[name].pub, format: 'jwk' });
      out.push(pub.equals(crypto.createPublicKey(priv)), priv.export({ format: 'jwk' }), pub.export({ format: 'jwk' }), priv.export({ type: 'pkcs8', format: 'pem' }), inspect(pub), types.isKeyObject(priv), JSON.stringify(priv));
    }
    for (const key of [crypto.createPrivateKey({ key: keys.rsa.priv, format: 'jwk' }), crypto.createPublicKey({ key: keys.rsa.pub, format: 'jwk' })])
      out.push(crypto.createPublicKey({ key: key.export({ type: 'pkcs1', format: 'der' }), format: 'der', type: 'pkcs1' }).export({ format: 'jwk' }));
    const [pub, priv] = await imported('ed', 'Ed25519', ['verify'], ['sign']);
    const signature = crypto.sign(null, Buffer.from(s), { key: keys.ed.priv, format: 'jwk' });
    return [out, signature.toString('hex'), crypto.verify(null, Buffer.from(s), crypto.KeyObject.from(pub), signature), crypto.sign(null, Buffer.from(s), priv).equals(signature), crypto.KeyObject.from(priv).export({ format: 'jwk' })];
  },
  generated: async (s) => {
    const out = [];
    for (const algorithm of [{ name: 'AES-CTR', length: 192 }, { name: 'HMAC', hash: 'SHA-512' }, { name: 'HMAC', hash: 'SHA-1', length: 24 }]) {
      const key = await subtle.generateKey(algorithm, true, algorithm.hash ? ['sign'] : ['encrypt', 'decrypt']);
      out.push(inspect(key), (await subtle.exportKey('raw', key)).byteLength);
    }
    for (const [algorithm, params] of [[{ name: 'ECDSA', namedCurve: 'P-384' }, { name: 'ECDSA', hash: 'SHA-256' }], ['Ed25519', 'Ed25519']]) {
      const { publicKey, privateKey } = await subtle.generateKey(algorithm, false, ['sign', 'verify']);
      out.push(inspect([publicKey, privateKey]), await subtle.verify(params, publicKey, await subtle.sign(params, privateKey, bytes(s)), bytes(s)));
    }
    return [out, crypto.generateKeySync('hmac', { length: 100 }).symmetricKeySize, (await promisify(crypto.generateKey)('aes', { length: 128 })).export().length];
  },
  pairs: async (s) => {
    const rsa = await promisify(crypto.generateKeyPair)('rsa', { modulusLength: 1024 });
    const ec = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256', publicKeyEncoding: { type: 'spki', format: 'der' }, privateKeyEncoding: { type: 'sec1', format: 'pem' } });
    const ed = crypto.generateKeyPairSync('ed25519', { publicKeyEncoding: { format: 'jwk' } });
    return [crypto.verify('sha256', Buffer.from(s), rsa.publicKey, crypto.sign('sha256', Buffer.from(s), rsa.privateKey)), crypto.createPublicKey(ec.privateKey).export({ type: 'spki', format: 'der' }).equals(ec.publicKey), ed.privateKey.export({ format: 'jwk' }).x === ed.publicKey.x, inspect(rsa)];
  },
};
