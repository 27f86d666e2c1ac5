import { usage } from '../errors.ts';
import { isObject } from '../wire/objects.ts';
import { hasSetting, type ServiceName, serviceNames } from '../wire/services.ts';
import type { ClientOptions, StartOptions } from './types.ts';

/** Whether a value is valid, and what is expected. Programs in JavaScript have no compiler that checks it. */
type Rule = readonly [isValid: (value: unknown) => boolean, expected: string];

const isFunction = (value: unknown): boolean => typeof value === 'function';
const isIntegerIn =
  (min: number, max: number) =>
  (value: unknown): boolean =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
/** Characters that are valid in a header. */
const isHeaderText = (value: unknown): boolean => typeof value === 'string' && /^[\x20-\x7e]+$/.test(value);
const isToken = (value: unknown): boolean => typeof value === 'string' && /^[\x21-\x7e]+$/.test(value);
const isListOf =
  (isItem: (item: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.length > 0 && value.every(isItem);

const text: Rule = [(value) => typeof value === 'string', 'a string'];
const flag: Rule = [(value) => typeof value === 'boolean', 'true or false'];
const callback: Rule = [isFunction, 'a function'];
const token: Rule = [isToken, 'a string without spaces'];

const isLimit = isIntegerIn(1, Number.MAX_SAFE_INTEGER);
const rateLimit: Rule = [isLimit, 'a positive integer'];

/** The longest delay of a timer of Node, about 24 days. */
const maxTimeoutMs = 2 ** 31 - 1;

const clientRules: Readonly<Record<keyof ClientOptions, Rule>> = {
  address: text,
  token: [(value) => typeof value === 'string' || isFunction(value), 'a string or a function'],
  namespace: text,
  datacenter: text,
  region: text,
  profile: [(value) => typeof value === 'string' || value === false, 'a string or false'],
  env: [isObject, 'an object'],
  caCert: text,
  caPem: text,
  caPath: text,
  clientCert: text,
  clientKey: text,
  serverName: text,
  skipVerify: flag,
  proxy: text,
  timeoutMs: [isIntegerIn(1, maxTimeoutMs), `an integer from 1 to ${maxTimeoutMs}`],
  maxRetries: [isIntegerIn(0, 999), 'a number from 0 to 999'],
  signal: [(value) => value instanceof AbortSignal, 'an AbortSignal'],
  userAgent: [isHeaderText, 'printable ASCII characters'],
  log: callback,
};

const datacenterName = /^[a-z0-9_-]{1,63}$/;
const ownerName = /^[A-Za-z0-9][\w.-]*$/;

/** The rules for the fields of the options of each service. */
const serviceRules: Readonly<Record<ServiceName, Readonly<Record<string, Rule>>>> = {
  secrets: {
    token,
    uninitialized: flag,
    rateLimit,
    standbyLagMs: [isIntegerIn(0, Number.MAX_SAFE_INTEGER), 'a number of milliseconds'],
  },
  registry: {
    rateLimit,
    datacenters: [
      (value) =>
        isListOf((name) => typeof name === 'string' && datacenterName.test(name))(value) &&
        new Set(value as string[]).size === (value as string[]).length,
      'different names of lowercase letters, digits, - and _',
    ],
  },
  box: {
    token,
    users: [
      isListOf(
        (user) =>
          isObject(user) && 'name' in user && typeof user.name === 'string' && ownerName.test(user.name),
      ),
      'objects with a name of letters, digits, ., - and _',
    ],
    rateLimit,
  },
  scheduler: { rateLimit },
  accounts: {
    token: [
      (value) => typeof value === 'string' && /^at_[A-Za-z0-9]+_[A-Za-z0-9]+$/.test(value),
      'at_ID_SECRET',
    ],
    password: [(value) => typeof value === 'string' && value.length >= 8, 'at least 8 characters'],
    rateLimit: [(value) => value === 'boundary' || isLimit(value), 'a positive integer or "boundary"'],
  },
};

const portRule: Rule = [isIntegerIn(0, 65_535), 'an integer from 0 to 65535'];
const startRules: Readonly<Record<string, Rule>> = {
  ...Object.fromEntries(
    serviceNames.map((name) => [name, [(value) => value === true || isObject(value), 'true or an object']]),
  ),
  data: [(value) => typeof value === 'string' && value !== '', 'a directory'],
  ports: [isObject, 'an object'],
  clock: callback,
  log: callback,
};

/**
 * Rejects options that a client of the service does not have, and values of another type.
 *
 * @throws LanyardError usage; the message contains no value.
 */
export function checkClientOptions(service: ServiceName, options: ClientOptions): void {
  check(options, clientRules);
  for (const name of ['namespace', 'datacenter', 'region'] as const)
    if (options[name] !== undefined && !hasSetting(service, name))
      throw usage(`invalid option ${name}: the ${service} service has no ${name}`);
}

/** The same for the options of `startServices`. */
export function checkStartOptions(options: StartOptions): void {
  check(options, startRules);
  for (const name of serviceNames) {
    const given = options[name];
    if (given !== undefined && given !== true) check(given, serviceRules[name], `${name}.`);
  }
  if (options.ports !== undefined)
    check(options.ports, Object.fromEntries(serviceNames.map((name) => [name, portRule])), 'ports.');
}

/** @param prefix of the names in messages. */
function check(options: object, rules: Readonly<Record<string, Rule>>, prefix = ''): void {
  if (!isObject(options)) throw usage('invalid options: expected an object');
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) {
      const known = Object.keys(rules).join(', ');
      throw usage(
        `unknown option ${prefix}${name}`,
        known === '' ? {} : { hint: `The options are ${known}.` },
      );
    }
    const [isValid, expected] = rule;
    if (value !== undefined && !isValid(value))
      throw usage(`invalid option ${prefix}${name}: expected ${expected}`);
  }
}
