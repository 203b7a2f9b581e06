'use strict';

// With well-known packages, as they are.
const got = require('got');
const superagent = require('superagent');

module.exports = {
  async got(at) {
    const a = await got(at + '/json', { searchParams: { g: 1 }, headers: { 'x-sent': 'by got' } });
    return [a.statusCode, a.headers['x-answer'], a.body];
  },
  async gotPost(at) {
    return [await got.post(at + '/echo', { json: { g: [1, 2] } }).json(), await got(at + '/zipped').text().then((t) => t.length)];
  },
  async gotFails(at) {
    const out = [];
    for (const ask of [() => got(at + '/missing', { retry: 0 }), () => got('http://127.0.0.1:1/', { retry: 0 }), () => got(at + '/wait?3000', { timeout: 30, retry: 0 })]) {
      try {
        out.push((await ask()).statusCode);
      } catch (e) {
        out.push([e.name, e.code, e.message.replace(/\d+ms/, '')]);
      }
    }
    return out;
  },

  async superagent(at) {
    const a = await superagent.get(at + '/json').query({ s: 1 }).set('X-Sent', 'by superagent');
    const b = await superagent.post(at + '/echo').send({ s: 2 });
    return [a.status, a.headers['x-answer'], a.body, b.text];
  },
  async superagentFails(at) {
    try {
      await superagent.get(at + '/missing');
      return 'fine';
    } catch (e) {
      return [e.status, e.message, e.response.text];
    }
  },
};
