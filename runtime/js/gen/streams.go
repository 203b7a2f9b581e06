package main

import (
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// readableStream brings package readable-stream, which is the streams of Node.js 18, to Node.js 20.
func readableStream(b api.PluginBuild) {
	const streams = `/readable-stream/lib/internal/streams/`
	encoding := [2]string{"  this.defaultEncoding = (options && options.defaultEncoding) || 'utf8'\n", `  const encoding = options ? options.defaultEncoding : null
  if (encoding != null && !Buffer.isEncoding(encoding)) throw new ERR_UNKNOWN_ENCODING(encoding)
  this.defaultEncoding = encoding == null || encoding === 'utf-8' ? 'utf8' : encoding
`}
	const (
		bytes  = "Stream._isUint8Array(chunk)"
		views  = "ArrayBuffer.isView(chunk)"
		kinds  = "['string', 'Buffer', 'Uint8Array']"
		chunks = "['string', 'Buffer', 'TypedArray', 'DataView']"
	)

	// A write that nobody awaits takes no tick, unless it was too much or is of an object; who ends a stream hears of it in
	// a tick of its own; callbacks are given null; whether more may be written is asked after a chunk was; and an
	// encoding says nothing of an object.
	mend(b, streams+`writable\.js$`, [][2]string{
		encoding,
		{"HasInstance(Writable, this)) return new Writable(options)\n", "HasInstance(Writable, this)) return new Writable(options)\n" + listened("close error prefinish finish drain")},
		{`  if (typeof encoding === 'function') {
    cb = encoding
    encoding = state.defaultEncoding
  } else {
    if (!encoding) encoding = state.defaultEncoding
    else if (encoding !== 'buffer' && !Buffer.isEncoding(encoding)) throw new ERR_UNKNOWN_ENCODING(encoding)
    if (typeof cb !== 'function') cb = nop
  }
`, "  if (typeof cb !== 'function') cb = nop\n"},
		{"  } else if (!state.objectMode) {\n", `  } else if (!state.objectMode) {
    if (!encoding) encoding = state.defaultEncoding
    else if (encoding !== 'buffer' && !Buffer.isEncoding(encoding)) throw new ERR_UNKNOWN_ENCODING(encoding)
`},
		{bytes, views},
		{kinds, chunks},
		{"  return _write(this, chunk, encoding, cb) === true\n", `  if (typeof encoding === 'function') {
    cb = encoding
    encoding = null
  }
  return _write(this, chunk, encoding, cb) === true
`},
		{"  // stream._write resets state.length\n  const ret = state.length < state.highWaterMark\n  // We must ensure that previous needDrain will not be reset to false.\n  if (!ret) state.needDrain = true\n", ""},
		{"  return ret && !state.errored && !state.destroyed\n", `  const ret = state.length < state.highWaterMark || state.length === 0
  if (!ret) state.needDrain = true
  return ret && !state.errored && !state.destroyed
`},
		{"    if (sync) {\n      // It is a common case", `    if (sync && cb === nop && (state.afterWritePending || !state.objectMode && !(state.needDrain && state.length === 0))) {
      state.pendingcb--
      if (state.ending) finishMaybe(stream, state, true)
    } else if (sync) {
      state.afterWritePending = true
      // It is a common case`},
		{"  const needDrain = !state.ending", "  state.afterWritePending = false\n  const needDrain = !state.ending"},
		{"    state.pendingcb--\n    cb()", "    state.pendingcb--\n    cb(null)"},
		{"  finishMaybe(stream, state)\n}", "  if (state.ending) finishMaybe(stream, state, true)\n}"},
		{"    onfinishCallbacks[i]()", "    onfinishCallbacks[i](null)"},
		{"    if (err || state.finished) {\n      process.nextTick(cb, err)\n", `    if (err || state.errored || state.finished) {
      process.nextTick(cb, err || state.errored || null)
`},
	})

	// What is no chunk is not pushed; what was asked for stays asked for.
	mend(b, streams+`readable\.js$`, [][2]string{
		encoding,
		{"    ERR_STREAM_UNSHIFT_AFTER_END_EVENT\n", "    ERR_STREAM_UNSHIFT_AFTER_END_EVENT,\n    ERR_UNKNOWN_ENCODING\n"},
		{"  if (!(this instanceof Readable)) return new Readable(options)\n", "  if (!(this instanceof Readable)) return new Readable(options)\n" + listened("close error data end readable")},
		{bytes, views},
		{kinds, chunks},
		{"    errorOrDestroy(stream, err)\n  } else if (chunk === null) {\n", "    errorOrDestroy(stream, err)\n    return false\n  } else if (chunk === null) {\n"},
		{"    state.needReadable = state.length <= state.highWaterMark\n", "    if (state.length <= state.highWaterMark) state.needReadable = true\n"},
		{"  state.needReadable = !state.flowing && !state.ended && state.length <= state.highWaterMark\n", "  if (!state.flowing && !state.ended && state.length <= state.highWaterMark) state.needReadable = true\n"},
		{"      return this[kPaused] !== false\n", "      return this[kPaused] === true\n"},
	})
	// Pending writes of a duplex fail with it.
	mend(b, streams+`duplex\.js$`, [][2]string{
		{"function Duplex(options) {\n  if (!(this instanceof Duplex)) return new Duplex(options)\n", `Duplex.prototype.destroy = Writable.prototype.destroy
function Duplex(options) {
  if (!(this instanceof Duplex)) return new Duplex(options)
` + listened("close error prefinish finish drain data end readable")},
	})
	mend(b, streams+`destroy\.js$`, [][2]string{
		{"      process.nextTick(emitConstructNT, stream)\n", "      stream.emit(kConstruct)\n"},
		{"function emitConstructNT(stream) {\n  stream.emit(kConstruct)\n}\n", ""},
	})
	mend(b, streams+`transform\.js$`, [][2]string{
		{"    if (\n      wState.ended ||\n", "    if (rState.ended) {\n      process.nextTick(callback)\n    } else if (\n      wState.ended ||\n"},
	})
	mend(b, streams+`end-of-stream\.js$`, [][2]string{
		{"    (writableFinished || isWritable(stream) === false)\n  ) {\n", "    (writableFinished || isWritable(stream) === false) &&\n    !(wState && wState.pendingcb)\n  ) {\n"},
	})
	mend(b, streams+`pipeline\.js$`, [][2]string{
		{"    finishImpl(new AbortError())\n", "    finishImpl(new AbortError(undefined, { cause: outerSignal && outerSignal.reason }))\n"},
	})
	mend(b, streams+`compose\.js$`, [][2]string{
		{"    if (onclose === null) {\n      callback(err)\n    } else {\n      onclose = callback\n      if (isNodeStream(tail)) {\n        destroyer(tail, err)\n      }\n    }\n", `    if (isNodeStream(tail)) {
      destroyer(tail, err)
    }
    if (onclose === null) {
      callback(err)
    } else {
      onclose = callback
    }
`},
	})
	mend(b, streams+`from\.js$`, [][2]string{
		{"          const res = value && typeof", "          const res = !isAsync && value && typeof"},
	})
	mend(b, streams+`duplexify\.js$`, [][2]string{
		{"    if (isIterable(value)) {\n", "    if (isDuplexNodeStream(value)) {\n      return value\n    }\n    if (isIterable(value)) {\n"},
	})
	mend(b, streams+`legacy\.js$`, [][2]string{
		{"module.exports = {\n  Stream,", `Stream.prototype.eventNames = function eventNames() {
  return Reflect.ownKeys(this._events).filter((key) => EE.prototype.listenerCount.call(this, key) > 0)
}
module.exports = {
  Stream,`},
	})

	// Errors are those of the models.
	mend(b, `/readable-stream/lib/ours/errors\.js$`, [][2]string{
		{"const codes = {}\n", "const codes = {}\nconst { coded, received } = require('../../../../models/internal/errors')\n"},
		{"  class NodeError extends Base {⋯  codes[code] = NodeError\n", `  codes[code] = function (...args) {
    return coded(Base, code, getMessage(code, message, args))
  }
`},
		{"    if (actual == null) {⋯    return msg\n", "    return `${msg}.${received(actual)}`\n"},
		{"    var _value$constructor\n⋯    return `Expected", "    const type = received(value).slice(' Received '.length)\n    return `Expected"},
		{"    assert(args.length > 0, 'At least one arg needs to be specified')\n    let msg\n", "    assert(args.length > 0, 'At least one arg needs to be specified')\n    let msg = ''\n"},
		{"    args = (Array.isArray(args) ? args : [args]).map((a) => `\"${a}\"`).join(' or ')\n", "    args = args.map((a) => `\"${a}\"`)\n"},
		{"E('ERR_MULTIPLE_CALLBACK',", "E('ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor', TypeError)\nE('ERR_MULTIPLE_CALLBACK',"},
	})
}

// listened gives a stream the events that it is most likely listened for, in Node's order.
func listened(events string) string {
	fields := ""
	for name := range strings.FieldsSeq(events) {
		fields += name + ": undefined, "
	}
	return "  this._events ??= { " + fields + "}\n"
}
