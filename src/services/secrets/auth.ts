import type { HttpRequest } from '../core/http/http-service.ts';
import { readSegment, splitPath } from '../core/http/path.ts';
import type { Acl } from './acl/acl.ts';
import { isUsedAnywhere } from './auth/wrapping.ts';
import { requestToken } from './call.ts';
import type { Core } from './core.ts';
import type { EngineRequest, Verb } from './engine.ts';
import * as errors from './errors.ts';
import { isBound } from './model/bound-cidrs.ts';
import { type EntityRecord, toEngineEntity } from './model/identity.ts';
import type { Namespace } from './model/namespaces.ts';
import type { TokenEntry } from './model/token-entries.ts';
import type { AuthorizedRequest, Target } from './target.ts';

/** The segments of a request's path, preceded by the segments of a namespace header. */
export function pathSegments(request: HttpRequest): { readonly header: string[]; readonly own: string[] } {
  const [, ...own] = request.path.segments;
  const raw = (request.serviceHeader('namespace') ?? '').replace(/^\/|\/$/g, '');
  return { header: raw === '' || raw === 'root' ? [] : splitPath(raw).map(readSegment), own };
}

/** The namespace is in the header, which must name an existing one, at the start of the path, or split between both. */
export function resolveTarget({ namespaces }: Core, request: HttpRequest): Target {
  const { header, own } = pathSegments(request);
  const all = [...header, ...own];
  const { namespace, rest } = namespaces.resolve(all);
  const resolved = rest.length <= own.length ? namespace.mounts.resolve(rest) : undefined;
  return {
    fullPath: all.join('/'),
    namespace,
    namespacePath: rest.join('/'),
    mount: resolved?.mount,
    path: resolved?.path ?? '',
  };
}

/** A write creates what does not exist, if the engine can check that; otherwise it updates. */
export function operationFor(
  { tokens }: Core,
  request: HttpRequest,
  { mount, path }: Target,
  requested: Verb,
): EngineRequest['operation'] {
  if (requested !== 'write') return requested;
  const findCaller = () => tokens.find(requestToken(request) ?? '');
  return mount?.backend.exists(path, findCaller) === false ? 'create' : 'update';
}

/**
 * The caller of a token. Its permissions are the policies of the token, with paths in the token's namespace, and of
 * its entity; they extend to the namespaces below. @throws SecretsError 403
 */
export function authenticate(
  { tokens, namespaces }: Core,
  request: HttpRequest,
  target: Target,
): AuthorizedRequest {
  const { namespace } = target;
  const text = requestToken(request);
  if (!text) throw errors.missingToken();
  const token = tokens.find(text);
  const tokenNamespace =
    token && (isUsedAnywhere(token, target) ? namespace : namespaces.get(token.namespace ?? ''));
  if (!token || !tokenNamespace) throw errors.invalidToken();
  if (token.boundCidrs && !isBound(request.remoteAddress, token.boundCidrs)) throw errors.addressDenied();
  const { acl, entity } = permissionsOf(tokenNamespace, token, namespace.path);
  return { caller: { token, text, acl }, entity: entity && toEngineEntity(entity) };
}

/**
 * The permissions of a token for paths of a namespace, and its entity.
 * @throws SecretsError 403: the namespace is not below the token's, or the entity was deleted or disabled
 */
export function permissionsOf(
  tokenNamespace: Namespace,
  token: TokenEntry,
  namespacePath: string,
): { readonly acl: Acl; readonly entity: EntityRecord | undefined } {
  if (!namespacePath.startsWith(tokenNamespace.path)) throw errors.permissionDenied();
  const entity = token.entityId === undefined ? undefined : activeEntity(tokenNamespace, token.entityId);
  const policies = entity === undefined ? token.policies : [...token.policies, ...entity.policies];
  const acl = tokenNamespace.policies
    .acl(policies, entity)
    .inNamespace(namespacePath.slice(tokenNamespace.path.length));
  return { acl, entity };
}

/** @throws SecretsError 403: the entity was deleted or disabled, which invalidates its tokens */
function activeEntity({ identity }: Namespace, id: string): EntityRecord {
  const entity = identity.entity(id);
  if (entity?.disabled !== false) throw errors.permissionDenied();
  return entity;
}

/**
 * Authorizes a request, with the data that policies permit; undefined: the path requires no token. A denied request
 * counts as a use of the token, too. @throws SecretsError 403
 */
export async function authorize(
  core: Core,
  request: HttpRequest,
  target: Target,
  { operation, data, wrapTtl }: Pick<EngineRequest, 'operation' | 'data'> & { readonly wrapTtl: number },
): Promise<(AuthorizedRequest & Partial<Pick<EngineRequest, 'data'>>) | undefined> {
  const access = target.mount?.backend.access(operation, target.path) ?? 'token';
  if (access !== 'token') {
    const isUsed = access === 'optional' && requestToken(request);
    if (!isUsed) return undefined;
    const authenticated = authenticate(core, request, target);
    await core.tokens.use(authenticated.caller.token);
    return authenticated;
  }
  const authorized = authenticate(core, request, target);
  const { acl, token } = authorized.caller;
  const path =
    operation === 'list' || operation === 'scan' ? `${target.namespacePath}/` : target.namespacePath;
  const permitted = acl.admit(path, operation, wrapTtl, data);
  await core.tokens.use(token);
  if (permitted) return { ...authorized, data: permitted };
  await core.tokens.revokeIfUsedUp(token);
  throw errors.permissionDenied();
}
