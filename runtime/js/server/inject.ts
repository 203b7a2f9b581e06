// The free name `process` in the server's runtime: Node's. The program finds one of its own in the global object.
const own = globalThis.process;
export { own as process };
