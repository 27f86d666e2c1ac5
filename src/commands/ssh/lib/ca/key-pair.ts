import { flag, type Values } from '../../../../command/command.ts';
import type { Context } from '../../../../command/context.ts';
import { usage } from '../../../../errors.ts';
import type { PublicKeyInfo } from '../../../../ssh/types.ts';
import type { SshCaBody } from '../../../../wire/secrets.ts';

const keyTypes = [
  'rsa',
  'ec',
  'ed25519',
  'ssh-rsa',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'ssh-ed25519',
] as const;

/** The flags of a key pair that is generated or imported. */
export const keyPairFlags = {
  keyType: flag.choice(keyTypes, 'rsa (default), ec, ed25519, or an OpenSSH key type', { value: 'TYPE' }),
  keyBits: flag.integer('N', 'key size (rsa: default 4096; ec: 256, 384, 521)'),
  privateKey: flag.file('FILE|-', 'private key to import'),
  publicKey: flag.file('FILE', 'public key to import'),
} as const;

type KeyPairFlags = Values<typeof keyPairFlags>;

/** `type base64` of a public key line, without its comment. */
export const decodeBlob = (line: string): string => line.trim().split(/\s+/).slice(0, 2).join(' ');

const longNames: Readonly<Record<string, string>> = { rsa: 'ssh-rsa', ed25519: 'ssh-ed25519' };

/** @throws LanyardError usage: --key-type or --key-bits differ from the imported pair. */
function rejectOtherKey({ keyType, keyBits }: KeyPairFlags, { type, bits }: PublicKeyInfo): void {
  const isOfType =
    keyType === undefined ||
    (keyType === 'ec' ? type.startsWith('ecdsa-') : type === (longNames[keyType] ?? keyType));
  if (!isOfType) throw usage(`--key-type ${keyType} does not match the key pair, which is ${type}`);
  if (keyBits && keyBits !== bits)
    throw usage(`--key-bits ${keyBits} does not match the key pair, which has ${bits}`);
}

/**
 * The key pair to import; empty: the service generates one.
 *
 * @throws LanyardError usage: one of the files is missing or invalid, or the files do not belong together.
 */
export async function readKeyPair(flags: KeyPairFlags, ctx: Context): Promise<SshCaBody> {
  if (flags.privateKey === undefined && flags.publicKey === undefined) return {};
  if (flags.privateKey === undefined || flags.publicKey === undefined)
    throw usage('--private-key and --public-key must be used together');
  const keys = await ctx.ssh.keys();
  const privateText =
    flags.privateKey === '-'
      ? (await ctx.input.readStdin()).toString('utf8')
      : await ctx.files.readText(flags.privateKey, 'the private key');
  const privateInfo = await keys.readPrivateKey(privateText, flags.privateKey);
  const { line, info } = keys.readPublicKey(
    await ctx.files.readText(flags.publicKey, 'the public key'),
    flags.publicKey,
  );
  if (info.fingerprint !== privateInfo.fingerprint)
    throw usage(`${flags.publicKey} is not the public key of ${flags.privateKey}`);
  rejectOtherKey(flags, info);
  return { private_key: privateText, public_key: line, generate_signing_key: false };
}
