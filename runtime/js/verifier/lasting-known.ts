// What well-known packages keep although no request can tell: caches of what would be
// computed again with the same result, and fields that are written before each use.
// What is not listed here is taken for state, which costs time but is never wrong.

// An object is known by a property of its own that others hardly have.
const objects: { has: string; fields: string[] }[] = [
  // express 4 and router 2 (Express 5): the match of a path, used at once.
  { has: 'regexp', fields: ['params', 'path'] },
  { has: 'matchers', fields: ['params', 'path', 'keys'] },
  // express 4 and 5: what renders templates, and the templates.
  { has: 'mountpath', fields: ['engines', 'cache'] },
  // zod 3: what a schema is made of, found when first used.
  { has: '_def', fields: ['_cached'] },
  // iconv-lite: tables that it loads, and codecs that it makes, when first asked for.
  { has: '_codecDataCache', fields: ['encodings', '_codecDataCache'] },
];

// Variables of packages' modules, with all that is reachable from them.
const variables: { file: RegExp; names?: string[] }[] = [
  // What it makes of a format's text, by the colour of a status.
  { file: /node_modules\/morgan\// },
  { file: /node_modules\/iconv-lite\//, names: ['modules'] },
  { file: /node_modules\/cache-content-type\//, names: ['typeLRUCache'] },
  { file: /node_modules\/constantinople\//, names: ['lastSrc', 'lastOptions', 'lastConstants', 'lastResult', 'lastWasConstant', 'lastSRC', 'lastRes'] },
  { file: /node_modules\/cookies\//, names: ['REGEXP_CACHE'] },
  // The kinds of values, and helpers that it puts there before each use.
  { file: /node_modules\/axios\//, names: ['cache', 'predicates'] },
  { file: /node_modules\/follow-redirects\/debug/, names: ['debug'] },
];

// What Babel calls helpers that replace themselves when they are first called.
const helper = /^_(typeof|getPrototypeOf|setPrototypeOf|isNativeReflectConstruct|construct|wrapNativeSuper|get|set|extends|objectWithoutProperties)$/;

// benignField tells whether a change of o's property k, or of what is in it, is of that kind.
export function benignField(o: object, k: string): boolean {
  return objects.some((x) => x.fields.includes(k) && Object.prototype.hasOwnProperty.call(o, x.has));
}

// benignVariable tells the same of a variable, or of what is in it.
export function benignVariable(where: string, k: string, before: unknown, now: unknown): boolean {
  if (helper.test(k) && typeof before === 'function' && typeof now === 'function') return true;
  return variables.some((x) => (x.names === undefined || x.names.includes(k)) && x.file.test(where));
}
