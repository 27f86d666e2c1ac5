import { type Backend, Paths, requireSudo, routedBackend } from './backend.ts';
import { leasePaths } from './handlers/sys/leases.ts';
import { mountPaths } from './handlers/sys/mounts.ts';
import { namespacePaths } from './handlers/sys/namespaces.ts';
import { policyPaths } from './handlers/sys/policies.ts';
import { snapshotPaths } from './handlers/sys/snapshots.ts';
import { unauthenticatedPaths } from './help/unauthenticated-paths.ts';
import type { Leases } from './model/leases.ts';
import type { Namespace, Namespaces } from './model/namespaces.ts';
import type { Snapshots } from './model/snapshots.ts';

export interface SysParts {
  readonly namespaces: Namespaces;
  readonly leases: Leases;
  readonly snapshots: Snapshots;
  /** Seals the service. */
  readonly seal: () => void;
}

/**
 * `sys/` of a namespace, as far as it requires a token; paths about the service itself are in the root
 * namespace only.
 */
export function sysBackend(namespace: Omit<Namespace, 'identity'>, parts: SysParts): Backend {
  const paths = new Paths();
  mountPaths(paths, namespace.mounts);
  policyPaths(paths, namespace.policies);
  leasePaths(paths, parts.leases, namespace.path);
  namespacePaths(paths, parts.namespaces, namespace.path);
  if (namespace.path === '') {
    snapshotPaths(paths, parts.snapshots);
    paths.on('seal', 'Seal the service.', {
      update(request) {
        requireSudo(request, 'sys/seal');
        parts.seal();
        return undefined;
      },
    });
  }
  return {
    ...routedBackend('system', paths),
    describe: () => [...unauthenticatedPaths, ...paths.descriptions],
  };
}
