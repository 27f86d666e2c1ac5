import { LanyardError } from '../errors.ts';
import { tryParseJson } from '../wire/json.ts';
import { serviceNames } from '../wire/services.ts';
import type { Configuration, SshSettings } from './profile.ts';

type JsonObject = { readonly [name: string]: unknown };

/** The fields of a service's settings and their types; other fields are kept unchanged. */
const settingTypes = {
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
} as const satisfies Readonly<Record<string, SettingType>>;

const sshTypes = {
  role: 'string',
  mount: 'string',
  principals: 'list',
  revoked: 'string',
  record: 'string',
} as const satisfies { readonly [K in keyof SshSettings]-?: SettingType };

/**
 * Reads a file of the configuration directory as one JSON object. Errors do not quote the text.
 *
 * @throws LanyardError failure: not JSON, or not an object; names the file.
 */
export function parseObject(text: string, path: string): JsonObject {
  const value = tryParseJson(text.replace(/^\uFEFF/, ''));
  if (value === undefined)
    throw damagedFileError(path, text.trim() === '' ? 'it is empty' : 'it is not valid JSON');
  return requireObject(value, 'the document', path);
}

/** Requires a JSON object; the error names the file and the field. */
export function requireObject(value: unknown, member: string, path: string): JsonObject {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw damagedFileError(path, `${member} must be an object`);
  }
  return value as JsonObject;
}

/** A copy without a prototype, so that a name such as `constructor` finds an own field or nothing. */
export function withoutPrototype<Value extends object>(value: Value): Value {
  return Object.assign(Object.create(null), value);
}

/** The error for a damaged file; the file is not changed. */
export function damagedFileError(path: string, problem: string): LanyardError {
  return new LanyardError('failure', `invalid file ${path}: ${problem}`, {
    hint: 'The file was not changed. Repair it, or move it away to start over.',
  });
}

/**
 * Checks the types of a configuration and keeps unknown fields. `profiles` is returned without a prototype.
 *
 * @throws LanyardError failure: names the file and the field that is wrong.
 */
export function parseConfiguration(value: JsonObject, path: string): Configuration {
  const { active, profiles = {}, aliases } = value;
  if (active !== undefined && typeof active !== 'string')
    throw damagedFileError(path, 'active must be a string');
  const checked = requireObject(profiles, 'profiles', path);
  for (const [name, profile] of Object.entries(checked)) {
    checkProfile(requireObject(profile, `profiles.${name}`, path), `profiles.${name}`, path);
  }
  return {
    ...value,
    profiles: withoutPrototype(checked as Configuration['profiles']),
    ...(aliases === undefined ? {} : { aliases: parseAliases(aliases, path) }),
  };
}

function parseAliases(value: unknown, path: string): NonNullable<Configuration['aliases']> {
  const aliases = requireObject(value, 'aliases', path);
  for (const [name, expansion] of Object.entries(aliases))
    if (typeof expansion !== 'string') throw damagedFileError(path, `aliases.${name} must be a string`);
  return withoutPrototype(aliases as NonNullable<Configuration['aliases']>);
}

const devMarkTypes = { instance: 'string', dataDirectory: 'string', isActivated: 'boolean' } as const;

function checkProfile(profile: JsonObject, member: string, path: string): void {
  if (profile.dev !== undefined)
    checkTypes(requireObject(profile.dev, `${member}.dev`, path), devMarkTypes, `${member}.dev`, path);
  if (profile.ssh !== undefined)
    checkTypes(requireObject(profile.ssh, `${member}.ssh`, path), sshTypes, `${member}.ssh`, path);
  for (const service of serviceNames) {
    if (profile[service] === undefined) continue;
    const checked = requireObject(profile[service], `${member}.${service}`, path);
    checkTypes(checked, settingTypes, `${member}.${service}`, path);
  }
}

function checkTypes(
  fields: JsonObject,
  types: Readonly<Record<string, SettingType>>,
  member: string,
  path: string,
): void {
  for (const [name, type] of Object.entries(types)) {
    if (fields[name] === undefined || hasType(type, fields[name])) continue;
    throw damagedFileError(path, `${member}.${name} must be ${typeNames[type]}`);
  }
}

type SettingType = 'string' | 'boolean' | 'list';

const typeNames: { readonly [T in SettingType]: string } = {
  string: 'a string',
  boolean: 'true or false',
  list: 'a list of strings',
};

const hasType = (type: SettingType, value: unknown): boolean =>
  type === 'list'
    ? Array.isArray(value) && value.every((each) => typeof each === 'string')
    : typeof value === type;
