import { Reaper } from '../core/reaper.ts';
import type { Storage } from '../core/store/storage.ts';
import { existsInCubbyhole } from './handlers/cubbyhole.ts';
import { Cubbyholes } from './model/cubbyholes.ts';
import { Identity } from './model/identity.ts';
import { Leases } from './model/leases.ts';
import { ttlLimits } from './model/mount-config.ts';
import { type DefaultMount, type MountParts, Mounts } from './model/mounts.ts';
import { type Namespace, Namespaces } from './model/namespaces.ts';
import { Policies } from './model/policies.ts';
import { Snapshots } from './model/snapshots.ts';
import { TokenRoles } from './model/token-roles.ts';
import { type TokenEntry, Tokens } from './model/tokens.ts';
import { systemTtlLimits, type TtlLimits } from './model/ttl.ts';
import { WrappedResponses } from './model/wrapped-responses.ts';
import { routedEngine } from './resource.ts';
import {
  cubbyholeRoutes,
  identityRoutes,
  rootSysRoutes,
  serviceStateRoutes,
  sysRoutes,
  tokenRoutes,
} from './routes.ts';

/** The parts of the service that exist while it is unsealed. */
export interface Core {
  readonly tokens: Tokens;
  readonly leases: Leases;
  readonly wrapping: WrappedResponses;
  readonly namespaces: Namespaces;
  readonly reaper: Reaper;
}

export interface CoreParts extends Pick<MountParts, 'random' | 'clock' | 'engines' | 'methods'> {
  /** Default mounts of the root namespace of a new service. */
  readonly mounts: readonly DefaultMount[];
  /** Receives faults that no caller sees. */
  readonly onError: (error: unknown) => void;
  /** Seals the service. */
  readonly seal: () => void;
}

/** Starts the service on its decrypted storage; a new storage gets the default content. */
export async function openCore(storage: Storage, parts: CoreParts): Promise<Core> {
  const { random, clock } = parts;
  const tokens = new Tokens({
    storage: storage.withPrefix('token/'),
    random,
    clock,
    namespaceId: (path) => namespaces.get(path)?.id ?? '',
    async onRevoked(digests) {
      await Promise.all([leases.revokeForTokens(digests), cubbyholes.removeTokens(digests)]);
    },
    async onReplaced(oldDigest, newDigest) {
      await Promise.all([
        leases.moveToToken(oldDigest, newDigest),
        cubbyholes.removeTokens(new Set([oldDigest])),
      ]);
    },
  });
  const cubbyholes = new Cubbyholes(storage.withPrefix('cubbyhole/'));
  const wrapping = new WrappedResponses(tokens, cubbyholes);
  const leases: Leases = new Leases({
    storage: storage.withPrefix('lease/'),
    random,
    clock,
    mountAt: (namespace, path) => namespaces.get(namespace)?.mounts.get(path),
    tokenExists: (digest) => digest === '' || tokens.has(digest),
  });
  const snapshots: Snapshots = new Snapshots({
    storage: storage.withPrefix('snapshot/'),
    random,
    clock,
    storedMounts: () => namespaces.all().flatMap(({ mounts }) => mounts.storedMounts()),
  });

  async function openNamespace(
    attributes: Pick<Namespace, 'path' | 'id' | 'metadata'>,
    namespaceStorage: Storage,
  ): Promise<Namespace> {
    const { path } = attributes;
    const policies = new Policies(namespaceStorage.withPrefix('policy/'));
    const mounts = new Mounts({
      ...parts,
      storage: namespaceStorage.withPrefix('mount/'),
      snapshot: (id, mountUuid) => snapshots.storageOf(id, mountUuid),
      conflictingNamespace: (mountPath) =>
        namespaces
          .children(path)
          .map((each) => each.path.slice(path.length))
          .find((name) => mountPath.startsWith(name)),
      async beforeUnmount(mount) {
        await leases.revokePrefix(path, mount.path);
        await tokens.revokeWhere(
          (token) => (token.namespace ?? '') === path && token.path.startsWith(mount.path),
        );
      },
    });
    const identity = new Identity({ storage: namespaceStorage.withPrefix('identity/'), random, clock });
    await policies.ensureDefault();
    const routes = path === '' ? rootSysRoutes : sysRoutes;
    const context = {
      path,
      policies,
      mounts,
      namespaces,
      leases,
      snapshots,
      tokens,
      wrapping,
      seal: parts.seal,
    };
    mounts.addBuiltIn('sys/', {
      ...routedEngine('system', routes, context),
      describe: () => [...serviceStateRoutes.descriptions, ...routes.descriptions],
    });
    const tokenRoleStorage = namespaceStorage.withPrefix('token-role/');
    const roles = new TokenRoles(tokenRoleStorage);
    const tokenContext = { tokens, roles, policies, namespace: path, limitsOf };
    mounts.addBuiltIn('auth/token/', routedEngine('token', tokenRoutes, tokenContext));
    const cubbyholeContext = { cubbyholes, namespaceId: attributes.id };
    mounts.addBuiltIn('cubbyhole/', {
      ...routedEngine('cubbyhole', cubbyholeRoutes, cubbyholeContext),
      exists: (secretPath, findCaller) => existsInCubbyhole(cubbyholeContext, secretPath, findCaller?.()),
    });
    mounts.addBuiltIn('identity/', routedEngine('identity', identityRoutes, { identity, mounts }));
    await mounts.open(path === '' ? parts.mounts : []);
    return { ...attributes, policies, mounts, identity };
  }

  /** The lifetimes of the mount that created a token. */
  function limitsOf({ namespace = '', path }: TokenEntry): TtlLimits {
    const mount = namespaces.get(namespace)?.mounts.resolve(path.split('/'))?.mount;
    return mount ? ttlLimits(mount.entry) : systemTtlLimits;
  }

  const namespaces: Namespaces = new Namespaces({
    storage,
    random,
    openNamespace,
    async beforeDelete({ path, id, mounts }) {
      for (const { path: mount } of mounts.list()) await leases.revokePrefix(path, mount);
      await tokens.revokeWhere(({ namespace = '' }) => namespace === path);
      await cubbyholes.removeNamespace(id);
    },
  });
  await tokens.ensureSalt();
  await namespaces.open();
  await tokens.removeExpired();
  await leases.load();
  await cubbyholes.removeOrphaned((digest) => tokens.has(digest));
  const reaper = new Reaper({
    now: () => clock().getTime(),
    onError: parts.onError,
    nextExpiry: () => Math.min(tokens.nextExpiry, leases.nextExpiry) * 1000,
    async removeExpired() {
      await tokens.removeExpired();
      await leases.removeExpired();
    },
  });
  reaper.arm();
  return { tokens, leases, wrapping, namespaces, reaper };
}
