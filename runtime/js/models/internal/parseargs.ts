// util.parseArgs. What the arguments are is npm's to say, as of the same code as Node's own; what may be asked for, what
// options mean and Node's words are here, where Node.js 20 is ahead of the package.
import process from '../process';
import { coded, invalidType, invalidValue } from './errors';

interface Config {
  args: any;
  strict: any;
  allowPositionals: any;
  tokens: any;
  allowNegative: any;
  options: any;
}

const own = (o: any, k: string): any => (Object.hasOwn(o, k) ? o[k] : undefined);
const ofOption = (options: any, name: string, k: string): any => (Object.hasOwn(options, name) ? own(options[name], k) : undefined);

const isObject = (v: any): boolean => v !== null && typeof v === 'object' && !Array.isArray(v);

function check(type: 'boolean' | 'string' | 'object', value: any, name: string): void {
  if (type === 'object' ? !isObject(value) : typeof value !== type) throw invalidType(name, 'of type ' + type, value);
}

function checkList(type: 'boolean' | 'string', value: any, name: string): void {
  if (!Array.isArray(value)) throw invalidType(name, 'an instance of Array', value);
  for (let i = 0; i < value.length; i++) check(type, value[i], `${name}[${i}]`);
}

function checkOption(option: any, name: string): void {
  check('object', option, name);
  const type = own(option, 'type');
  if (type !== 'string' && type !== 'boolean') throw invalidType(name + '.type', "('string|boolean')", type);
  if (Object.hasOwn(option, 'short')) {
    check('string', option.short, name + '.short');
    if (option.short.length !== 1) throw invalidValue(name + '.short', option.short, 'must be a single character');
  }
  if (Object.hasOwn(option, 'multiple')) check('boolean', option.multiple, name + '.multiple');
  const value = own(option, 'default');
  if (value === undefined) return;
  if (own(option, 'multiple')) checkList(type, value, name + '.default');
  else check(type, value, name + '.default');
}

const wrong = (what: string, message: string): any => coded(TypeError, 'ERR_PARSE_ARGS_' + what, message);

// checkUse refuses what strict parsing does.
function checkUse({ options, allowPositionals, allowNegative }: Config, token: any): void {
  let { name } = token;
  const { rawName, value } = token;
  if (!Object.hasOwn(options, name)) {
    if (allowNegative && name.startsWith('no-')) name = name.slice(3);
    const known = name !== token.name && Object.hasOwn(options, name) && own(options[name], 'type') === 'boolean';
    const dashes = allowPositionals ? `. To specify a positional argument starting with a '-', place it at the end of the command after '--', as in '-- ${JSON.stringify(rawName)}` : '';
    if (!known) throw wrong('UNKNOWN_OPTION', `Unknown option '${rawName}'${dashes}`);
  }
  const short = ofOption(options, name, 'short');
  const type = ofOption(options, name, 'type');
  const both = `${short ? `-${short}, ` : ''}--${name}`;
  if (type === 'string' && typeof value !== 'string') throw wrong('INVALID_OPTION_VALUE', `Option '${both} <value>' argument missing`);
  if (type === 'boolean' && value != null) throw wrong('INVALID_OPTION_VALUE', `Option '${both}' does not take an argument`);
  if (token.inlineValue || value == null || value.length < 2 || value[0] !== '-') return;
  const example = rawName.startsWith('--') ? `'${rawName}=-XYZ'` : `'--${token.name}=-XYZ' or '${rawName}-XYZ'`;
  throw wrong('INVALID_OPTION_VALUE', `Option '${rawName}' argument is ambiguous.\nDid you forget to specify the option argument for '${rawName}'?\nTo specify an option argument starting with a dash use ${example}.`);
}

function store(values: any, token: any, { options, allowNegative }: Config): void {
  if (token.name === '__proto__') return;
  let { value } = token;
  if (allowNegative && token.name.startsWith('no-') && value === undefined) {
    token.name = token.name.slice(3);
    value = false;
  }
  const { name } = token;
  value ??= true;
  if (!ofOption(options, name, 'multiple')) values[name] = value;
  else if (values[name]) values[name].push(value);
  else values[name] = [value];
}

export function parseArgs(config: any = {}): any {
  const strict = own(config, 'strict') ?? true;
  const c: Config = {
    args: own(config, 'args') ?? process.argv.slice(2),
    strict,
    allowPositionals: own(config, 'allowPositionals') ?? !strict,
    tokens: own(config, 'tokens') ?? false,
    allowNegative: own(config, 'allowNegative') ?? false,
    options: own(config, 'options') ?? { __proto__: null },
  };
  const { args, allowPositionals, options } = c;
  if (!Array.isArray(args)) throw invalidType('args', 'an instance of Array', args);
  for (const k of ['strict', 'allowPositionals', 'tokens', 'allowNegative'] as const) check('boolean', c[k], k);
  check('object', options, 'options');
  for (const k of Object.keys(options)) checkOption(options[k], 'options.' + k);

  // Loaded when it is first needed: few programs do.
  const { parseArgs: parse } = require('../../node_modules/@pkgjs/parseargs/index.js');
  const { tokens } = parse({ args, options, strict: false, tokens: true });
  const values: any = { __proto__: null };
  const positionals: any[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') {
      if (!allowPositionals) throw wrong('UNEXPECTED_POSITIONAL', `Unexpected argument '${token.value}'. This command does not take positional arguments`);
      positionals.push(token.value);
    } else if (token.kind === 'option') {
      if (strict) checkUse(c, token);
      store(values, token, c);
    }
  }
  for (const k of Object.keys(options)) {
    const value = own(options[k], 'default');
    if (value !== undefined && values[k] === undefined && k !== '__proto__') values[k] = value;
  }
  return c.tokens ? { values, positionals, tokens } : { values, positionals };
}
