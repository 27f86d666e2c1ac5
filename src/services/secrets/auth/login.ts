import type { Core } from '../core.ts';
import type { EngineResponse, Login } from '../engine.ts';
import { badRequest, permissionDenied } from '../errors.ts';
import { ttlLimits } from '../model/mount-config.ts';
import type { Mount } from '../model/mounts.ts';
import type { Namespace } from '../model/namespaces.ts';
import { effectiveTtl } from '../model/ttl.ts';
import { wrappingPolicy } from '../model/wrapped-responses.ts';
import { authResponse } from '../views.ts';

/** The target of a login. */
interface LoginTarget {
  readonly namespace: Namespace;
  readonly mount: Mount;
  /** Relative to the mount. */
  readonly path: string;
}

/**
 * Creates a token for a caller authenticated by an auth method, and an entity at its first login. The
 * display name is the mount's path with slashes replaced by hyphens, then the method's part
 * (docs/protocol/secrets.md#tokens).
 * @throws SecretsError 400: the policies include `root` or `response-wrapping`; 403: the entity is disabled
 */
export async function logIn(
  { tokens }: Core,
  { namespace, mount, path }: LoginTarget,
  { displayName, metadata, alias, token: params }: Login,
): Promise<Required<Pick<EngineResponse, 'auth' | 'warnings'>>> {
  const policies = new Set(params.policies.map((name) => name.toLowerCase()));
  if (policies.has('root')) throw badRequest('auth methods cannot create root tokens');
  if (policies.has(wrappingPolicy.name)) throw badRequest(`cannot assign policy "${wrappingPolicy.name}"`);
  if (!params.noDefaultPolicy) policies.add('default');
  const entity = await namespace.identity.login(mount.entry.accessor, alias.name, alias.metadata);
  if (entity.disabled) throw permissionDenied();
  const { ttl, warnings } = effectiveTtl(ttlLimits(mount.entry), {
    ttl: params.ttl,
    period: params.period,
    max: params.maxTtl,
    explicitMax: params.explicitMaxTtl,
  });
  const source = mount.path.slice('auth/'.length, -1).replaceAll('/', '-');
  const text = tokens.newToken();
  const entry = await tokens.create(text, {
    policies: [...policies].sort(),
    path: `${mount.path}${path}`,
    displayName: displayName === '' ? source : `${source}-${displayName}`,
    meta: metadata,
    uses: params.uses,
    parent: null,
    ttl,
    maxTtl: params.explicitMaxTtl ?? 0,
    ...(params.maxTtl > 0 && { roleMaxTtl: params.maxTtl }),
    ...(params.period && { period: params.period }),
    renewable: true,
    namespace: namespace.path,
    entityId: entity.id,
  });
  return { auth: authResponse(entry, text, tokens.now(), entity.policies), warnings };
}
