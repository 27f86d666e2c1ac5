import type { Context } from '../../../../command/context.ts';
import { conflict } from '../../../../errors.ts';
import type { Keys } from '../../../../ssh/keys.ts';
import { renew } from '../renewal.ts';
import { settingsWithoutEffect } from './configuration.ts';
import { restore, withJournal } from './journal.ts';
import { type Enrollment, type Manifest, manifestFile, readJournal, type WrittenFile } from './manifest.ts';
import type { HostPaths } from './paths.ts';
import { reloadCommand, runStep } from './reload.ts';
import { readSshdSettings, type Sshd, type SshdSettings } from './sshd.ts';
import { certificateFiles, hashOf, isCurrent, type TargetCertificate, type TargetFile } from './targets.ts';

/** What a host must have. */
export interface Targets {
  /** In this order: those that others refer to first. */
  readonly files: readonly TargetFile[];
  readonly certificates: readonly TargetCertificate[];
}

/** What was done to a host. */
export interface Changes {
  /** Files that were written, also certificates. */
  readonly written: readonly string[];
  /** Files of an earlier enrollment that are as they were before it. */
  readonly restored: readonly string[];
  /** The command that reloaded sshd; null: not necessary, or sshd does not run. */
  readonly reloaded: string | null;
}

interface Host {
  readonly paths: HostPaths;
  readonly sshd: Sshd;
  readonly keys: Keys;
  readonly enrollment: Enrollment;
  readonly manifest: Manifest | undefined;
  /** Files of the earlier enrollment that are not needed any more. */
  readonly obsolete: readonly WrittenFile[];
}

/**
 * Writes what is missing or differs: certificates are signed first, then all files are written, sshd checks its
 * configuration, and is reloaded if it must read a file again. If anything fails before that, every file is as before.
 *
 * @param afterReload further steps, such as the timer; they are repeated if they were interrupted.
 * @throws LanyardError also: sshd rejects the configuration, or uses another value.
 */
export async function reconcile(
  targets: Targets,
  host: Host,
  ctx: Context,
  afterReload: (written: readonly string[]) => Promise<void> = async () => undefined,
): Promise<Changes> {
  const { paths, manifest, obsolete, enrollment } = host;
  const wasInterrupted = (await readJournal(paths, ctx)) !== undefined;
  const states = await Promise.all(
    targets.files.map(async (file) => ({ file, ok: await isCurrent(file, ctx) })),
  );
  const outdated = states.flatMap(({ file, ok }) => (ok ? [] : [file]));
  const due = targets.certificates.filter(({ isDue }) => isDue);
  const isSame = JSON.stringify(manifest?.enrollment) === JSON.stringify(enrollment);
  if (!wasInterrupted && isSame && outdated.length + due.length + obsolete.length === 0) {
    await afterReload([]);
    return { written: [], restored: [], reloaded: null };
  }
  const touched = [
    ...targets.certificates.flatMap(({ path }) => certificateFiles(path)),
    ...targets.files.map(({ path }) => path),
    ...obsolete.map(({ path }) => path),
  ];
  const done = await withJournal(paths, touched, ctx, async (before) => {
    const signed: string[] = [];
    for (const { path, signing } of due)
      if ((await renew(path, signing, host.keys, ctx)).body !== undefined) signed.push(path);
    if (outdated.length > 0)
      await ctx.files.write(outdated.map(({ kind: _, ...file }) => ({ ...file, replace: true })));
    await restore(obsolete, ctx);
    return {
      before,
      written: [...signed, ...outdated.map(({ path }) => path)],
      settings: await check(host, ctx),
    };
  });
  const isRead = [...due, ...outdated, ...obsolete].some(
    (file) => !('kind' in file) || ['configuration', 'block', 'certificate'].includes(file.kind),
  );
  const { written } = done;
  const reload =
    wasInterrupted || (isRead && written.length + obsolete.length > 0)
      ? await reloadCommand(paths, enrollment, done.settings, ctx)
      : undefined;
  if (reload) await runStep(reload, 'the files were written', ctx);
  await afterReload(written);
  await ctx.files.write([manifestFile(paths, await record(targets, host, done.before, ctx))]);
  await ctx.files.remove(paths.journal);
  return { written, restored: obsolete.map(({ path }) => path), reloaded: reload?.join(' ') ?? null };
}

/** @throws LanyardError failure: sshd rejects its configuration; conflict: it uses other values. */
async function check({ sshd, enrollment, paths }: Host, ctx: Context): Promise<SshdSettings> {
  const settings = await readSshdSettings(sshd, ctx);
  const withoutEffect = settingsWithoutEffect(enrollment, paths, settings);
  if (withoutEffect.length === 0) return settings;
  throw conflict('the configuration of sshd has other values, which come first', {
    details: withoutEffect,
    hint: `Remove the other lines from ${sshd.config} and its included files. Nothing was changed.`,
  });
}

/** The record of the files as they are now, and as they were before the first enrollment. */
async function record(
  { files, certificates }: Targets,
  { manifest, obsolete, enrollment }: Host,
  before: readonly Omit<WrittenFile, 'hash' | 'kind'>[],
  ctx: Context,
): Promise<Manifest> {
  const named = [
    ...certificates.flatMap(({ path }) =>
      certificateFiles(path).map((each) => ({ path: each, kind: 'certificate' as const })),
    ),
    ...files,
  ];
  const updated = await Promise.all(
    named.map(async ({ path, kind }): Promise<WrittenFile | undefined> => {
      const hash = await hashOf(path, ctx);
      const earlier = manifest?.files.find((file) => file.path === path);
      if (hash === undefined) return undefined;
      return { ...(earlier ?? { ...before.find((file) => file.path === path), path, kind }), hash };
    }),
  );
  const others = (manifest?.files ?? []).filter(
    ({ path }) => ![...named, ...obsolete].some((file) => file.path === path),
  );
  return { version: 1, enrollment, files: [...others, ...updated.filter((file) => file !== undefined)] };
}
