import type { JsonObject } from '../../../wire/json.ts';
import * as s from '../../core/schema/types.ts';
import { badRequest, withErrorPrefix } from '../errors.ts';
import type { InputOf } from '../resource.ts';
import type { Mount, MountEntry } from './mounts.ts';
import { parseLifetime, systemTtl, type TtlLimits } from './ttl.ts';

/** The settings of a mount: `config` of a request, and of a stored mount (docs/protocol/secrets.md#mounts). */

const ttlNames = { default_lease_ttl: 'default', max_lease_ttl: 'max' } as const;
type TtlName = keyof typeof ttlNames;

const visibilities = ['', 'hidden', 'unauth'];
const tokenTypes = ['default-service', 'service', 'default-batch', 'batch'];

/** Settings for proxies, plugins and audit devices: shown, without an effect on the engines of this service. */
const listFields = {
  audit_non_hmac_request_keys: s.list(s.string(), 'Request fields that audit devices do not hash.'),
  audit_non_hmac_response_keys: s.list(s.string(), 'Response fields that audit devices do not hash.'),
  passthrough_request_headers: s.list(s.string(), 'Request headers to pass to the engine.'),
  allowed_response_headers: s.list(s.string(), 'Response headers that the engine may set.'),
};
const listNames = Object.keys(listFields) as (keyof typeof listFields)[];

/** A lifetime as sent. */
const lifetime = (description: string) =>
  s.converted(s.string(`${description} Seconds, or a duration such as \`1h30m\`.`), (value) => {
    if (typeof value === 'string' || typeof value === 'number') return String(value);
    throw new Error('expected a duration');
  });

export const tuning = s.partial({
  default_lease_ttl: lifetime('Default lease duration.'),
  max_lease_ttl: lifetime('Maximum lease duration.'),
  listing_visibility: s.string('`hidden` or `unauth`.'),
  token_type: s.string('Auth methods: `default-service`, `default-batch`, `service` or `batch`.'),
  ...listFields,
  user_lockout_config: s.json('Not supported.'),
});
type Tuning = InputOf<typeof tuning>;

export const mountConfig = s.object({ ...tuning, force_no_cache: s.boolean() }, 'The settings of `/tune`.');

export const shownConfig = {
  default_lease_ttl: s.integer('Seconds.'),
  max_lease_ttl: s.integer('Seconds.'),
  force_no_cache: s.boolean(),
  ...s.partial({ token_type: s.string(), listing_visibility: s.string(), ...listFields }),
};

type MountKind = 'engine' | 'auth method';

/** `config` of a new mount: lifetimes in whole seconds (0: the service's). @throws SecretsError 400 */
export function newMountConfig(input: s.Input<typeof mountConfig>, kind: MountKind): JsonObject {
  const ttls = {
    default_lease_ttl: newTtl(input, 'default_lease_ttl') ?? 0,
    max_lease_ttl: newTtl(input, 'max_lease_ttl') ?? 0,
  };
  if (ttls.max_lease_ttl > 0 && ttls.default_lease_ttl > ttls.max_lease_ttl)
    throw badRequest('given default lease TTL greater than given max lease TTL');
  if (ttls.max_lease_ttl === 0 && ttls.default_lease_ttl > systemTtl)
    throw badRequest(`given default lease TTL greater than system max lease TTL of ${systemTtl}`);
  // OpenBao ignores it for auth methods.
  const force_no_cache = kind === 'engine' && input.force_no_cache;
  return { ...ttls, force_no_cache, ...commonSettings(input, kind) };
}

function newTtl(input: Tuning, name: TtlName): number | undefined {
  const text = input[name] ?? '';
  return withErrorPrefix(`unable to parse ${ttlNames[name]} TTL of ${text}`, () => parseTtl(text));
}

/** Undefined: empty; 0: `system`. @throws SecretsError 400 */
function parseTtl(text: string): number | undefined {
  if (text === '') return undefined;
  const seconds = text === 'system' ? 0 : parseLifetime(text);
  if (seconds < 0) throw badRequest('a lease TTL cannot be negative');
  return seconds;
}

/** The settings that a request changes. @throws SecretsError 400 */
export function changedConfig(input: Tuning, current: JsonObject, kind: MountKind): JsonObject {
  const changed = Object.fromEntries(
    (['default_lease_ttl', 'max_lease_ttl'] as const).flatMap((name) => {
      const seconds = parseTtl(input[name] ?? '');
      return seconds === undefined ? [] : [[name, seconds]];
    }),
  );
  const { default_lease_ttl: standard, max_lease_ttl: max } = storedTtls({ ...current, ...changed });
  if (Object.keys(changed).length > 0 && max > 0 && standard > max) {
    throw badRequest(
      `backend max lease TTL of ${max} would be less than backend default lease TTL of ${standard}`,
    );
  }
  if (kind === 'engine' && input.token_type !== undefined)
    throw badRequest("'token_type' can only be modified on auth mounts");
  return { ...changed, ...commonSettings(input, kind) };
}

