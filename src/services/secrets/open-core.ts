import { Reaper } from '../core/reaper.ts';
import type { Storage } from '../core/store/storage.ts';
import { checkTables } from '../core/store/table.ts';
import { Audit } from './audit/audit.ts';
import type { Core, CoreParts } from './core.ts';
import type { Engine } from './engine.ts';
import { existsInCubbyhole } from './handlers/cubbyhole.ts';
import { Cubbyholes } from './model/cubbyholes.ts';
import { Identity } from './model/identity.ts';
import { Leases } from './model/leases.ts';
import { Migrations } from './model/migrations.ts';
import { ttlLimits } from './model/mount-config.ts';
import { Mounts } from './model/mounts.ts';
import { type NamespaceAttributes, Namespaces } from './model/namespaces.ts';
import { Policies } from './model/policies.ts';
import { Snapshots } from './model/snapshots.ts';
import type { TokenEntry } from './model/token-entries.ts';
import { tokenRoles } from './model/token-roles.ts';
import { Tokens } from './model/tokens.ts';
import { systemTtlLimits, type TtlLimits } from './model/ttl.ts';
import { Versions } from './model/versions.ts';
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

/** Starts the service on its decrypted storage; a new storage gets the default content. */
export async function openCore(storage: Storage, parts: CoreParts): Promise<Core> {
  const { random, clock, version } = parts;
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
    mountAt(namespace, path, uuid) {
      const mounts = namespaces.get(namespace)?.mounts;
      const mount = mounts?.get(path);
      // A lease that was created while its mount was moved has the old path.
      return mount?.entry.uuid === uuid ? mount : mounts?.withUuid(uuid);
    },
    tokenExists: (digest) => digest === '' || tokens.has(digest),
  });
  const snapshots: Snapshots = new Snapshots({
    storage: storage.withPrefix('snapshot/'),
    random,
    clock,
    storedMounts: () => namespaces.all().flatMap(({ mounts }) => mounts.storedMounts()),
  });

  const audit = new Audit({
    random,
    clock,
    version,
    storage: storage.withPrefix('audit/'),
    devices: parts.auditDevices,
  });

  const versions = new Versions(storage.withPrefix('versions/'), clock);
  // `generic` is an older name of `kv`.
  const secret = Object.keys(parts.engines).filter((type) => type !== 'generic');
  const types = { secret, auth: Object.keys(parts.methods) };

  async function openNamespace(attributes: NamespaceAttributes, namespaceStorage: Storage) {
    const { path } = attributes;
    const policies = new Policies(namespaceStorage.withPrefix('policy/'), clock);
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
    const { seal } = parts;
    const migrations = new Migrations({ storage: namespaceStorage, random, clock });
    const ofService = { namespaces, leases, snapshots, tokens, wrapping, audit, versions, seal, version };
    const context = { path, policies, mounts, migrations, random, types, ...ofService };
    const system = {
      ...routedEngine('system', routes, context),
      describe: () => [...serviceStateRoutes.descriptions, ...routes.descriptions],
    };
    mounts.addBuiltIn('sys/', system, 'system endpoints used for control, policy and debugging');
    const roles = namespaceStorage.withPrefix('token-role/');
    checkTables(roles, [tokenRoles]);
    const tokenContext = { tokens, roles, policies, namespace: path, limitsOf };
    mounts.addBuiltIn(
      'auth/token/',
      routedEngine('token', tokenRoutes, tokenContext),
      'token based credentials',
    );
    const cubbyholeContext = { cubbyholes, namespaceId: attributes.id };
    const cubbyhole: Engine = {
      ...routedEngine('cubbyhole', cubbyholeRoutes, cubbyholeContext),
      exists: (secretPath, findCaller) => existsInCubbyhole(cubbyholeContext, secretPath, findCaller?.()),
    };
    mounts.addBuiltIn('cubbyhole/', cubbyhole, 'per-token private secret storage');
    const identityContext = { identity, mounts };
    mounts.addBuiltIn(
      'identity/',
      routedEngine('identity', identityRoutes, identityContext),
      'identity store',
    );
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
  await audit.open();
  await versions.add(version);
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
  return { tokens, leases, wrapping, namespaces, reaper, audit };
}
