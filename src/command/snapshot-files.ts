import type { PartialDownload } from '../io/partial-download.ts';
import type { SnapshotContents, SnapshotEnd } from '../io/snapshot-archive.ts';
import { formatSize } from '../output/humanize.ts';
import { isObject } from '../wire/objects.ts';
import type { Context } from './context.ts';

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

/** How the snapshots of a service are read. */
export interface SnapshotForm {
  /** The file that a complete one ends with. */
  readonly lastFile: SnapshotEnd;
  /** Gets the bytes of the state. */
  readonly onState?: (chunk: Uint8Array) => void;
}

const updateIntervalMs = 100;

/** Shows on a terminal how much was moved. */
async function startProgress(what: string, { output, system }: Pick<Context, 'output' | 'system'>) {
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
export async function verifySnapshot(
  path: string,
  { lastFile, onState }: SnapshotForm,
  ctx: Pick<Context, 'files'>,
): Promise<SnapshotContents & { readonly size: number }> {
  const file = await ctx.files.openLarge(path, 'the snapshot');
  const reader = await ctx.files.snapshotReader(path, lastFile, onState);
  try {
    for await (const chunk of file.pass('sha256').chunks) await reader.write(chunk);
    return { ...(await reader.end()), size: file.size };
  } finally {
    reader.close();
    await file.close();
  }
}

/**
 * Receives a snapshot into a new file of mode 0600, which gets its name when it is complete and verified.
 *
 * @param save passes the bytes of the snapshot.
 * @param from the service, for messages: "the secrets service".
 * @throws LanyardError failure: not a complete snapshot, or the file cannot be written; what `save` throws.
 */
export async function receiveSnapshot(
  target: { readonly path: string; readonly replace: boolean },
  { from, lastFile, onState }: SnapshotForm & { readonly from: string },
  save: (write: (chunk: Uint8Array) => Promise<void>) => Promise<void>,
  ctx: Pick<Context, 'files' | 'output' | 'system'>,
): Promise<SnapshotContents & { readonly size: number }> {
  const reader = await ctx.files.snapshotReader(`from ${from}`, lastFile, onState);
  const progress = await startProgress('Saving snapshot', ctx);
  let part: PartialDownload | undefined;
  let size = 0;
  const open = async (): Promise<PartialDownload> => {
    const opened = await ctx.files.openPartialDownload({ ...target, isBackup: true }, 'sha256');
    await opened.start({ from: 0, etag: undefined });
    return opened;
  };
  try {
    await save(async (chunk) => {
      part ??= await open();
      await Promise.all([part.write(chunk), reader.write(chunk)]);
      size += chunk.length;
      progress.update(size);
    });
    const contents = await reader.end();
    await part?.digest();
    await part?.moveIntoPlace();
    return { ...contents, size };
  } finally {
    progress.stop();
    reader.close();
    await part?.close();
  }
}

/**
 * Sends a snapshot in a file.
 *
 * @param restore sends the bytes.
 * @throws what `restore` throws; LanyardError usage: the file cannot be read; conflict: it changed meanwhile.
 */
export async function sendSnapshot<Outcome>(
  path: string,
  restore: (body: {
    readonly length: number;
    readonly chunks: () => AsyncIterable<Uint8Array>;
  }) => Promise<Outcome>,
  ctx: Pick<Context, 'files' | 'output' | 'system'>,
): Promise<Outcome> {
  const file = await ctx.files.openLarge(path, 'the snapshot');
  const progress = await startProgress('Restoring snapshot', ctx);
  async function* chunks(): AsyncGenerator<Uint8Array> {
    let sent = 0;
    for await (const chunk of file.pass('sha256').chunks) {
      yield chunk;
      sent += chunk.length;
      progress.update(sent);
    }
  }
  try {
    return await restore({ length: file.size, chunks });
  } finally {
    progress.stop();
    await file.close();
  }
}
