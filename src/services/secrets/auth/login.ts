import type { Core } from '../core.ts';
import type { EngineResponse, Login } from '../engine.ts';
import { badRequest, permissionDenied } from '../errors.ts';
import { loginTokenType, ttlLimits } from '../model/mount-config.ts';
import type { Mount } from '../model/mounts.ts';
import type { Namespace } from '../model/namespaces.ts';
import { effectiveTtl } from '../model/ttl.ts';
import { wrappingPolicy } from '../model/wrapped-responses.ts';
import { authResponse } from '../views.ts';

interface LoginTarget {
  readonly namespace: Namespace;
  readonly mount: Mount;
  /** Relative to the mount. */
  readonly path: string;
  readonly remoteAddress: string;
}

/**
 * Creates a token for a caller authenticated by an auth method, and an entity at its first login. The
 * display name is the mount's path with slashes replaced by hyphens, then the method's part
 * (docs/protocol/secrets.md#tokens).
 * @throws SecretsError 400: the policies include `root` or `response-wrapping`, or a batch token would have a
 * number of uses or a period; 403: the entity is disabled
 */
export async function logIn(
  { tokens }: Core,
  { namespace, mount, path, remoteAddress }: LoginTarget,
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
  const isBatch = loginTokenType(mount.entry, params.type) === 'batch';
  if (isBatch && params.uses > 0) throw badRequest('batch tokens cannot have "num_uses" set');
  if (isBatch && params.period) throw badRequest('batch tokens cannot have "period" set');
  const boundCidrs = params.strictlyBindIp ? [remoteAddress] : (params.boundCidrs ?? []);
  const { text, entry } = await tokens.issue({
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
    renewable: !isBatch,
    namespace: namespace.path,
    entityId: entity.id,
    ...(boundCidrs.length > 0 && { boundCidrs }),
    ...(isBatch && { type: 'batch' as const }),
  });
  return { auth: authResponse(entry, text, tokens.now(), entity.policies), warnings };
}
