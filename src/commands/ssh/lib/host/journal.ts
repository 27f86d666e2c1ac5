import type { Context } from '../../../../command/context.ts';
import { type Journal, readJournal } from './manifest.ts';
import type { HostPaths } from './paths.ts';

type Snapshot = Journal['files'];

/** More than any file of sshd. */
export const maxFileBytes = 256 * 1024 * 1024;

/** The bytes of a file in Base64, and its mode. */
async function snapshotOf(path: string, { files }: Pick<Context, 'files'>): Promise<Snapshot[number]> {
  const mode = await files.mode(path);
  if (mode === undefined) return { path };
  return { path, mode, before: (await files.readBytes(path, 'the file', maxFileBytes)).toString('base64') };
}

/** Restores files, byte for byte. Those that must exist for others are restored first, and removed last. */
export async function restore(snapshot: Snapshot, { files }: Pick<Context, 'files'>): Promise<void> {
  const existing = snapshot.flatMap(({ path, before, mode = 0o644 }) =>
    before === undefined
      ? []
      : [{ path, content: Buffer.from(before, 'base64'), mode, replace: true as const }],
  );
  if (existing.length > 0) await files.write(existing);
  for (const { path, before } of snapshot.toReversed()) if (before === undefined) await files.remove(path);
}

/**
 * Changes files. If the change fails, they are restored; if it is killed, the journal has the files as they were, and the
 * next change continues from there.
 *
 * @param touched the files that the change may write, those that others refer to first.
 * @param change gets the files as they were.
 */
export async function withJournal<Result>(
  paths: HostPaths,
  touched: readonly string[],
  ctx: Pick<Context, 'files'>,
  change: (before: Snapshot) => Promise<Result>,
): Promise<Result> {
  const interrupted = (await readJournal(paths, ctx))?.files ?? [];
  await restore(
    interrupted.filter(({ path }) => !touched.includes(path)),
    ctx,
  );
  const before = await Promise.all(
    touched.map(async (path) => interrupted.find((each) => each.path === path) ?? snapshotOf(path, ctx)),
  );
  const content = JSON.stringify({ files: before });
  await ctx.files.write([{ path: paths.journal, content, mode: 0o600, replace: true }]);
  try {
    return await change(before);
  } catch (error) {
    await restore(before, ctx);
    await ctx.files.remove(paths.journal);
    throw error;
  }
}
