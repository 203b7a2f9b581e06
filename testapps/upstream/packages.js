'use strict';

// With well-known packages, as they are.
const axios = require('axios');
const fetch = require('node-fetch');

module.exports = {
  async axios(at) {
    const a = await axios.get(at + '/json', { params: { q: 'ü x' }, headers: { 'X-Sent': 'sent' } });
    return [a.status, a.headers['x-answer'], a.headers.get('content-type'), a.data];
  },
  async axiosPost(at) {
    const client = axios.create({ baseURL: at, timeout: 5000 });
    const [a, b] = await Promise.all([client.post('/echo', { a: [1, 'zwei'] }), client.put('/echo', new URLSearchParams({ b: '2' }))]);
    return [a.data, a.config.method, b.data, b.status];
  },
  async axiosFails(at) {
    const out = [];
    for (const ask of [
      () => axios.get(at + '/missing'),
      () => axios.get('http://127.0.0.1:1/'),
      () => axios.get(at + '/wait?3000', { timeout: 30 }),
      () => axios.get(at + '/json', { maxContentLength: 3 }),
      () => axios.get(at + '/wait?3000', { signal: AbortSignal.timeout(10) }),
    ]) {
      try {
        out.push((await ask()).status);
      } catch (e) {
        out.push([e.name, e.code, e.message, e.response?.status, e.response?.data]);
      }
    }
    return out;
  },
  async axiosMoved(at) {
    const a = await axios.get(at + '/moved');
    const b = await axios.get(at + '/moved', { maxRedirects: 0, validateStatus: () => true });
    return [a.data, a.request.path, b.status, b.headers.location];
  },
  async axiosStream(at, req, res) {
    const a = await axios.get(at + '/slow?stream%20', { responseType: 'stream' });
    a.data.pipe(res);
  },
  async axiosBytes(at) {
    const a = await axios.get(at + '/zipped', { responseType: 'arraybuffer' });
    return [a.data.length, a.data.toString().slice(0, 9), a.headers['content-encoding']];
  },

  async fetch(at) {
    const a = await fetch(at + '/json?f', { headers: { 'X-Sent': 'by fetch' } });
    return [a.status, a.ok, a.headers.get('x-answer'), await a.json()];
  },
  async fetchPost(at) {
    const a = await fetch(at + '/echo', { method: 'POST', body: JSON.stringify({ f: 1 }), headers: { 'Content-Type': 'application/json' } });
    const b = await fetch(at + '/zipped');
    return [await a.text(), a.url === at + '/echo', (await b.text()).length];
  },
  async fetchFails(at) {
    const out = [];
    for (const ask of [() => fetch(at + '/missing'), () => fetch('http://127.0.0.1:1/'), () => fetch(at + '/wait?3000', { timeout: 30 }), () => fetch(at + '/hangup')]) {
      try {
        out.push((await ask()).status);
      } catch (e) {
        out.push([e.name, e.type, e.code, e.message.replace(at, '')]);
      }
    }
    return out;
  },
  async fetchMoved(at) {
    const a = await fetch(at + '/moved');
    return [a.redirected, a.url.replace(at, ''), await a.text()];
  },
  async fetchStream(at, req, res) {
    const a = await fetch(at + '/slow?fetched%20');
    a.body.pipe(res);
  },
};
