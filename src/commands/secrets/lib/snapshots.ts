import { hasNoRaftStorage } from '../../../api/conditions/secrets.ts';
import type { Context } from '../../../command/context.ts';
import { describeAs } from '../../../errors.ts';
import type { SnapshotContents } from '../../../io/snapshot-archive.ts';
import { formatSize } from '../../../output/humanize.ts';
import { isObject } from '../../../wire/objects.ts';

/** A snapshot as a result: what its archive says. */
export interface SnapshotSummary {
  readonly file: string;
  /** Bytes of the file. */
  readonly size: number;
  /** The last log entry in it; null: unknown. */
  readonly index: number | null;
  /** The term of that entry; null: unknown. */
  readonly term: number | null;
  /** The ID that the cluster gave it; null: unknown. */
  readonly id: string | null;
}

/** What is shown of a verified snapshot. */
export function summaryOf(file: string, size: number, { meta }: SnapshotContents): SnapshotSummary {
  const { Index, Term, ID } = isObject(meta) ? meta : {};
  const numberIn = (value: unknown): number | null => (typeof value === 'number' ? value : null);
  return { file, size, index: numberIn(Index), term: numberIn(Term), id: typeof ID === 'string' ? ID : null };
}

/** The rows of a summary. */
export const summaryRows = ({ size, index, term, id }: SnapshotSummary) =>
  [
    ['size', formatSize(size)],
    ['index', index === null ? null : String(index)],
    ['term', term === null ? null : String(term)],
    ['ID', id],
  ] as const;

/** Reports a service that has no snapshots. */
export const describeWithoutRaft = (act: string) =>
  describeAs(hasNoRaftStorage, 'failure', `cannot ${act}: the service does not use raft storage`, {
    details: [],
    hint: 'Back up the storage backend of the service with its own tools.',
  });

const updateIntervalMs = 100;

/** Shows on a terminal how much was moved. */
export async function startProgress(what: string, { output, system }: Pick<Context, 'output' | 'system'>) {
  const progress = await output.progress(what);
  const now = () => system.clock().getTime();
  let shownAt = now();
  return {
    /** @param bytes in total */
    update(bytes: number): void {
      if (now() - shownAt < updateIntervalMs) return;
      shownAt = now();
      progress.update(`${what}: ${formatSize(bytes)}`);
    },
    stop: () => progress.stop(),
  };
}

/** Verifies a snapshot in a file. @throws LanyardError usage: unreadable; failure: not a complete snapshot */
export async function verifyFile(
  path: string,
  ctx: Pick<Context, 'files'>,
): Promise<SnapshotContents & { readonly size: number }> {
  const file = await ctx.files.openLarge(path, 'the snapshot');
  const reader = await ctx.files.snapshotReader(path, 'SHA256SUMS.sealed');
  try {
    for await (const chunk of file.pass('sha256').chunks) await reader.write(chunk);
    return { ...(await reader.end()), size: file.size };
  } finally {
    reader.close();
    await file.close();
  }
}
