import { LanyardError } from '../errors.ts';
import { type Json, parseJson } from '../wire/json.ts';
import { serviceNames } from '../wire/services.ts';
import type { Configuration } from './profile.ts';

type Members = { readonly [name: string]: unknown };

/** The fields of a service's settings, and what each must be; fields not named here are kept as they are. */
const settings = {
  address: 'string',
  addresses: 'list',
  namespace: 'string',
  headerPrefix: 'string',
  token: 'string',
  httpAuth: 'string',
  caCert: 'string',
  caPath: 'string',
  clientCert: 'string',
  clientKey: 'string',
  serverName: 'string',
  skipVerify: 'boolean',
  proxy: 'string',
  timeout: 'string',
  maxRetries: 'string',
  allowPlainHttp: 'boolean',
  region: 'string',
  datacenter: 'string',
  authMethod: 'string',
} as const;

/**
 * Reads the text of a file that this room keeps as one JSON object. Nothing of the text is quoted in an error.
 *
 * @throws LanyardError failure: it is not JSON, or not an object; names the file.
 */
export function parseObject(text: string, path: string): Members {
  let value: Json;
  try {
    value = parseJson(text.replace(/^\uFEFF/, ''));
  } catch {
    throw damaged(path, text.trim() === '' ? 'it is empty' : 'it is not valid JSON');
  }
  return object(value, 'the document', path);
}

/** A JSON object, or a failure that names the file and the field. */
export function object(value: unknown, member: string, path: string): Members {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw damaged(path, `${member} must be an object`);
  }
  return value as Members;
}

/** A copy without a prototype: a name such as `constructor` finds what was put there, or nothing. */
export function bare<Value extends object>(value: Value): Value {
  return Object.assign(Object.create(null), value);
}

/** The error for a file that is not what was written there; the file itself is left alone. */
export function damaged(path: string, what: string): LanyardError {
  return new LanyardError('failure', `invalid file ${path}: ${what}`, {
    hint: 'The file was not changed. Repair it, or move it away to start over.',
  });
}

/**
 * Checks the shape of a configuration and keeps every field of it. `profiles` comes back without a prototype,
 * so that a name such as `constructor` finds a profile or nothing.
 *
 * @throws LanyardError failure: names the file and the field that is wrong.
 */
export function configuration(value: Members, path: string): Configuration {
  const { active, profiles = {} } = value;
  if (active !== undefined && typeof active !== 'string') throw damaged(path, 'active must be a string');
  const held = object(profiles, 'profiles', path);
  for (const [name, profile] of Object.entries(held)) {
    checkProfile(object(profile, `profiles.${name}`, path), `profiles.${name}`, path);
  }
  return { ...value, profiles: bare(held as Configuration['profiles']) };
}

function checkProfile(profile: Members, member: string, path: string): void {
  for (const service of serviceNames) {
    if (profile[service] === undefined) continue;
    const held = object(profile[service], `${member}.${service}`, path);
    for (const [name, type] of Object.entries(settings)) {
      if (held[name] === undefined || isA(type, held[name])) continue;
      throw damaged(path, `${member}.${service}.${name} must be ${words[type]}`);
    }
  }
}

type Type = (typeof settings)[keyof typeof settings];

const words: { readonly [T in Type]: string } = {
  string: 'a string',
  boolean: 'true or false',
  list: 'a list of strings',
};

const isA = (type: Type, value: unknown): boolean =>
  type === 'list'
    ? Array.isArray(value) && value.every((each) => typeof each === 'string')
    : typeof value === type;
