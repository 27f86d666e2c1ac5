import * as s from '../../../core/schema/types.ts';
import { orNotFound } from '../../errors.ts';
import { sysResource } from './context.ts';

/**
 * `sys/storage/raft/snapshot`: snapshots to recover from. A snapshot contains the current data of the mounts
 * and is loaded immediately: its ID is the one for `RECOVER` and `read_snapshot_id`
 * (docs/protocol/secrets.md#snapshots).
 */

export const all = sysResource({
  summary: 'Create a snapshot of the data of the mounts, or list the snapshots.',
  returns: { write: s.object({ snapshot_id: s.string() }) },
  write: async ({ snapshots }) => ({ data: { snapshot_id: await snapshots.create() } }),
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
