import type { Context } from '../../../../command/context.ts';
import { sha256 } from '../../../../wire/sha256.ts';
import { disableTimer } from './enroll.ts';
import { restore, withJournal } from './journal.ts';
import { type Manifest, readJournal, readManifest, type WrittenFile } from './manifest.ts';
import type { HostPaths } from './paths.ts';
import { reloadCommand, runStep } from './reload.ts';
import { findSshd, readSshdSettings } from './sshd.ts';
import { withoutBlock } from './sshd-directives.ts';
import { hashOf } from './targets.ts';
import { hasSystemd } from './units.ts';

/** What `ssh host remove` does with the files of an enrollment. */
export interface Removal {
  /** Files that did not exist before. */
  readonly removed: readonly string[];
  /** Files that get their content from before back. */
  readonly restored: readonly string[];
  /** Files that somebody else has changed, and those that they refer to. */
  readonly kept: readonly string[];
}

interface Planned extends Removal {
  readonly files: readonly WrittenFile[];
}

/** @returns undefined: the host is not enrolled. */
export async function planRemoval(paths: HostPaths, ctx: Context): Promise<Planned | undefined> {
  const manifest = await readManifest(paths, ctx);
  const interrupted = (await readJournal(paths, ctx).catch(() => undefined))?.files ?? [];
  if (manifest === undefined && interrupted.length === 0) return undefined;
  const written: Manifest['files'] =
    manifest?.files ?? interrupted.map((file) => ({ ...file, kind: 'certificate' as const, hash: '' }));
  const changed: string[] = [];
  for (const file of written) {
    if (file.kind === 'block' || interrupted.some(({ path }) => path === file.path)) continue;
    const hash = await hashOf(file.path, ctx);
    const before = file.before === undefined ? undefined : sha256(Buffer.from(file.before, 'base64'));
    if (hash !== undefined && hash !== file.hash && hash !== before) changed.push(file.path);
  }
  const refersToAll = written.some(({ kind, path }) => kind === 'configuration' && changed.includes(path));
  const isKept = ({ path, kind }: WrittenFile): boolean =>
    changed.includes(path) || (refersToAll && kind !== 'unit');
  const files = written.filter((file) => !isKept(file));
  const isRestored = ({ kind, before }: WrittenFile): boolean => kind === 'block' || before !== undefined;
  return {
    files,
    removed: [
      ...files.filter((file) => !isRestored(file)).map(({ path }) => path),
      ...((await ctx.files.exists(paths.secretId)) ? [paths.secretId] : []),
      ...(manifest === undefined ? [] : [paths.manifest]),
    ],
    restored: files.filter(isRestored).map(({ path }) => path),
    kept: written.filter(isKept).map(({ path }) => path),
  };
}

/** The commands of a removal, for a dry run. */
export async function removalCommands(
  { files }: Planned,
  paths: HostPaths,
  ctx: Context,
): Promise<readonly string[]> {
  const sshd = await findSshd(paths.config, ctx);
  const settings = await readSshdSettings(sshd, ctx);
  const reload = await reloadCommand(
    paths,
    (await readManifest(paths, ctx))?.enrollment ?? {},
    settings,
    ctx,
  );
  const hasTimer = files.some(({ kind }) => kind === 'unit') && (await hasSystemd(ctx));
  return [
    ...(hasTimer ? [`systemctl disable --now ${paths.unit}.timer`] : []),
    `${sshd.program} -T -f ${paths.config}`,
    ...(reload ? [reload.join(' ')] : []),
    ...(hasTimer ? ['systemctl daemon-reload'] : []),
  ];
}

/**
 * Removes an enrollment: first the settings, which sshd checks, and then the files that they referred to, so that sshd
 * never misses one. Interrupted, it continues when it is run again.
 *
 * @returns the command that reloaded sshd; null: sshd does not run.
 */
export async function removeEnrollment(
  { files }: Planned,
  paths: HostPaths,
  ctx: Context,
): Promise<string | null> {
  const enrollment = (await readManifest(paths, ctx))?.enrollment ?? {};
  const sshd = await findSshd(paths.config, ctx);
  await disableTimer(files, paths, ctx);
  const isSettings = ({ kind }: WrittenFile): boolean => kind === 'configuration' || kind === 'block';
  const touched = files.map(({ path }) => path);
  const settings = await withJournal(paths, touched, ctx, async () => {
    for (const file of files.filter(isSettings))
      await (file.kind === 'block' ? removeBlock(file.path, ctx) : restore([file], ctx));
    return readSshdSettings(sshd, ctx);
  });
  const reload = await reloadCommand(paths, enrollment, settings, ctx);
  if (reload) await runStep(reload, 'the settings were removed', ctx);
  await restore(
    files.filter((file) => !isSettings(file)),
    ctx,
  );
  if (files.some(({ kind }) => kind === 'unit') && (await hasSystemd(ctx)))
    await runStep(['systemctl', 'daemon-reload'], 'the files were removed', ctx);
  for (const path of [paths.secretId, paths.journal, paths.manifest]) await ctx.files.remove(path);
  return reload?.join(' ') ?? null;
}

async function removeBlock(path: string, { files }: Context): Promise<void> {
  const text = await files.readText(path, 'the configuration of sshd');
  const mode = (await files.mode(path)) ?? 0o644;
  if (withoutBlock(text) !== text)
    await files.write([{ path, content: withoutBlock(text), mode, replace: true }]);
}
