import { flag, type Values } from '../../../../command/command.ts';
import type { Context } from '../../../../command/context.ts';
import { insteadOf, isKind, notFound, usage } from '../../../../errors.ts';
import { timestampText } from '../../../../output/humanize.ts';
import type { RevokedEntry } from '../../../../ssh/krl/krl.ts';
import { readCaBundle, type TrustedCa } from '../ca/bundle.ts';
import { isValid, type SignedCertificate } from './entry.ts';
import { isUser } from './filter.ts';
import { historyFlags, openHistory } from './history.ts';

/** What `ssh revoke --user` reads. */
export const userFlags = {
  user: flag.name('NAME', 'valid certificates of this user, as in "lanyard ssh history"'),
  ...historyFlags,
} as const;

interface UserSelection extends Omit<Values<typeof userFlags>, 'user'> {
  readonly user: string;
  /** `--ca`: files of CA keys, or `any`, for certificates whose CA cannot be read. */
  readonly ca: readonly string[];
}

/** A certificate with what a revocation list needs. */
type Revocable = SignedCertificate & { readonly serial: string };

/** Certificates that are listed before the prompt. */
const maxListed = 20;

/**
 * The entries that revoke the certificates of a user that may still be valid, each by its serial number at its CA. Notes
 * list them, and warnings say what the record does not have.
 *
 * @throws LanyardError not found: no certificates of the user, or the key of a CA cannot be read.
 */
export async function entriesOfUser(flags: UserSelection, ctx: Context): Promise<readonly RevokedEntry[]> {
  const { output } = ctx;
  const found = await readValid(flags, ctx);
  const valid = found.filter((entry): entry is Revocable => entry.serial !== undefined);
  if (valid.length < found.length)
    output.warn(
      `certificates of user ${flags.user} that are not revoked, because the audit log has only hashes of them: ${found.length - valid.length}`,
    );
  for (const entry of valid.slice(0, maxListed)) output.note(describe(entry));
  if (valid.length > maxListed) output.note(`... and ${valid.length - maxListed} more`);
  // sshd ignores the serial 0.
  const [unnumbered, numbered] = [valid.filter(isUnnumbered), valid.filter((each) => !isUnnumbered(each))];
  const byKey = unnumbered.flatMap(({ fingerprint }): RevokedEntry[] => {
    const hash = Buffer.from(fingerprint?.replace('SHA256:', '') ?? '', 'base64');
    return hash.length === 32 ? [{ by: 'SHA256', hash: hash.toString('base64') }] : [];
  });
  if (byKey.length < unnumbered.length)
    output.warn(
      `certificates without a serial number that are not revoked: ${unnumbered.length - byKey.length}`,
    );
  return [...byKey, ...(await serialEntries(numbered, flags.ca, ctx))];
}

const isUnnumbered = ({ serial }: Revocable): boolean => serial === '0';

/** The certificates of the user that have not expired, as far as known. */
async function readValid(flags: UserSelection, ctx: Context): Promise<readonly SignedCertificate[]> {
  const { user } = flags;
  const now = ctx.system.clock().getTime();
  const range = { since: undefined, until: undefined };
  const history = await openHistory({ ...flags, serial: undefined }, range, ctx);
  const valid = new Map<string, SignedCertificate>();
  let expired = 0;
  for await (const group of history.groups)
    for (const entry of group) {
      if (!isUser(entry, user)) continue;
      if (isValid(entry, now) === false) expired += 1;
      // Logs may overlap.
      else valid.set(`${entry.caFingerprint} ${entry.serial ?? `${entry.time} ${valid.size}`}`, entry);
    }
  for (const gap of history.gaps()) ctx.output.warn(`the list is incomplete: ${gap}`);
  const begin = timestampText(history.begin());
  const source = history.isOfAuditLog ? 'The audit log' : 'The record';
  const others = history.isOfAuditLog ? 'before then' : 'before then, or not with Lanyard,';
  if (begin !== undefined)
    ctx.output.note(`${source} begins at ${begin}. Certificates that were signed ${others} are not in it.`);
  if (valid.size > 0) return [...valid.values()];
  if (expired > 0) {
    ctx.output.note(`All certificates of user ${user} have expired: ${expired}.`);
    return [];
  }
  throw notFound(`no certificates of user "${user}" found`, {
    details: [history.others(user) ?? []].flat(),
    hint: 'Run `lanyard ssh history` for the certificates and their users.',
  });
}

