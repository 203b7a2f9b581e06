'use strict';
// Keys that requests keep in shared state, as JWK, and read while they are imported.
const http = require('http');
const crypto = require('crypto');
const { subtle } = globalThis.crypto;

// Keys of this test only.
const keys = {
  rsa: { kty: 'RSA', n: 'rvy6vHvKiuF-vsXMZfzJSyRmaor2xb8rAfN4JhgFSLBRxvqzZtVT4ljhqO2yYuNJRKayA7Uog4lGO4xcg0CIr3jxph6r8_vUhxoMqkxst-VG7NJsDwJ9tu_rZryJUpEJMDOsFka5lytl13Rqmv5C4BKXLHyfWIS8KLqxU26-8qInrIFtxKD0828Dv5TiF2FicAiVtULgZm2P5z6g3sh9QurYl1Svg2kHPi-YWLfL8hrOM1pffb31r3Dnq7sDMmmfJ8Ta6a8cHStnnv5-64RX5r1G-xW02YhH1Whm4U33qo8aYUmDp--7FQd8neeILI-XZEPTgT_kA04zph_6Wgx76Q', e: 'AQAB' },
  ec: { kty: 'EC', x: 'vnspjsEZxRAeKcPDyNWA8DjZANSG21c_iyaVSPQ8mro', y: 'cZNiHVsbSnAI_PX7bkCPR1j361kEjnP15xZ5DbjGnC0', crv: 'P-256' },
  ed: { crv: 'Ed25519', x: 'Up66iU8CoGske0heTG2pAFxXAX0LYbAEZxbiWHTeg-0', kty: 'OKP' },
};

const store = new Map();
const options = { hash: 'SHA-256', uses: ['verify'], changes: 0 };
const algorithm = (name) => (name === 'rsa' ? { name: 'RSASSA-PKCS1-v1_5', hash: options.hash } : name === 'ec' ? { name: 'ECDSA', namedCurve: 'P-256' } : 'Ed25519');

const routes = {
  put(name) {
    store.set(name, { ...keys[name], use: 'sig', asked: 0 });
  },
  drop: (name) => store.delete(name),
  hash(name) {
    options.hash = name;
    return ++options.changes;
  },
  async import(name) {
    const jwk = store.get(name);
    if (!jwk) return 'none';
    jwk.asked++;
    const key = await subtle.importKey('jwk', jwk, algorithm(name), true, options.uses);
    return [jwk.asked, key.algorithm.hash, (await subtle.exportKey('jwk', key)).x];
  },
  create(name) {
    const jwk = store.get(name);
    if (!jwk) return 'none';
    return [crypto.createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' }), crypto.verify('sha256', Buffer.from('x'), { key: jwk, format: 'jwk' }, Buffer.alloc(64))];
  },
};

http.createServer(async (req, res) => {
  const [, what, name] = req.url.split('/');
  res.end(JSON.stringify((await routes[what](name)) ?? null));
}).listen(process.env.PORT || 3000);
