import type { Context } from '../../../../command/context.ts';
import { conflict, LanyardError } from '../../../../errors.ts';
import type { Keys } from '../../../../ssh/keys.ts';
import { placeSettings } from './configuration.ts';
import { type EnrollFlags, enrollmentOf } from './enrollment.ts';
import { checkHostKeys, existingHostKeys, newHostKey } from './keys.ts';
import { hostClient, storeSecretId } from './login.ts';
import { type Enrollment, type Manifest, readJournal, readManifest, type WrittenFile } from './manifest.ts';
import type { HostPaths } from './paths.ts';
import { type Changes, reconcile } from './reconcile.ts';
import { runStep } from './reload.ts';
import { targetRevoked } from './revoked.ts';
import { findSshd, isWithoutHostKeys, readSshdSettings, type Sshd, type SshdSettings } from './sshd.ts';
import { certificateFiles, hashOf, type TargetFile, targetCertificates, targetUserCas } from './targets.ts';
import { hasSystemd, readTimer, renewCommand, unitFiles } from './units.ts';

/** The result of an enrollment. */
export interface Enrolled extends Changes {
  readonly enrollment: Enrollment;
  /** The host key that was generated, because sshd had none. */
  readonly generatedKey: string | undefined;
}

/** Enrolls a host, or continues an interrupted enrollment. */
export async function enroll(flags: EnrollFlags, paths: HostPaths, ctx: Context): Promise<Enrolled> {
  const sshd = await findSshd(paths.config, ctx);
  return withOwnDirectory(paths, ctx, async () => {
    const manifest = await readManifest(paths, ctx);
    const named = await enrollmentOf(flags, manifest?.enrollment, ctx);
    if (named.login.method === 'approle') await storeSecretId(flags, paths, ctx);
    const keys = await ctx.ssh.keys();
    const { settings, generatedKey } = await settingsWithHostKey(sshd, keys, ctx);
    const enrollment = await withKeys(named, settings, ctx);
    const files = await localFiles(flags, enrollment, manifest, paths, ctx);
    await rejectChangedFiles(files, manifest, paths, ctx);
    const client = hostClient(enrollment.login, paths, ctx);
    try {
      const certificates = await targetCertificates(enrollment, client, keys, ctx);
      const remote = [
        await targetUserCas(enrollment, paths, client, ctx),
        await targetRevoked(
          enrollment,
          paths,
          client,
          ctx,
          enrollment.revoked !== manifest?.enrollment.revoked,
        ),
      ].filter((file) => file !== undefined);
      const targets = { certificates, files: [...remote, ...files] };
      const needed = [...targets.files, ...certificates].flatMap(({ path }) => certificateFiles(path));
      const obsolete = (manifest?.files ?? []).filter(({ path }) => !needed.includes(path));
      await disableTimer(obsolete, paths, ctx);
      const host = { paths, sshd, keys, enrollment, manifest, obsolete };
      const changes = await reconcile(targets, host, ctx, (written) =>
        setUpTimer(enrollment, written, paths, ctx),
      );
      return { ...changes, enrollment, generatedKey };
    } catch (error) {
      // sshd has not read it yet. After the first enrollment, or its interruption, the key is in use.
      const isUsed = (await ctx.files.exists(paths.manifest)) || (await ctx.files.exists(paths.journal));
      if (generatedKey !== undefined && !isUsed)
        for (const path of [generatedKey, `${generatedKey}.pub`]) await ctx.files.remove(path);
      throw error;
    } finally {
      await client.end();
    }
  });
}

/** Works in the directory of Lanyard, locked. After a failed first enrollment, nothing of it is left. */
export async function withOwnDirectory<Result>(
  paths: HostPaths,
  { files }: Pick<Context, 'files'>,
  work: () => Promise<Result>,
): Promise<Result> {
  await files.createDirectory(paths.own).catch((error: unknown) => {
    throw error instanceof LanyardError ? error.withHint('Run the command as root.') : error;
  });
  try {
    return await files.locked(paths.lock, async () => {
      try {
        return await work();
      } finally {
        const kept = [paths.manifest, paths.journal, paths.secretId, paths.userCas, paths.revoked];
        const exist = await Promise.all(kept.map((path) => files.exists(path)));
        if (!exist.includes(true)) await files.remove(`${paths.lock}.lock`);
      }
    });
  } finally {
    await files.removeEmptyDirectory(paths.own);
  }
}

