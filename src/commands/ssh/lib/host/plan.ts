import type { Context } from '../../../../command/context.ts';
import { type Block, code, raw, text } from '../../../../output/document.ts';
import { lineDiff } from '../../../../output/line-diff.ts';
import { shellWord } from '../../../../wire/printable.ts';
import { localFiles, withKeys } from './enroll.ts';
import { type EnrollFlags, enrollmentOf } from './enrollment.ts';
import { newHostKey } from './keys.ts';
import { hostClient } from './login.ts';
import { type Enrollment, readManifest } from './manifest.ts';
import type { HostPaths } from './paths.ts';
import { reloadCommand } from './reload.ts';
import { requireManifest } from './renew.ts';
import { findSshd, isWithoutHostKeys, readSshdSettings, type SshdSettings } from './sshd.ts';
import { targetCertificates } from './targets.ts';
import { hasSystemd } from './units.ts';

/** A file that would be written. */
interface PlannedFile {
  readonly path: string;
  /** `signed`, `read`: its content comes from the service. */
  readonly change: 'create' | 'replace' | 'unchanged' | 'signed' | 'read';
  /** Null: known only after the request. */
  readonly content: string | null;
  /** Where the content comes from; null: this machine. */
  readonly from: string | null;
}

const dryRunText = text('Dry run: nothing was written or sent.');

/** What an enrollment would write and run. Only sshd is asked, for its settings. */
export async function planEnrollment(flags: EnrollFlags, paths: HostPaths, ctx: Context) {
  const sshd = await findSshd(paths.config, ctx);
  const manifest = await readManifest(paths, ctx);
  const named = await enrollmentOf(flags, manifest?.enrollment, ctx);
  const keys = await ctx.ssh.keys();
  const settings = await readSshdSettings(sshd, ctx).catch((error: unknown) => {
    if (isWithoutHostKeys(error)) return undefined;
    throw error;
  });
  const generated = settings ? undefined : (await newHostKey(paths.config, keys, ctx)).path;
  const enrollment = settings
    ? await withKeys(named, settings, ctx)
    : { ...named, keys: generated === undefined || named.role === undefined ? [] : [generated] };
  const files: PlannedFile[] = [
    ...(generated === undefined ? [] : [planned(generated, 'create', 'a new ed25519 key')]),
    ...remoteFiles(enrollment, paths),
  ];
  const blocks: Block[] = [dryRunText, ...files.map(fileBlock)];
  for (const { path, content } of await localFiles(flags, enrollment, manifest, paths, ctx)) {
    const exists = await ctx.files.isFile(path);
    const before = exists ? await ctx.files.readText(path, 'the file') : '';
    const change = before === content ? 'unchanged' : exists ? 'replace' : 'create';
    files.push({ path, change, content: String(content), from: null });
    if (change === 'unchanged') continue;
    blocks.push(
      text(exists ? 'Change ' : 'Create ', code(path), ':'),
      raw(diffText(before, String(content))),
    );
  }
  const commands = await commandsOf(enrollment, paths, settings, sshd.program, ctx);
  blocks.push(text('Commands:'), raw(commands.map((line) => `${line}\n`).join('')));
  return { data: { files, commands }, document: blocks };
}

const planned = (path: string, change: PlannedFile['change'], from: string): PlannedFile => ({
  path,
  change,
  content: null,
  from,
});

const fileBlock = ({ path, change, from }: PlannedFile): Block =>
  text(change === 'create' ? 'Create ' : 'Write ', code(path), `: ${from}.`);

/** The files whose content comes from a service. */
function remoteFiles(
  { role, mount, keys, principals = [], userCas, revoked, login }: Enrollment,
  paths: HostPaths,
) {
  const secret =
    login.method === 'approle' ? [planned(paths.secretId, 'read', 'the secret ID of the AppRole')] : [];
  const signedBy = `signed with role ${role} of ${mount}/, for ${principals.join(', ')}`;
  return [
    ...secret,
    ...(role === undefined ? [] : keys.map((key) => planned(`${key}-cert.pub`, 'signed', signedBy))),
    ...(userCas.length === 0
      ? []
      : [planned(paths.userCas, 'read', `the CAs of ${userCas.map((name) => `${name}/`).join(', ')}`)]),
    ...(revoked === undefined ? [] : [planned(paths.revoked, 'read', `the revocation list at ${revoked}`)]),
    planned(paths.manifest, 'create', 'what was written, for "lanyard ssh host remove"'),
  ];
}

const diffText = (before: string, after: string): string =>
  lineDiff(before, after)
    .map(({ sign, line }) => `${sign} ${line}`.trimEnd())
    .map((line) => `${line}\n`)
    .join('');

async function commandsOf(
  enrollment: Enrollment,
  paths: HostPaths,
  settings: SshdSettings | undefined,
  program: string,
  ctx: Context,
): Promise<readonly string[]> {
  const reload = settings && (await reloadCommand(paths, enrollment, settings, ctx));
  const timer =
    typeof enrollment.unitDirectory === 'string' && (await hasSystemd(ctx))
      ? ['systemctl daemon-reload', `systemctl enable --now ${paths.unit}.timer`]
      : [];
  return [
    [program, '-T', '-f', paths.config].map(shellWord).join(' '),
    ...(reload ? [reload.map(shellWord).join(' ')] : []),
    ...timer,
  ];
}

/** Which files a renewal would read or sign. */
export async function planRenewal(paths: HostPaths, ctx: Context) {
  const { enrollment } = await requireManifest(paths, ctx);
  const keys = await ctx.ssh.keys();
  const client = hostClient(enrollment.login, paths, ctx);
  const certificates = await targetCertificates(enrollment, client, keys, ctx);
  const due = certificates.filter(({ isDue }) => isDue).map(({ path }) => path);
  const read = [
    ...(enrollment.userCas.length === 0 ? [] : [paths.userCas]),
    ...(enrollment.revoked === undefined ? [] : [paths.revoked]),
  ];
  return {
    data: {
      /** Certificates that are due for renewal. */
      due,
      /** Files that would be compared with the service. */
      read,
    },
    document: [
      dryRunText,
      ...due.map((path) => text('Due for renewal: ', code(path), '.')),
      ...read.map((path) => text('Compared with the service: ', code(path), '.')),
    ],
  };
}
