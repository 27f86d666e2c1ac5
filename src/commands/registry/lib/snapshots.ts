import type { SnapshotForm } from '../../../command/snapshot-files.ts';
import { type RecordCount, recordCounter } from './snapshot-records.ts';

/** How snapshots of the registry are read, and the objects in the state that was read. */
export function registryForm(): SnapshotForm & { readonly counts: () => readonly RecordCount[] | null } {
  const counter = recordCounter();
  return {
    // Consul writes the checksums last.
    lastFile: 'SHA256SUMS',
    onState: (chunk) => counter.push(chunk),
    counts: () => counter.counts(),
  };
}
