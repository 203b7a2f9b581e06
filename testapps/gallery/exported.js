'use strict';

// A function of WebAssembly's, which counts in a global of its own:
// (module (global $n (mut i32) (i32.const 0)) (func (export "next") (result i32) global.get $n i32.const 1 i32.add global.set $n global.get $n))

const http = require('http');

const code = Buffer.from('AGFzbQEAAAABBQFgAAF/AwIBAAYGAX8BQQALBwgBBG5leHQAAAoNAQsAIwBBAWokACMACw==', 'base64');
const { next } = new WebAssembly.Instance(new WebAssembly.Module(code)).exports;

http.createServer((req, res) => res.end(`the ${next()}. time`)).listen(process.env.PORT || 3000);
