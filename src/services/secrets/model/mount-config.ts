import { FieldReader, type JsonObject, lenientTypes } from '../../core/http/fields.ts';
import { badRequest } from '../errors.ts';
import { mapField, objectField, textField } from '../fields.ts';
import { parseLifetime, systemTtl, type TtlLimits } from './ttl.ts';

/** The settings of a mount: `config` of a request, and of a stored mount (docs/protocol/secrets.md#mounts). */

const ttlNames = { default_lease_ttl: 'default', max_lease_ttl: 'max' } as const;
type TtlName = keyof typeof ttlNames;

/** Settings for proxies, plugins and audit devices: shown, without an effect on the engines of this service. */
const listNames = [
  'audit_non_hmac_request_keys',
  'audit_non_hmac_response_keys',
  'passthrough_request_headers',
  'allowed_response_headers',
];
const visibilities = ['', 'hidden', 'unauth'];
const tokenTypes = ['default-service', 'service', 'default-batch', 'batch'];

/** The table of a mount. */
type MountKind = 'engine' | 'auth method';

/** Reads values with the errors of a mount's configuration. */
class ConfigReader extends FieldReader {
  constructor(config: JsonObject) {
    super(config, lenientTypes);
  }

  protected override invalid(): never {
    throw badRequest('unable to convert given mount config information');
  }

  /** A duration as text; empty if missing. */
  lifetime(name: string): string {
    const read = (value: unknown) =>
      typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
    return this.convert(name, 'a duration', read) ?? '';
  }
}

/**
 * Reads `config` of a new mount: lifetimes in whole seconds (0: the service's).
 * @throws SecretsError 400
 */
export function readMountConfig(data: JsonObject, kind: MountKind): JsonObject {
  const reader = new ConfigReader(objectField(data, 'config') ?? {});
  const ttls = {
    default_lease_ttl: newTtl(reader, 'default_lease_ttl') ?? 0,
    max_lease_ttl: newTtl(reader, 'max_lease_ttl') ?? 0,
  };
  if (ttls.max_lease_ttl > 0 && ttls.default_lease_ttl > ttls.max_lease_ttl) {
    throw badRequest('given default lease TTL greater than given max lease TTL');
  }
  if (ttls.max_lease_ttl === 0 && ttls.default_lease_ttl > systemTtl) {
    throw badRequest(`given default lease TTL greater than system max lease TTL of ${systemTtl}`);
  }
  return {
    ...ttls,
    force_no_cache: reader.boolean('force_no_cache') ?? false,
    ...readCommonSettings(reader, kind),
  };
}

function newTtl(reader: ConfigReader, name: TtlName): number | undefined {
  const text = reader.lifetime(name);
  const noun = ttlNames[name];
  try {
    return parseTtl(text);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw badRequest(`unable to parse ${noun} TTL of ${text}: ${cause}`);
  }
}

/** Undefined: empty; 0: `system`. @throws SecretsError 400 */
function parseTtl(text: string): number | undefined {
  if (text === '') return undefined;
  const seconds = text === 'system' ? 0 : parseLifetime(text);
  if (seconds < 0) throw badRequest('a lease TTL cannot be negative');
  return seconds;
}

/** The settings that a request changes. @throws SecretsError 400 */
export function readTuning(data: JsonObject, current: JsonObject, kind: MountKind): JsonObject {
  const reader = new ConfigReader(data);
  const changed = Object.fromEntries(
    (['default_lease_ttl', 'max_lease_ttl'] as const).flatMap((name) => {
      const seconds = parseTtl(reader.lifetime(name));
      return seconds === undefined ? [] : [[name, seconds]];
    }),
  );
  const { default_lease_ttl: standard, max_lease_ttl: max } = storedTtls({ ...current, ...changed });
  if (Object.keys(changed).length > 0 && max > 0 && standard > max) {
    throw badRequest(
      `backend max lease TTL of ${max} would be less than backend default lease TTL of ${standard}`,
    );
  }
  if (kind === 'engine' && reader.has('token_type')) {
    throw badRequest("'token_type' can only be modified on auth mounts");
  }
  return { ...changed, ...readCommonSettings(reader, kind) };
}

function readCommonSettings(reader: ConfigReader, kind: MountKind): JsonObject {
  if (reader.has('user_lockout_config')) throw badRequest('user_lockout_config is not supported');
  const visibility = reader.string('listing_visibility');
  if (visibility !== undefined && !visibilities.includes(visibility)) {
    throw badRequest(`invalid listing_visibility ${visibility}`);
  }
  const tokenType = kind === 'engine' ? undefined : reader.string('token_type') || undefined;
  if (tokenType !== undefined && !tokenTypes.includes(tokenType)) {
    throw badRequest("invalid value for 'token_type'");
  }
  const lists = listNames.flatMap((name) => {
    const values = reader.strings(name);
    return values === undefined ? [] : [[name, values] as const];
  });
  return {
    ...Object.fromEntries(lists),
    ...(visibility !== undefined && { listing_visibility: visibility }),
    ...(tokenType !== undefined && { token_type: tokenType }),
  };
}

/**
 * The type of the tokens of logins: that of the mount, or of the role if the mount has only a default.
 * @param ofRole undefined: the default of the mount
 */
export function loginTokenType(
  { config }: Pick<ConfiguredMount['entry'], 'config'>,
  ofRole: 'service' | 'batch' | undefined,
): 'service' | 'batch' {
  const ofMount = config.token_type;
  if (ofMount === 'service' || ofMount === 'batch') return ofMount;
  return ofRole ?? (ofMount === 'default-batch' ? 'batch' : 'service');
}

/** A stored mount, as far as its settings are concerned. */
interface ConfiguredMount {
  readonly path: string;
  readonly entry: { readonly config: JsonObject; readonly options: Readonly<Record<string, string>> | null };
}

/** The settings as stored, with those of the product's list of mounts. */
export function showMountConfig({ path, entry: { config } }: ConfiguredMount): JsonObject {
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
export function showTuning(
  mount: ConfiguredMount & { readonly entry: { readonly description: string } },
): JsonObject {
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
export function ttlLimits({ config }: Pick<ConfiguredMount['entry'], 'config'>): TtlLimits {
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

/** The types of the key-value engine that name its version. */
const versionedTypes: Readonly<Record<string, string>> = { 'kv-v1': '1', 'kv-v2': '2' };

/**
 * The type and options of a new mount; `kv-v1` and `kv-v2` are the engine `kv` with that version.
 * @throws SecretsError 400
 */
export function readMountType(data: JsonObject): {
  readonly type: string;
  readonly options: Readonly<Record<string, string>> | undefined;
} {
  const type = textField(data, 'type');
  if (!type) throw badRequest('backend type must be specified as a string');
  const options = mapField(data, 'options');
  const version = Object.hasOwn(versionedTypes, type) ? versionedTypes[type] : undefined;
  if (version !== undefined) return { type: 'kv', options: { ...options, version } };
  const requested = options?.version;
  if (type === 'generic' && requested) {
    throw badRequest('secrets engine "generic" does not allow setting a version');
  }
  if (type === 'kv' && requested !== undefined && requested !== '1' && requested !== '2') {
    throw badRequest(
      `invalid version ${JSON.stringify(requested)} of a key-value engine: expected "1" or "2"`,
    );
  }
  return { type, options };
}
