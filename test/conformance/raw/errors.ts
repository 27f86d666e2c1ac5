import { formatJson, type Json } from '../../../src/wire/json.ts';
import type { RawResponse } from './recording.ts';

/** Requests to which the embedded service responds with an error in its own words, by product and group. */
const ownErrors: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'openbao-2.6.2': {
    approle: ['create, invalid lifetime', 'destroy a missing accessor', 'secret ID, invalid metadata'],
    auth: ['in use', 'missing'],
    kv2: [
      'get with a bad token',
      'get without a key',
      'invalid list parameter',
      'patch metadata, missing',
      'patch, media type of JSON',
      'patch, missing',
      'path that ends in a period',
      'put metadata, invalid duration',
      'put metadata, value of the wrong type',
      'put settings, invalid duration',
      'put, data is a text',
      'put, form',
    ],
    mount: [
      'change settings, missing',
      'invalid version',
      'options of the wrong type',
      'read settings, missing',
      'reserved path',
      'wrong method',
    ],
    namespace: ['invalid name', 'mounts of a missing namespace'],
    policy: ['unknown capability', 'unknown key', 'wrong method'],
    revoke: ['a token that is revoked'],
    ssh: [
      'CA, keys without generation',
      'CA, unknown key type',
      'issue, invalid size',
      'issue, unknown key type',
      'look up roles, invalid address',
      'public key without a CA',
      'read without a CA',
      'role, invalid lifetime',
      'role, invalid network',
      'sign, invalid lifetime',
    ],
    state: ['health, invalid code', 'init again', 'unknown method'],
    token: ['lookup self with a bad token', 'renew, invalid increment'],
    userpass: [
      'change the password of a missing user',
      'create without a password',
      'create, invalid lifetime',
      'login, wrong method',
    ],
    'zero address': ['sign without a CA'],
  },
  'consul-1.21.4': {
    agent: ['pass, forbidden', 'self without a token'],
    'auth method': ['same name', 'unknown type', 'without a key', 'without a type'],
    kv: [
      'acquire and check-and-set',
      'acquire and release',
      'delete, recurse and check-and-set',
      'get in a namespace of a header',
    ],
    policy: ['unknown permission'],
    session: ['invalid lock delay'],
    status: ['unknown method', 'unknown path without a version'],
    txn: ['too many operations'],
  },
  'nomad-2.0.6': {
    lock: ['invalid TTL'],
    policy: ['invalid name', 'unknown policy in a rule', 'unknown rule'],
    status: ['unknown method'],
    token: ['invalid time to live', 'no UUID', 'self with a token that is no UUID'],
    variable: ['too large'],
    variables: ['filter, invalid expression', 'page of text'],
  },
  'boundary-0.21.0': {
    account: [
      'login name in upper case',
      'no body',
      'short login name',
      'short password',
      'update, no fields',
      'update, outdated',
      'update, short login name',
      'without a login name',
      'without an auth method',
      'without attributes',
    ],
    accounts: [
      'bad list token',
      'invalid filter',
      'list of a method without accounts',
      'malformed auth method',
      'without an auth method',
    ],
    'auth method': [
      'list without a scope',
      'make one of another scope primary',
      'unknown type',
      'without a type',
    ],
    'auth token': ['list without a scope'],
    login: ['unknown token type'],
    'oidc login': ['token with an unknown ID'],
    other: ['unknown method'],
    password: ['change, same password', 'set, outdated'],
    scope: ['list, invalid filter'],
  },
};

/** Texts of the libraries of the products: the embedded services word these themselves, after the same prefix. */
const ofLibraries =
  /unexpected EOF|json: cannot unmarshal|decoding:|: At \d|illegal base64|invalid character|strconv|data does not contain|rpc error/;

type JsonObject = { readonly [name: string]: Json };

/** What an error says, without what differs from run to run; undefined: there is no error. */
function errorOf({ status, text, json }: RawResponse): string | undefined {
  if (status < 400) return undefined;
  const { kind, message, details, errors, Errors } = (json ?? {}) as JsonObject;
  const full = text ?? formatJson({ kind, message, details, errors, Errors } as JsonObject);
  return full
    .replace(/00000000-0000-4000-9000-\d{12}/g, 'ID')
    .replace(/_0{5}\d{5}\b/g, '_ID')
    .replace(/reset index: \d+/, 'reset index: N')
    .trimEnd();
}

/** The requests to which the embedded service responds with another error than the product, in its own words. */
export function differentErrors(theirs: readonly RawResponse[], ours: readonly RawResponse[]): string[] {
  const own = new Map(ours.map((response) => [response.name, errorOf(response)]));
  return theirs
    .filter((response) => {
      const [error, other] = [errorOf(response), own.get(response.name)];
      if (error === undefined || other === undefined) return false;
      const [prefix = ''] = /^[A-Z][\w ]+: /.exec(error) ?? [];
      return ofLibraries.test(error) ? !other.startsWith(prefix) : error !== other;
    })
    .map(({ name }) => name)
    .sort();
}

/** The requests of a product that `ownErrors` lists. */
export const listedErrors = (product: string): string[] =>
  Object.entries(ownErrors[product] ?? {})
    .flatMap(([group, names]) => names.map((name) => `${group}: ${name}`))
    .sort();
