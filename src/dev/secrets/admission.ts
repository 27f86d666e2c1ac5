import { readSegment, splitPath } from '../http/path.ts';
import type { HttpRequest } from '../http/service.ts';
import type { Caller } from './backend.ts';
import type { Core } from './core.ts';
import type { EngineRequest, Entity } from './engine.ts';
import { type EntityRecord, seenByEngines } from './identity/identity.ts';
import type { Mount } from './mounts.ts';
import type { Namespace } from './namespaces.ts';
import * as refuse from './refusals.ts';
import { type Asked, tokenOf } from './request.ts';

/** The target of a request. */
export interface Target {
  /** The path below `/v1/`, including the namespace. */
  readonly full: string;
  readonly namespace: Namespace;
  /** Relative to the namespace. */
  readonly within: string;
  readonly mount: Mount | undefined;
  /** Relative to the mount. */
  readonly path: string;
}

/** The segments of a request's path, preceded by those of a namespace header. */
export function segmentsOf(request: HttpRequest): { readonly header: string[]; readonly own: string[] } {
  const [, ...own] = request.path.segments;
  const raw = (request.prefixed('namespace') ?? '').replace(/^\/|\/$/g, '');
  return { header: raw === '' || raw === 'root' ? [] : splitPath(raw).map(readSegment), own };
}

/**
 * The namespace may be in the header, at the start of the path, or split between both. The header must name
 * an existing namespace: otherwise the path is not found, even if the name is that of a mount.
 */
export function find({ namespaces }: Core, request: HttpRequest): Target {
  const { header, own } = segmentsOf(request);
  const all = [...header, ...own];
  const { namespace, rest } = namespaces.resolve(all);
  const found = rest.length <= own.length ? namespace.mounts.resolve(rest) : undefined;
  return {
    full: all.join('/'),
    namespace,
    within: rest.join('/'),
    mount: found?.mount,
    path: found?.path ?? '',
  };
}

/** A write creates what does not exist, if the engine can check that; otherwise it updates. */
export function decide(target: Target, asked: Asked): EngineRequest['operation'] {
  if (asked !== 'write') return asked;
  return target.mount?.backend.exists(target.path) === false ? 'create' : 'update';
}

/** An authenticated caller and its entity. */
export interface Admitted {
  readonly caller: Caller;
  readonly entity: Entity | undefined;
}

/**
 * Authenticates a caller by its token. Its permissions are the policies of the token's namespace, with paths
 * relative to that namespace, and extend to the namespaces below; the policies of its entity are added.
 * @throws Refusal 403
 */
export function identify(
  { tokens, namespaces }: Core,
  request: HttpRequest,
  { namespace }: Target,
): Admitted {
  const text = tokenOf(request);
  if (!text) throw refuse.noToken();
  const token = tokens.find(text);
  const home = token && namespaces.get(token.namespace ?? '');
  if (!token || !home) throw refuse.badToken();
  if (!namespace.path.startsWith(home.path)) throw refuse.denied();
  const entity = token.entityId === undefined ? undefined : activeEntity(home, token.entityId);
  const policies = entity === undefined ? token.policies : [...token.policies, ...entity.policies];
  const acl = home.policies.acl(policies).within(namespace.path.slice(home.path.length));
  return { caller: { token, text, acl }, entity: entity && seenByEngines(entity) };
}

/** @throws Refusal 403: the entity was deleted or disabled, which invalidates its tokens */
function activeEntity({ identity }: Namespace, id: string): EntityRecord {
  const entity = identity.entity(id);
  if (entity?.disabled !== false) throw refuse.denied();
  return entity;
}

/** Authorizes a request by its token and the token's policies; undefined: the path requires no token. */
export async function admit(
  core: Core,
  request: HttpRequest,
  target: Target,
  operation: EngineRequest['operation'],
): Promise<Admitted | undefined> {
  if (needsNoToken(target, operation)) return undefined;
  const admitted = identify(core, request, target);
  const { acl, token } = admitted.caller;
  const path = operation === 'list' ? `${target.within}/` : target.within;
  if (!acl.allows(path, operation)) throw refuse.denied();
  await core.tokens.use(token);
  return admitted;
}

function needsNoToken({ mount, path }: Target, operation: EngineRequest['operation']): boolean {
  const plain = (each: EngineRequest['operation']) => (each === 'create' ? 'update' : each);
  return (
    mount?.backend.unauthenticated.some(
      (open) => plain(open.operation) === plain(operation) && matches(open.path, path),
    ) ?? false
  );
}

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const given = path.split('/');
  return (
    wanted.length === given.length &&
    wanted.every((segment, index) => segment.startsWith(':') || segment === given[index])
  );
}
