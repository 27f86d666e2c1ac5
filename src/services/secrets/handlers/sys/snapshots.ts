import * as s from '../../../core/schema/types.ts';
import { orNotFound, unsupportedPath } from '../../errors.ts';
import { sysResource } from './context.ts';

/** Snapshots of the mounts' data, loaded at once, to recover from (docs/protocol/secrets.md#snapshots). */

/** The data is not in raft storage: as in the product without it, snapshots of the complete service do not exist. */
const notInUse = (): never => {
  throw unsupportedPath();
};

export const all = sysResource({
  summary: 'Create a snapshot of the data of the mounts, or list the snapshots.',
  returns: { write: s.object({ snapshot_id: s.string() }) },
  write: async ({ snapshots }) => ({ data: { snapshot_id: await snapshots.create() } }),
  read: notInUse,
  list: ({ snapshots }) => ({ data: { keys: snapshots.ids() } }),
});

export const one = sysResource({
  summary: 'Show or delete a snapshot.',
  returns: { read: s.object({ snapshot_id: s.string(), created_at: s.time(), status: s.string() }) },
  read: ({ snapshots }, _request, id) => ({
    data: { snapshot_id: id, created_at: orNotFound(snapshots.createdAt(id)), status: 'ready' },
  }),
  delete: ({ snapshots }, _request, id) => snapshots.delete(id),
});

export const forced = sysResource({
  summary: 'Restore a snapshot with other unseal keys: not supported.',
  write: notInUse,
});
