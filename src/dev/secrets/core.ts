import type { Storage } from '../storage.ts';
import { tokenBackend } from './auth/token.ts';
import { identityBackend } from './identity/backend.ts';
import { Identity } from './identity/identity.ts';
import { Leases } from './leases.ts';
import { type DefaultMount, type MountParts, Mounts } from './mounts.ts';
import { type Namespace, Namespaces } from './namespaces.ts';
import { Policies } from './policies.ts';
import { Reaper } from './reaper.ts';
import { Snapshots } from './snapshots.ts';
import { sysBackend } from './sys/backend.ts';
import { Tokens } from './tokens.ts';

/** The parts of the service that exist while it is unsealed. */
export interface Core {
  readonly tokens: Tokens;
  readonly leases: Leases;
  readonly namespaces: Namespaces;
  readonly reaper: Reaper;
}

export interface CoreParts extends Pick<MountParts, 'random' | 'clock' | 'engines' | 'methods'> {
  /** Default mounts of the root namespace of a new service. */
  readonly mounts: readonly DefaultMount[];
  /** Receives faults that no caller sees. */
  readonly failed: (error: unknown) => void;
  /** Seals the service. */
  readonly seal: () => void;
}

/** Starts the service on its decrypted storage; a new storage gets the default content. */
export async function openCore(storage: Storage, parts: CoreParts): Promise<Core> {
  const { random, clock } = parts;
  const tokens = new Tokens({
    storage: storage.below('token/'),
    random,
    clock,
    revoked: (digests) => leases.revokeOf(digests),
    replaced: (before, after) => leases.rebind(before, after),
  });
  const leases: Leases = new Leases({
    storage: storage.below('lease/'),
    random,
    clock,
    mountAt: (namespace, path) => namespaces.get(namespace)?.mounts.get(path),
    tokenExists: (digest) => tokens.has(digest),
  });
  const snapshots: Snapshots = new Snapshots({
    storage: storage.below('snapshot/'),
    random,
    clock,
    stored: () => namespaces.all().flatMap(({ mounts }) => mounts.stored()),
  });

  async function bring(facts: Pick<Namespace, 'path' | 'id' | 'metadata'>, own: Storage): Promise<Namespace> {
    const { path } = facts;
    const policies = new Policies(own.below('policy/'));
    const mounts = new Mounts({
      ...parts,
      storage: own.below('mount/'),
      snapshot: (id, mountUuid) => snapshots.of(id, mountUuid),
      taken: (wanted) =>
        namespaces
          .below(path)
          .map((each) => each.path.slice(path.length))
          .find((name) => wanted.startsWith(name)),
      async leaving(mount) {
        await leases.revokePrefix(path, mount.path);
        await tokens.revokeWhere(
          (token) => (token.namespace ?? '') === path && token.path.startsWith(mount.path),
        );
      },
    });
    const identity = new Identity({ storage: own.below('identity/'), random, clock });
    await policies.begin();
    const sys = sysBackend(
      { ...facts, policies, mounts },
      { namespaces, leases, snapshots, seal: parts.seal },
    );
    mounts.addOwn('sys/', sys);
    mounts.addOwn('auth/token/', tokenBackend(tokens, path));
    mounts.addOwn('identity/', identityBackend(identity, mounts));
    await mounts.open(path === '' ? parts.mounts : []);
    return { ...facts, policies, mounts, identity };
  }

  const namespaces: Namespaces = new Namespaces({
    storage,
    random,
    bring,
    async leaving({ path, mounts }) {
      for (const { path: mount } of mounts.list()) await leases.revokePrefix(path, mount);
      await tokens.revokeWhere(({ namespace = '' }) => namespace === path);
    },
  });
  await tokens.begin();
  await namespaces.open();
  await tokens.tidy();
  await leases.begin();
  const reaper = new Reaper({ clock, failed: parts.failed }, [tokens, leases]);
  reaper.arm();
  return { tokens, leases, namespaces, reaper };
}