function commonSettings(input: Tuning, kind: MountKind): JsonObject {
  const { listing_visibility: visibility, user_lockout_config: lockout } = input;
  if (lockout !== undefined) throw badRequest('user_lockout_config is not supported');
  if (visibility !== undefined && !visibilities.includes(visibility))
    throw badRequest(`invalid listing_visibility ${visibility}`);
  const tokenType = kind === 'engine' ? undefined : input.token_type || undefined;
  if (tokenType !== undefined && !tokenTypes.includes(tokenType))
    throw badRequest("invalid value for 'token_type'");
  const lists = listNames.flatMap((name) => {
    const values = input[name];
    return values === undefined ? [] : [[name, [...values]] as const];
  });
  return {
    ...Object.fromEntries(lists),
    ...(visibility !== undefined && { listing_visibility: visibility }),
    ...(tokenType !== undefined && { token_type: tokenType }),
  };
}

/**
 * The type of the tokens of logins: the mount's type, or the role's if the mount has only a default.
 * @param ofRole undefined: the default of the mount
 */
export function loginTokenType(
  { config }: Pick<MountEntry, 'config'>,
  ofRole: 'service' | 'batch' | undefined,
): 'service' | 'batch' {
  const ofMount = config.token_type;
  if (ofMount === 'service' || ofMount === 'batch') return ofMount;
  return ofRole ?? (ofMount === 'default-batch' ? 'batch' : 'service');
}

/** The settings as stored, and the settings in the product's list of mounts. */
export function showMountConfig({ path, entry: { config } }: Mount): JsonObject {
  const { listing_visibility: visibility, ...rest } = config;
  return {
    ...rest,
    ...storedTtls(config),
    force_no_cache: config.force_no_cache === true,
    ...(visibility !== undefined && visibility !== '' && { listing_visibility: visibility }),
    ...(path.startsWith('auth/') && { token_type: config.token_type ?? 'default-service' }),
  };
}

/** The settings with the lifetimes that are in force. */
export function showTuning(mount: Mount) {
  const { description, options } = mount.entry;
  const { default: standard, max } = ttlLimits(mount.entry);
  return {
    ...showMountConfig(mount),
    default_lease_ttl: standard,
    max_lease_ttl: max,
    description,
    ...(options !== null && Object.keys(options).length > 0 && { options }),
  };
}

/** The lifetimes in force for what a mount issues. */
export function ttlLimits({ config }: Pick<MountEntry, 'config'>): TtlLimits {
  const { default_lease_ttl: standard, max_lease_ttl: max } = storedTtls(config);
  return { default: standard || systemTtl, max: max || systemTtl };
}

/** Earlier releases stored lifetimes as they were sent. */
function storedTtls(config: JsonObject): Record<TtlName, number> {
  const seconds = (name: TtlName): number => {
    const value = config[name];
    if (typeof value === 'number') return value;
    try {
      return typeof value === 'string' ? Math.max(0, parseTtl(value) ?? 0) : 0;
    } catch {
      return 0;
    }
  };
  return { default_lease_ttl: seconds('default_lease_ttl'), max_lease_ttl: seconds('max_lease_ttl') };
}

type MountOptions = Readonly<Record<string, string>>;

/** The types of the key-value engine that name its version. */
const versionedTypes: Readonly<Record<string, string>> = { 'kv-v1': '1', 'kv-v2': '2' };

/** The type and options of a new mount; `kv-v1` and `kv-v2` are `kv` with a version. @throws SecretsError 400 */
export function mountType(type: string | undefined, options: MountOptions | undefined) {
  if (!type) throw badRequest('backend type must be specified as a string');
  const version = Object.hasOwn(versionedTypes, type) ? versionedTypes[type] : undefined;
  if (version !== undefined) return { type: 'kv', options: { ...options, version } };
  const requested = options?.version;
  if (type === 'generic' && requested)
    throw badRequest('secrets engine "generic" does not allow setting a version');
  if (type === 'kv' && requested !== undefined && requested !== '1' && requested !== '2') {
    throw badRequest(
      `invalid version ${JSON.stringify(requested)} of a key-value engine: expected "1" or "2"`,
    );
  }
  return { type, options };
}
