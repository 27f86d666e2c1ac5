import { flag, type Values } from '../../../../command/command.ts';
import type { Context } from '../../../../command/context.ts';
import { isWatching, watchFlags } from '../../../../command/watch-flags.ts';
import { usage } from '../../../../errors.ts';
import { type Block, code, raw, text } from '../../../../output/document.ts';
import type { Result } from '../../../../output/result.ts';
import { showChanges } from '../../../../watch/show-changes.ts';
import type { Source } from '../../../../watch/watch.ts';
import { installList } from './install.ts';
import type { StoredList } from './list.ts';
import { type ListLocation, listFlag, locationText, requireLocation } from './location.ts';
import { listStore, requireList } from './store.ts';
import { entryCount } from './views.ts';

/** The flags of `ssh trust` about the revocation list. */
export const revokedFlags = {
  revoked: flag.file('FILE', 'install the revocation list as RevokedKeys file'),
  list: listFlag,
  allowOlder: flag.boolean('with --revoked: replace a newer list'),
  ...watchFlags,
} as const;

type Flags = Values<typeof revokedFlags> & { readonly dryRun: boolean };

/** What `ssh trust --revoked` did. */
export interface InstalledList {
  /** The installed file. */
  readonly file: string;
  /** Location of the list. */
  readonly list: string;
  /** An unsigned 64-bit number as text. */
  readonly version: string;
  /** Number of entries. */
  readonly entries: number;
  /** Whether the file was written; absent in a dry run. */
  readonly changed?: boolean;
  /** The line for sshd_config. */
  readonly sshd: string;
  /** The line for ssh_config, against revoked host keys. */
  readonly ssh: string;
}

/** @throws LanyardError usage: a flag without the one it belongs to. */
export function rejectWithoutRevoked({ revoked, list, allowOlder, watch, interval }: Flags): void {
  if (revoked !== undefined) return;
  const given = { '--list': list, '--allow-older': allowOlder, '--watch': watch, '--interval': interval };
  for (const [name, value] of Object.entries(given))
    if (value !== undefined && value !== false) throw usage(`${name} requires --revoked FILE`);
}

/** Installs the revocation list on this machine, once or with `--watch` at each change. */
export async function trustRevoked(revoked: string, flags: Flags, ctx: Context) {
  const location = await requireLocation(flags.list, ctx);
  const isWatched = isWatching(flags, { 'dry-run': flags.dryRun });
  const file = ctx.files.absolute(revoked);
  const target = { file, from: locationText(location), allowsOlder: flags.allowOlder };
  if (isWatched) {
    const source = await installingSource(location, ctx, async (list) =>
      describe(list, { ...target, changed: await installList(list, target, ctx) }, ctx),
    );
    return showChanges(ctx, source, flags, {
      result: (installed) => viewOf(installed),
      absent: `no revocation list exists at ${locationText(location)}; ${file} is unchanged`,
    });
  }
  const list = await requireList(location, ctx);
  if (flags.dryRun) return viewOf(await describe(list, target, ctx));
  return viewOf(await describe(list, { ...target, changed: await installList(list, target, ctx) }, ctx));
}

async function describe(
  { krl }: StoredList,
  { file, from, changed }: { readonly file: string; readonly from: string; readonly changed?: boolean },
  { ssh }: Pick<Context, 'ssh'>,
): Promise<InstalledList> {
  const { entriesOf } = await ssh.revocation();
  return {
    file,
    list: from,
    version: String(krl.version),
    entries: entriesOf(krl).length,
    ...(changed === undefined ? {} : { changed }),
    sshd: `RevokedKeys ${file}`,
    ssh: `RevokedHostKeys ${file}`,
  };
}

function viewOf(installed: InstalledList): Result<InstalledList> {
  const { file, version, entries, changed, sshd, ssh } = installed;
  const what = `version ${version} of the revocation list (${entryCount(entries)})`;
  const lines: readonly Block[] = [
    text('For users, add this line to sshd_config when the file exists, and reload sshd:'),
    raw(`${sshd}\n`),
    text('For host keys, add this line to ssh_config of the clients:'),
    raw(`${ssh}\n`),
  ];
  if (changed === false)
    return { data: installed, document: [text(code(file), ` is up to date: version ${version}.`)] };
  const done = changed ? 'Installed' : 'Dry run: nothing was written. It would install';
  return { data: installed, document: [text(`${done} ${what} as `, code(file), '.'), ...lines] };
}

/** Installs each list that it reads. */
async function installingSource(
  location: ListLocation,
  ctx: Context,
  install: (list: StoredList) => Promise<InstalledList>,
): Promise<Source<InstalledList>> {
  const source = (await listStore(location, ctx, { retries: 0 })).source();
  const { readKrl } = await ctx.ssh.revocation();
  return {
    ...(source.intervalMs === undefined ? {} : { intervalMs: source.intervalMs }),
    comparable: ({ version, entries }) => [version, entries],
    read: async (after, signal) => {
      const { value: bytes, ...rest } = await source.read(after, signal);
      if (bytes === undefined) return { ...rest, value: undefined };
      const list = { bytes, krl: readKrl(bytes, `the revocation list at ${locationText(location)}`) };
      return { ...rest, value: await install(list) };
    },
  };
}
