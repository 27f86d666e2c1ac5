import { flag, type Values } from '../../../../command/command.ts';
import type { Context } from '../../../../command/context.ts';
import { usage } from '../../../../errors.ts';
import type { RevokedEntry } from '../../../../ssh/krl/krl.ts';
import { readCaBundle } from '../ca/bundle.ts';
import { mountFlag } from '../mount.ts';

/** What the entries of a list are selected with, besides files. */
export const selectionFlags = {
  serial: flag.texts('N|N-M', 'serial number or range, decimal or 0x; repeatable'),
  keyId: flag.texts('ID', 'key ID of certificates; repeatable'),
  fingerprint: flag.texts('SHA256:...', 'fingerprint of a key; repeatable'),
  ca: flag.texts('FILE|SHA256:...|any', 'CA of --serial and --key-id (default: all of the mount)'),
  mount: mountFlag,
} as const;

type Selection = Values<typeof selectionFlags>;
type SelectionContext = Pick<Context, 'api' | 'files' | 'input' | 'output' | 'ssh'>;

const maxSerial = 2n ** 64n - 1n;

/**
 * The entries for files and flags. A certificate is its serial at its CA, or its key if it has serial 0; a key is itself.
 *
 * @throws LanyardError usage: nothing is selected, invalid values, damaged files; not found: the mount has no CA.
 */
export async function readSelection(
  files: readonly string[],
  flags: Selection,
  ctx: SelectionContext,
): Promise<readonly RevokedEntry[]> {
  const serials = flags.serial.map(parseSerials);
  for (const keyId of flags.keyId)
    if (keyId === '' || keyId.includes('\0')) throw usage('invalid --key-id: expected a key ID');
  const fingerprints = flags.fingerprint.map(parseFingerprint);
  const needsCa = serials.length + flags.keyId.length > 0;
  if (flags.ca.length > 0 && !needsCa)
    throw usage('--ca requires --serial or --key-id', {
      hint: 'To revoke a CA with all of its certificates, use its public key as FILE.',
    });
  if (!needsCa && files.length + fingerprints.length === 0)
    throw usage('nothing selected: expected a FILE, --serial, --key-id or --fingerprint');
  const fromFiles: RevokedEntry[] = [];
  for (const file of files) fromFiles.push(await entryOfFile(file, ctx));
  const cas = needsCa ? await readCas(flags, ctx) : [];
  return [
    ...fromFiles,
    ...cas.flatMap((ca): RevokedEntry[] => [
      ...serials.map((range): RevokedEntry => ({ by: 'serial', ca, ...range })),
      ...flags.keyId.map(
        (keyId): RevokedEntry => ({ by: 'key ID', ca, keyId: Buffer.from(keyId).toString('latin1') }),
      ),
    ]),
    ...fingerprints,
  ];
}

/** The text of a key or certificate, `-` for standard input, and its name for messages. */
export async function readKeyFile(
  file: string,
  { files, input }: Pick<Context, 'files' | 'input'>,
): Promise<{ readonly content: string; readonly name: string }> {
  if (file === '-') return { content: (await input.readStdin()).toString('utf8'), name: 'standard input' };
  return { content: await files.readText(file, 'the key or certificate'), name: file };
}

async function entryOfFile(file: string, ctx: SelectionContext): Promise<RevokedEntry> {
  const { content, name } = await readKeyFile(file, ctx);
  const found = await (await ctx.ssh.keys()).inspect(content, name);
  if (found.what === 'private key')
    throw usage(`${name} is a private key; expected a public key or certificate`);
  // Anyone can write a certificate with the serial of somebody else's.
  if (found.what === 'certificate' && !found.certificate.signatureValid)
    throw usage(`${name} has an invalid signature`, {
      hint: 'To revoke its key, use the public key without the certificate.',
    });
  const { key, certificate } = (await ctx.ssh.revocation()).readRevocable(content, name);
  if (!certificate) return { by: 'key', key };
  const { ca, serial } = certificate;
  if (serial !== 0n) return { by: 'serial', ca, from: serial, to: serial };
  ctx.output.note(`${name} has no serial number; its key is selected instead`);
  return { by: 'key', key };
}

function parseSerials(text: string): { readonly from: bigint; readonly to: bigint } {
  const number = '0[xX][0-9a-fA-F]{1,16}|[0-9]{1,20}';
  const [, first, last = first] = new RegExp(`^(${number})(?:-(${number}))?$`).exec(text) ?? [];
  if (first === undefined || last === undefined)
    throw usage(`invalid --serial "${text}": expected a number or a range N-M`, {
      hint: 'Hexadecimal serials, as in responses and audit logs, begin with 0x.',
    });
  const range = { from: BigInt(first), to: BigInt(last) };
  if (range.from > range.to || range.to > maxSerial)
    throw usage(`invalid --serial "${text}": expected numbers from 1 to 18446744073709551615 in order`);
  if (range.from === 0n)
    throw usage(`invalid --serial "${text}": sshd ignores the serial 0`, {
      hint: 'Revoke certificates without a serial number by their files, key or key ID.',
    });
  return range;
}

function parseFingerprint(text: string): RevokedEntry {
  const [, by, base64 = ''] = /^(SHA256|SHA1):([A-Za-z0-9+/]+)=*$/.exec(text) ?? [];
  const hash = Buffer.from(base64, 'base64');
  if ((by === 'SHA256' && hash.length === 32) || (by === 'SHA1' && hash.length === 20))
    return { by, hash: hash.toString('base64') };
  throw usage(`invalid fingerprint "${text}": expected SHA256: and base64`, {
    hint: 'Run `lanyard ssh inspect FILE` to see the fingerprint of a key.',
  });
}

/** The public key blobs of the CAs of `--ca`, or of all CAs of the mount, in base64. */
async function readCas({ ca: given, mount }: Selection, ctx: SelectionContext): Promise<readonly string[]> {
  const blobOf = async (text: string, name: string): Promise<string> =>
    (await ctx.ssh.revocation()).readRevocable((await ctx.ssh.keys()).readPublicKey(text, name).line, name)
      .key;
  const ofMount = async (): Promise<readonly string[]> => {
    const { cas, missing } = await readCaBundle(await ctx.api.secrets(), mount);
    for (const each of missing) ctx.output.warn(`not revoked for ${each}`);
    return Promise.all(cas.map(({ publicKey }) => blobOf(publicKey, `the CA of ${mount}/`)));
  };
  if (given.length === 0) return ofMount();
  const named = given.map(async (text) => {
    if (text === 'any') return '';
    if (!/^SHA(256|1):/.test(text)) return blobOf(await ctx.files.readText(text, 'the public key'), text);
    const { emptyKrl, findRevocation, withEntries } = await ctx.ssh.revocation();
    const fingerprint = withEntries(emptyKrl, [parseFingerprint(text)]);
    const found = (await ofMount()).find((key) => findRevocation(fingerprint, { key }));
    if (found !== undefined) return found;
    throw usage(`no CA of ${mount}/ has the fingerprint ${text}`, {
      hint: 'Use the public key of the CA as --ca FILE.',
    });
  });
  return [...new Set(await Promise.all(named))];
}
