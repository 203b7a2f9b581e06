// stream/consumers: programs that ask for it get this in its place, as a module of their own.
'use strict';

async function chunks(stream) {
  const list = [];
  for await (const chunk of stream) list.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  return Buffer.concat(list);
}

async function text(stream) {
  const decoder = new TextDecoder();
  let all = '';
  for await (const chunk of stream) all += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
  return all + decoder.decode(undefined, { stream: false });
}

async function json(stream) {
  return JSON.parse(await text(stream));
}

async function arrayBuffer(stream) {
  const { buffer, byteOffset, byteLength } = await chunks(stream);
  return buffer.slice(byteOffset, byteOffset + byteLength);
}

async function buffer(stream) {
  return Buffer.from(await arrayBuffer(stream));
}

async function blob(stream) {
  return new Blob([await chunks(stream)]);
}

module.exports = { arrayBuffer, blob, buffer, json, text };