function describe({ time, role, principals, serial, validBefore }: Revocable): string {
  const until = validBefore === null ? 'without an end' : timestampText(validBefore);
  const names = principals?.length === 0 ? 'any principal' : principals?.join(', ');
  return [
    `serial ${serial}`,
    `role ${role}`,
    ...(names === undefined ? [] : [names]),
    `signed ${timestampText(time)}`,
    ...(until === undefined ? [] : [`valid until ${until}`]),
  ].join(', ');
}

async function serialEntries(
  entries: readonly Revocable[],
  given: readonly string[],
  ctx: Context,
): Promise<readonly RevokedEntry[]> {
  if (entries.length === 0) return [];
  const keysOf = await caKeys(entries, given, ctx);
  const unknown = new Set<string>();
  const revoked = entries.flatMap((entry): RevokedEntry[] => {
    const serial = BigInt(entry.serial);
    const cas = keysOf(entry);
    if (cas.length === 0) unknown.add(entry.caFingerprint ?? `of ${entry.mount}/`);
    return cas.map((ca) => ({ by: 'serial', ca, from: serial, to: serial }));
  });
  if (unknown.size === 0) return revoked;
  throw notFound(`cannot revoke: the public key of CA ${[...unknown].join(', ')} not found`, {
    details: ['Nothing was changed.'],
    hint: 'Use the public key of the CA as --ca FILE, or revoke the serial numbers of all CAs with --ca any.',
  });
}

/** The keys of the CAs that may have signed a certificate: in base64, `''` for any CA. */
async function caKeys(
  entries: readonly Revocable[],
  given: readonly string[],
  ctx: Context,
): Promise<(entry: Revocable) => readonly string[]> {
  const isAny = given.includes('any');
  const keys = await ctx.ssh.keys();
  const { readRevocable } = await ctx.ssh.revocation();
  const read = (text: string, name: string) => {
    const { line, info } = keys.readPublicKey(text, name);
    return { fingerprint: info.fingerprint, blob: readRevocable(line, name).key };
  };
  const files: ReturnType<typeof read>[] = [];
  for (const file of given.filter((each) => each !== 'any')) {
    if (file.startsWith('SHA256:')) throw usage('--ca of --user must be a file or any');
    files.push(read(await ctx.files.readText(file, 'the public key'), file));
  }
  const mounts = new Map<string, readonly ReturnType<typeof read>[]>();
  const isKnown = ({ caFingerprint }: Revocable) => files.some((key) => key.fingerprint === caFingerprint);
  const needed = isAny ? [] : entries.filter((entry) => !isKnown(entry));
  for (const mount of new Set(needed.map((entry) => entry.mount))) {
    const cas = await readCas(mount, ctx);
    mounts.set(
      mount,
      cas.map(({ publicKey }) => read(publicKey, `the CA of ${mount}/`)),
    );
  }
  return (entry) => {
    if (isAny) return [''];
    const all = [...files, ...(mounts.get(entry.mount) ?? [])];
    const { caFingerprint } = entry;
    const own = all.filter(({ fingerprint }) => caFingerprint === undefined || fingerprint === caFingerprint);
    return [...new Set(own.map(({ blob }) => blob))];
  };
}

/** The CAs of a mount; none: it may be a mount of another cluster or namespace. */
const readCas = async (mount: string, { api }: Context): Promise<readonly TrustedCa[]> =>
  (
    await readCaBundle(await api.secrets(), mount).catch(
      insteadOf(isKind('not_found', 'forbidden', 'unauthenticated'), { cas: [] }),
    )
  ).cas;
