import type { Json, JsonObject } from '../../../wire/json.ts';
import { HttpError, type HttpRequest } from '../../core/http/http-service.ts';
import { requestToken } from '../call.ts';
import type { EngineRequest, EngineResponse } from '../engine.ts';
import { formatError, SecretsError } from '../errors.ts';
import type { Mount } from '../model/mounts.ts';
import type { AuthorizedRequest, Target } from '../target.ts';
import { pluginVersion } from '../views.ts';
import { type Hash, hashTexts } from './hash.ts';

export interface AuditSettings {
  /** Write texts without hashing them. */
  readonly isRaw: boolean;
  readonly hashesAccessors: boolean;
  /** Write the number of `keys` and `key_info` of a list instead of their content. */
  readonly elidesLists: boolean;
}

export interface AuditedRequest {
  readonly id: string;
  readonly operation: EngineRequest['operation'];
  readonly target: Target;
  readonly data: JsonObject;
  readonly request: HttpRequest;
  readonly authorized: AuthorizedRequest | undefined;
}

interface Line {
  readonly type: 'request' | 'response';
  readonly request: AuditedRequest;
  readonly response?: EngineResponse | undefined;
  readonly error?: unknown;
  readonly device: AuditSettings;
  readonly hash: Hash;
  readonly time: Date;
  readonly version: string;
}

/** A line of an audit log (docs/protocol/secrets.md#audit). Errors repeat no text of a request: it may be a secret. */
export async function auditEntry(line: Line): Promise<JsonObject> {
  const { type, request, error, device, time, version } = line;
  const { mount } = request.target;
  const accessorHash: Hash = device.isRaw || !device.hashesAccessors ? (text) => text : line.hash;
  const hash: Hash = device.isRaw ? (text) => text : line.hash;
  const hashed = (value: Json, names: string): Promise<Json> =>
    device.isRaw ? Promise.resolve(value) : hashTexts(value, line.hash, plainNames(mount, names));
  const auth = authEntry(request, hash, accessorHash);
  const asked = {
    ...(await requestEntry(request, version, hash, accessorHash)),
    ...(Object.keys(request.data).length > 0 && {
      data: await hashed(request.data, 'audit_non_hmac_request_keys'),
    }),
    remote_address: request.request.remoteAddress,
    remote_port: request.request.remotePort ?? 0,
  };
  const summary = error === undefined ? {} : { error: errorSummary(error) };
  if (type === 'request') return { time: time.toISOString(), type, auth, request: asked, ...summary };
  const data = error === undefined ? responseData(line) : { error: textOf(error) };
  const response = {
    ...mountEntry(mount, version, 'mount_running_plugin_version'),
    ...(line.response?.auth && { auth: issuedAuth(line.response.auth, hash, accessorHash) }),
    ...(line.response?.leaseId && { secret: { lease_id: line.response.leaseId } }),
    ...(line.response?.wrapInfo && { wrap_info: wrapEntry(line.response.wrapInfo, hash, accessorHash) }),
    ...(data && { data: await hashed(data, 'audit_non_hmac_response_keys') }),
    ...(line.response?.warnings?.length && { warnings: [...line.response.warnings] }),
  };
  return { time: time.toISOString(), type, auth, request: asked, response, ...summary };
}

/** The names of fields whose values are not hashed: a setting of the mount. */
function plainNames(mount: Mount | undefined, setting: string): ReadonlySet<string> {
  const names = mount?.entry.config[setting];
  return new Set(Array.isArray(names) ? names.map(String) : []);
}

function authEntry({ authorized, target }: AuditedRequest, hash: Hash, accessorHash: Hash): JsonObject {
  if (!authorized) return { token_type: 'default' };
  const { caller, entity } = authorized;
  const { token } = caller;
  return {
    client_token: hash(caller.text),
    ...(token.accessor !== '' && { accessor: accessorHash(token.accessor) }),
    display_name: token.displayName,
    policies: [...token.policies],
    token_policies: [...token.policies],
    policy_results: { allowed: target.mount !== undefined },
    ...(token.meta && { metadata: token.meta }),
    ...(entity && { entity_id: entity.id }),
    token_type: token.type ?? 'service',
    ...(token.ttl > 0 && { token_ttl: token.ttl }),
    token_issue_time: new Date(token.created * 1000).toISOString(),
  };
}

async function requestEntry(
  { id, operation, target, request, authorized }: AuditedRequest,
  version: string,
  hash: Hash,
  accessorHash: Hash,
): Promise<JsonObject> {
  const { namespace, namespacePath } = target;
  const sentToken = requestToken(request);
  const accessor = authorized?.caller.token.accessor;
  return {
    id,
    operation,
    ...mountEntry(target.mount, version, 'mount_running_version'),
    ...(sentToken && { client_token: hash(sentToken) }),
    ...(accessor && { client_token_accessor: accessorHash(accessor) }),
    namespace: { id: namespace.id, ...(namespace.path !== '' && { path: namespace.path }) },
    path: operation === 'list' || operation === 'scan' ? `${namespacePath}/` : namespacePath,
  };
}

function mountEntry(mount: Mount | undefined, version: string, versionName: string): JsonObject {
  if (!mount) return {};
  return {
    mount_point: mount.path,
    mount_type: mount.entry.type,
    mount_accessor: mount.entry.accessor,
    [versionName]: pluginVersion(version),
    mount_class: mount.path.startsWith('auth/') ? 'auth' : 'secret',
  };
}

function issuedAuth(auth: JsonObject, hash: Hash, accessorHash: Hash): JsonObject {
  const { client_token: token, accessor, lease_duration: ttl, ...rest } = auth;
  const kept = ['policies', 'token_policies', 'identity_policies', 'metadata', 'entity_id', 'token_type'];
  return {
    ...(typeof token === 'string' && { client_token: hash(token) }),
    ...(typeof accessor === 'string' && { accessor: accessorHash(accessor) }),
    ...Object.fromEntries(Object.entries(rest).filter(([name]) => kept.includes(name))),
    ...(typeof ttl === 'number' && ttl > 0 && { token_ttl: ttl }),
  };
}

function wrapEntry(wrapInfo: JsonObject, hash: Hash, accessorHash: Hash): JsonObject {
  const hashes: Readonly<Record<string, Hash>> = {
    token: hash,
    accessor: accessorHash,
    wrapped_accessor: accessorHash,
  };
  return Object.fromEntries(
    Object.entries(wrapInfo).map(([name, value]) => {
      return [name, typeof value === 'string' ? (hashes[name]?.(value) ?? value) : value] as const;
    }),
  );
}

function responseData({ request, response, device }: Line): JsonObject | undefined {
  if (response?.text) {
    const { contentType, body } = response.text;
    return { http_content_type: contentType, http_raw_body: body, http_status_code: 200 };
  }
  const data = response?.data;
  if (!data || !device.elidesLists || !['list', 'scan'].includes(request.operation)) return data;
  const { keys, key_info: info } = data;
  return {
    ...data,
    ...(Array.isArray(keys) && { keys: keys.length }),
    ...(typeof info === 'object' && info !== null && { key_info: Object.keys(info).length }),
  };
}

const textOf = (error: unknown): string =>
  error instanceof SecretsError
    ? error.errors.join('; ')
    : error instanceof HttpError
      ? error.message
      : 'internal error';

const summaries: Readonly<Record<number, string>> = {
  400: 'invalid request',
  403: 'permission denied',
  404: 'unsupported path',
  405: 'unsupported operation',
};

const errorSummary = (error: unknown): string =>
  formatError((error instanceof HttpError ? summaries[error.status] : undefined) ?? 'internal error');
