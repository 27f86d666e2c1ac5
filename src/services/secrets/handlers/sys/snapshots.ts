import { orNotFound } from '../../errors.ts';
import type { Resource } from '../../resource.ts';
import type { SysContext } from './context.ts';

/**
 * `sys/storage/raft/snapshot`: snapshots to recover from. A snapshot contains the current data of the mounts
 * and is loaded immediately: its ID is the one for `RECOVER` and `read_snapshot_id`
 * (docs/protocol/secrets.md#snapshots).
 */

export const all: Resource<SysContext> = {
  summary: 'Create a snapshot of the data of the mounts, or list the snapshots.',
  write: async ({ snapshots }) => ({ data: { snapshot_id: await snapshots.create() } }),
  list: ({ snapshots }) => ({ data: { keys: snapshots.ids() } }),
};

export const one: Resource<SysContext> = {
  summary: 'Show or delete a snapshot.',
  read: ({ snapshots }, _request, id) => ({
    data: { snapshot_id: id, created_at: orNotFound(snapshots.createdAt(id)), status: 'ready' },
  }),
  delete: ({ snapshots }, _request, id) => snapshots.delete(id),
};
