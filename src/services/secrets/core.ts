import type { Reaper } from '../core/reaper.ts';
import type { Storage } from '../core/store/storage.ts';
import type { Audit, AuditDevice } from './audit/audit.ts';
import type { Leases } from './model/leases.ts';
import type { DefaultMount, MountParts } from './model/mounts.ts';
import type { Namespaces } from './model/namespaces.ts';
import type { Tokens } from './model/tokens.ts';
import type { WrappedResponses } from './model/wrapped-responses.ts';

/** The parts of the service that exist while it is unsealed. */
export interface Core {
  readonly tokens: Tokens;
  readonly leases: Leases;
  readonly wrapping: WrappedResponses;
  readonly namespaces: Namespaces;
  readonly reaper: Reaper;
  readonly audit: Audit;
}

export interface CoreParts extends Pick<MountParts, 'random' | 'clock' | 'engines' | 'methods'> {
  /** Default mounts of the root namespace of a new service. */
  readonly mounts: readonly DefaultMount[];
  readonly auditDevices: readonly AuditDevice[];
  /** Receives faults that no caller sees. */
  readonly onError: (error: unknown) => void;
  readonly seal: () => void;
  readonly version: string;
}

/** Starts the service on its decrypted storage; a new storage gets the default content. */
export type OpenCore = (storage: Storage, parts: CoreParts) => Promise<Core>;
