import { isExistingCa } from '../../../api/conditions.ts';
import { command, flag, passWarnings } from '../../../command.ts';
import type { Context } from '../../../context.ts';
import { LanyardError, settle, usage } from '../../../errors.ts';
import { code, raw, text } from '../../../output/document.ts';
import type { PublicKeyInfo } from '../../../ssh/ssh.ts';
import type { SshCaBody } from '../../../wire/secrets.ts';
import { mountFlag, mountOf } from '../shared.ts';

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

export default command({
  description:
    'The service makes the pair, unless you hand one over with --private-key and --public-key or name a managed key. The private key never leaves the service. A CA that is there is not replaced: delete it first.',
  examples: [
    'lanyard ssh ca create --key-type ed25519',
    'lanyard ssh ca create --private-key ca --public-key ca.pub',
  ],
  service: 'secrets',
  writes: true,
  args: {},
  flags: {
    keyType: flag.choice(
      keyTypes,
      'type of the pair that is made: rsa (the default), ec, ed25519, or the OpenSSH name of one',
      { value: 'TYPE' },
    ),
    keyBits: flag.integer('N', 'size of the pair that is made (rsa: default 4096; ec: 256, 384 or 521)'),
    privateKey: flag.text('FILE|-', 'hand over this private key', { completes: 'file' }),
    publicKey: flag.text('FILE', 'and its public key', { completes: 'file' }),
    managedKeyName: flag.name('NAME', 'use the managed key of this name'),
    managedKeyId: flag.name('ID', 'use the managed key with this ID'),
    mount: mountFlag,
  },
  async run({ args: _none, flags }, ctx) {
    const mount = mountOf(flags);
    const given = await givenPair(flags, ctx);
    const secrets = await ctx.api.secrets();
    const body: SshCaBody = {
      ...given,
      ...(flags.keyType ? { key_type: flags.keyType } : {}),
      ...(flags.keyBits === undefined ? {} : { key_bits: flags.keyBits }),
      ...(flags.managedKeyName ? { managed_key_name: flags.managedKeyName } : {}),
      ...(flags.managedKeyId ? { managed_key_id: flags.managedKeyId } : {}),
    };
    const answer = await settle(
      () => secrets.createCa({ mount, ...body }).catch(existing(mount)),
      async () => {
        const there = (await secrets.readCa({ mount })).body.data.public_key.trim();
        return {
          done: given.public_key !== undefined && there.startsWith(blobOf(given.public_key)),
          found: `a CA is configured now: ${there}`,
        };
      },
    );
    if (!answer) ctx.io.warn('the answer was lost, but the service has this CA now');
    passWarnings(ctx.io, answer?.body);
    const made = answer?.body?.data?.public_key;
    const document =
      typeof made === 'string'
        ? [text('The CA is made. Its public key:'), raw(made.endsWith('\n') ? made : `${made}\n`)]
        : [text('The CA is set. ', code('lanyard ssh ca get'), ' shows its public key.')];
    return { data: answer?.body ?? null, payload: answer?.body?.data ?? null, document };
  },
});

/** A CA that is there is answered with 400; to a person and a script it is a conflict. */
const existing =
  (mount: string) =>
  (error: unknown): never => {
    if (!isExistingCa(error)) throw error;
    throw new LanyardError('conflict', `there is a CA in ${mount}/ already`, {
      ...{ service: 'secrets', status: error.status, details: error.details },
      hint: '"lanyard ssh ca delete" deletes it, for good.',
    });
  };

/** `type base64` of a public key line, without its comment. */
const blobOf = (line: string): string => line.trim().split(/\s+/).slice(0, 2).join(' ');

interface Wanted {
  readonly keyType: (typeof keyTypes)[number] | undefined;
  readonly keyBits: number | undefined;
}

const longNames: Readonly<Record<string, string>> = { rsa: 'ssh-rsa', ed25519: 'ssh-ed25519' };

/** A pair that is handed over is of its own type and size. @throws LanyardError usage: another is asked for. */
function refuseOther({ keyType, keyBits }: Wanted, { type, bits }: PublicKeyInfo): void {
  const isOfType =
    keyType === undefined ||
    (keyType === 'ec' ? type.startsWith('ecdsa-') : type === (longNames[keyType] ?? keyType));
  if (!isOfType) throw usage(`--key-type ${keyType} does not fit the pair, which is ${type}`);
  if (keyBits && keyBits !== bits)
    throw usage(`--key-bits ${keyBits} does not fit the pair, which has ${bits}`);
}

async function givenPair(
  flags: Wanted & { readonly privateKey: string | undefined; readonly publicKey: string | undefined },
  ctx: Context,
): Promise<SshCaBody> {
  if (flags.privateKey === undefined && flags.publicKey === undefined) return {};
  if (flags.privateKey === undefined || flags.publicKey === undefined)
    throw usage('--private-key and --public-key come together');
  const keys = await ctx.keys();
  const privateText =
    flags.privateKey === '-'
      ? (await ctx.io.readStdin()).toString('utf8')
      : await ctx.files.readText(flags.privateKey, 'the private key');
  const privateInfo = await keys.privateKey(privateText, flags.privateKey);
  const { line, info } = keys.publicKey(
    await ctx.files.readText(flags.publicKey, 'the public key'),
    flags.publicKey,
  );
  if (info.fingerprint !== privateInfo.fingerprint)
    throw usage(`${flags.publicKey} is not the public half of ${flags.privateKey}`);
  refuseOther(flags, info);
  return { private_key: privateText, public_key: line, generate_signing_key: false };
}
