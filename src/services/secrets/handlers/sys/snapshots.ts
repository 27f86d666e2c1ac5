import type { Paths } from '../../backend.ts';
import { notFound } from '../../errors.ts';
import type { Snapshots } from '../../model/snapshots.ts';

/**
 * `sys/storage/raft/snapshot`: snapshots to recover from. A snapshot contains the current data of the mounts
 * and is loaded immediately: its ID is the one for `RECOVER` and `read_snapshot_id`
 * (docs/protocol/secrets.md#snapshots).
 */
export function snapshotPaths(paths: Paths, snapshots: Snapshots): Paths {
  return paths
    .on('storage/raft/snapshot', 'Create a snapshot of the data of the mounts, or list the snapshots.', {
      async update() {
        return { data: { snapshot_id: await snapshots.create() } };
      },
      list: () => ({ data: { keys: snapshots.ids() } }),
    })
    .on('storage/raft/snapshot/:id', 'Show or delete a snapshot.', {
      read(_request, { id = '' }) {
        const created = snapshots.createdAt(id);
        if (created === undefined) throw notFound();
        return { data: { snapshot_id: id, created_at: created, status: 'ready' } };
      },
      async delete(_request, { id = '' }) {
        await snapshots.delete(id);
        return undefined;
      },
    });
}
