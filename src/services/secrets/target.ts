import type { Caller } from './engine.ts';
import type { Entity } from './model/identity.ts';
import type { Mount } from './model/mounts.ts';
import type { Namespace } from './model/namespaces.ts';

export interface Target {
  /** The path below `/v1/`, including the namespace. */
  readonly fullPath: string;
  readonly namespace: Namespace;
  /** Relative to the namespace. */
  readonly namespacePath: string;
  readonly mount: Mount | undefined;
  /** Relative to the mount. */
  readonly path: string;
}

export interface AuthorizedRequest {
  readonly caller: Caller;
  readonly entity: Entity | undefined;
}
