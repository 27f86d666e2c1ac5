import type { Context } from '../../../../command/context.ts';
import { isFailure } from '../../../../errors.ts';
import { formatTimestamp, relativeTime } from '../../../../output/humanize.ts';
import type { Krl } from '../../../../ssh/krl/krl.ts';
import { maxListBytes } from '../revoked/limits.ts';
import { locationText, parseLocation } from '../revoked/location.ts';
import { requireList } from '../revoked/store.ts';
import { type Check, notCompared, ok, problem, unknown } from './checks.ts';
import type { HostClient } from './login.ts';
import type { Enrollment, Manifest } from './manifest.ts';
import type { HostPaths } from './paths.ts';
import type { TargetFile } from './targets.ts';

/** A location that is the same in every directory. @throws LanyardError usage: invalid. */
export function absoluteLocation(text: string, { files }: Pick<Context, 'files'>): string {
  const location = parseLocation(text);
  return location.store === 'file' ? files.absolute(location.path) : locationText(location);
}

const readList = async (location: string, client: HostClient, ctx: Context) => {
  const parsed = parseLocation(location);
  return requireList(parsed, ctx, parsed.store === 'secrets' ? await client.options() : {});
};

/** The installed list; undefined: none, or damaged. */
async function installedList(path: string, ctx: Context): Promise<Krl | undefined> {
  if (!(await ctx.files.isFile(path))) return undefined;
  const bytes = await ctx.files.readBytes(path, 'the revocation list', maxListBytes);
  try {
    return (await ctx.ssh.revocation()).readKrl(bytes, path);
  } catch (error) {
    if (!isFailure(error)) throw error;
    return undefined;
  }
}

/**
 * The file for RevokedKeys, read from its location; undefined: the enrollment has none, or the location has an older list
 * than the host, which would accept revoked keys again.
 *
 * @param isMoved the list is at another location than before: versions cannot be compared.
 * @throws LanyardError not found: no list is at the location. sshd rejects all keys if the file is missing.
 */
export async function targetRevoked(
  { revoked }: Pick<Enrollment, 'revoked'>,
  paths: HostPaths,
  client: HostClient,
  ctx: Context,
  isMoved = false,
): Promise<TargetFile | undefined> {
  if (revoked === undefined) return undefined;
  const { krl, bytes } = await readList(revoked, client, ctx);
  const file = { path: paths.revoked, kind: 'revoked', mode: 0o644 } as const;
  const installed = isMoved ? undefined : await installedList(paths.revoked, ctx);
  if (installed === undefined || !(await isOlder(krl, installed, ctx))) return { ...file, content: bytes };
  ctx.output.warn(
    `the revocation list at ${revoked} (version ${krl.version}) lacks entries of the one of this host (version ${installed.version}), which is kept`,
  );
  return { ...file, content: await ctx.files.readBytes(paths.revoked, 'the revocation list', maxListBytes) };
}

/** Whether a list would accept again what an installed one rejects, without a later version that says so. */
async function isOlder(krl: Krl, installed: Krl, { ssh }: Pick<Context, 'ssh'>): Promise<boolean> {
  if (krl.version !== installed.version) return krl.version < installed.version;
  const { entriesOf, missingEntries } = await ssh.revocation();
  return missingEntries(krl, entriesOf(installed)).length > 0;
}

/** The checks of the revocation list: its version and age, and whether its location has another one. */
export async function checkRevoked(
  {
    manifest,
    paths,
    client,
    offline,
  }: {
    readonly manifest: Manifest;
    readonly paths: HostPaths;
    readonly client: HostClient;
    readonly offline: string | undefined;
  },
  ctx: Context,
): Promise<readonly Check[]> {
  const { revoked } = manifest.enrollment;
  const name = paths.revoked;
  if (revoked === undefined) return [];
  const installed = await installedList(name, ctx);
  if (installed === undefined) return [problem(name, 'missing or damaged: sshd rejects all keys')];
  const generated = Number(installed.generated);
  const age = relativeTime(generated - ctx.system.clock().getTime() / 1000);
  const local = `version ${installed.version} of ${formatTimestamp(new Date(generated * 1000))} (${age})`;
  if (offline !== undefined && !parseLocation(revoked).store.startsWith('file'))
    return [unknown(name, `${local}; ${offline}`)];
  try {
    const { krl } = await readList(revoked, client, ctx);
    return krl.version === installed.version
      ? [ok(name, `${local}, as at ${revoked}`)]
      : [problem(name, `${local}; ${revoked} has version ${krl.version}: run \`lanyard ssh host renew\``)];
  } catch (error) {
    return [notCompared(name, local, error)];
  }
}
