import { hasNoRaftStorage } from '../../../api/conditions/secrets.ts';
import type { SnapshotForm } from '../../../command/snapshot-files.ts';
import { describeAs } from '../../../errors.ts';

/** Snapshots of OpenBao and Vault. */
export const sealedForm: SnapshotForm = { lastFile: 'SHA256SUMS.sealed' };

/** Reports a service that has no snapshots. */
export const describeWithoutRaft = (act: string) =>
  describeAs(hasNoRaftStorage, 'failure', `cannot ${act}: the service does not use raft storage`, {
    details: [],
    hint: 'Back up the storage backend of the service with its own tools.',
  });