/** The effective settings of sshd, which does not start without a host key: one is generated if none exists. */
async function settingsWithHostKey(
  sshd: Sshd,
  keys: Keys,
  ctx: Context,
): Promise<{ readonly settings: SshdSettings; readonly generatedKey: string | undefined }> {
  try {
    return { settings: await readSshdSettings(sshd, ctx), generatedKey: undefined };
  } catch (error) {
    if (!isWithoutHostKeys(error)) throw error;
    const { path, files } = await newHostKey(sshd.config, keys, ctx);
    await ctx.files.write(await files());
    ctx.output.note(`Generated the host key ${path}: sshd had none.`);
    return { settings: await readSshdSettings(sshd, ctx), generatedKey: path };
  }
}

/** The enrollment with all host keys of sshd, unless it names some. */
export async function withKeys(
  enrollment: Enrollment,
  settings: SshdSettings,
  ctx: Context,
): Promise<Enrollment> {
  if (enrollment.role === undefined) return { ...enrollment, keys: [] };
  const existing = await existingHostKeys(settings, ctx);
  checkHostKeys(enrollment.keys, existing);
  return enrollment.keys.length > 0 ? enrollment : { ...enrollment, keys: existing };
}

/** The files that do not come from the service: units, and last the settings of sshd, which refer to all others. */
export async function localFiles(
  { sshdConfigDir }: EnrollFlags,
  enrollment: Enrollment,
  manifest: Manifest | undefined,
  paths: HostPaths,
  ctx: Context,
): Promise<readonly TargetFile[]> {
  const directory = sshdConfigDir === undefined ? undefined : ctx.files.absolute(sshdConfigDir);
  const written = [...(manifest?.files ?? []), ...((await readJournal(paths, ctx))?.files ?? [])];
  const placement = await placeSettings(paths, enrollment, directory, written, ctx);
  const mode = placement.kind === 'block' ? ((await ctx.files.mode(placement.path)) ?? 0o644) : 0o644;
  return [...(await units(enrollment, paths, ctx)), { ...placement, mode }];
}

async function units(
  { unitDirectory }: Enrollment,
  paths: HostPaths,
  ctx: Context,
): Promise<readonly TargetFile[]> {
  if (!unitDirectory) return [];
  const { service, timer } = unitFiles(paths, await renewCommand(paths, ctx));
  const file = (type: string, content: string): TargetFile => ({
    path: `${unitDirectory}/${paths.unit}.${type}`,
    kind: 'unit',
    content,
    mode: 0o644,
  });
  return [file('service', service), file('timer', timer)];
}

/** @throws LanyardError conflict: somebody has changed a file, which would be overwritten. */
async function rejectChangedFiles(
  targets: readonly TargetFile[],
  manifest: Manifest | undefined,
  paths: HostPaths,
  ctx: Context,
): Promise<void> {
  const interrupted = (await readJournal(paths, ctx))?.files ?? [];
  for (const { path, kind } of targets) {
    const written = manifest?.files.find((file) => file.path === path);
    if (kind === 'block' || interrupted.some((file) => file.path === path)) continue;
    if (!(await ctx.files.exists(path))) continue;
    if (written && (await hashOf(path, ctx)) === written.hash) continue;
    if (written)
      throw conflict(`cannot write ${path}: it was changed after "lanyard ssh host enroll" wrote it`, {
        hint: 'Move your changes to another file, remove this one, and run the command again.',
      });
    throw conflict(`cannot write ${path}: already exists and was not written by "lanyard ssh host enroll"`, {
      hint: 'Rename or remove the file.',
    });
  }
}

const unitPath = (directory: string, paths: HostPaths): string => `${directory}/${paths.unit}.timer`;

/** Starts the timer, unless it runs with these units. */
async function setUpTimer(
  { unitDirectory }: Enrollment,
  written: readonly string[],
  paths: HostPaths,
  ctx: Context,
): Promise<void> {
  if (!unitDirectory || !(await hasSystemd(ctx))) return;
  const state = await readTimer(paths.unit, ctx);
  const isChanged = written.some((path) => path.startsWith(`${unitDirectory}/${paths.unit}.`));
  if (!isChanged && state?.active && state.enabled) return;
  const done = 'the files were written';
  await runStep(['systemctl', 'daemon-reload'], done, ctx);
  const name =
    unitDirectory === '/etc/systemd/system' ? `${paths.unit}.timer` : unitPath(unitDirectory, paths);
  await runStep(['systemctl', 'enable', '--now', name], done, ctx);
}

/** Stops the timer before its units are removed. */
export async function disableTimer(
  removed: readonly WrittenFile[],
  paths: HostPaths,
  ctx: Context,
): Promise<void> {
  if (!removed.some(({ kind }) => kind === 'unit') || !(await hasSystemd(ctx))) return;
  await runStep(['systemctl', 'disable', '--now', `${paths.unit}.timer`], 'nothing was removed', ctx);
}
