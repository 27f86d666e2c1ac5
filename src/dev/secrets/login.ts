import type { Json } from '../../wire/json.ts';
import { authOf } from './auth/token.ts';
import type { Login } from './backend.ts';
import type { Core } from './core.ts';
import { Refusal } from './engine.ts';
import type { Mount } from './mounts.ts';
import type { Namespace } from './namespaces.ts';
import { denied } from './refusals.ts';
import { systemTtl } from './tokens.ts';

/** The target of a login. */
interface Place {
  readonly namespace: Namespace;
  readonly mount: Mount;
  /** Relative to the mount. */
  readonly path: string;
}

/**
 * Creates a token for a caller authenticated by an auth method, and an entity at its first login. The
 * display name is the mount's path with slashes replaced by hyphens, then the method's part
 * (docs/protocol/secrets.md#tokens).
 * @throws Refusal 400: the policies include `root`; 403: the entity is disabled
 */
export async function logIn(
  { tokens }: Core,
  { namespace, mount, path }: Place,
  { displayName, metadata, alias, token: terms }: Login,
): Promise<Readonly<Record<string, Json>>> {
  const policies = new Set(terms.policies.map((name) => name.toLowerCase()));
  if (policies.has('root')) throw new Refusal(400, 'auth methods cannot create root tokens');
  if (!terms.noDefaultPolicy) policies.add('default');
  const entity = await namespace.identity.login(mount.entry.accessor, alias.name, alias.metadata);
  if (entity.disabled) throw denied();
  const limit = Math.min(terms.maxTtl || systemTtl, systemTtl);
  const source = mount.path.slice('auth/'.length, -1).replaceAll('/', '-');
  const text = tokens.newToken();
  const entry = await tokens.create(text, {
    policies: [...policies].sort(),
    path: `${mount.path}${path}`,
    displayName: displayName === '' ? source : `${source}-${displayName}`,
    meta: metadata,
    uses: terms.uses,
    parent: null,
    ttl: Math.min(terms.ttl || systemTtl, limit),
    maxTtl: terms.maxTtl,
    renewable: true,
    namespace: namespace.path,
    entityId: entity.id,
  });
  return authOf(entry, text, tokens.now(), entity.policies);
}
