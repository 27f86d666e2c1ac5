import { command } from '../../../../command/command.ts';
import { conflict, usage } from '../../../../errors.ts';
import { text } from '../../../../output/document.ts';
import type { PublicKeyInfo } from '../../../../ssh/types.ts';
import type { SshCaBody } from '../../../../wire/secrets.ts';
import { keyPairFlags, readKeyPair } from '../../lib/ca/key-pair.ts';
import { mountFlag } from '../../lib/mount.ts';
import { startIssuers } from '../../lib/rotate/issuers.ts';
import { startMounts } from '../../lib/rotate/mounts.ts';
import { readRotation } from '../../lib/rotate/rotation.ts';
import { runSteps } from '../../lib/rotate/steps.ts';
import { rotationResult } from '../../lib/rotate/view.ts';

export default command({
  description:
    'The new CA does not sign yet. It is an issuer that is not the default or, on services with one CA per mount, in a second mount with copies of the roles. It has the key type of the current CA unless you choose one or import a key pair.',
  examples: [
    'lanyard ssh ca rotate start',
    'lanyard ssh ca rotate start --mount ssh-hosts --key-type ed25519',
  ],
  service: 'secrets',
  writes: 'after reads',
  changes: ['secrets mount'],
  flags: { ...keyPairFlags, mount: mountFlag },
  async run({ flags }, ctx) {
    const { mount } = flags;
    const given = await readKeyPair(flags, ctx);
    const secrets = await ctx.api.secrets();
    const rotation = await readRotation(secrets, mount);
    const { phase } = rotation;
    if (phase !== 'none' && phase !== 'starting')
      throw conflict(`cannot start a rotation of ${mount}/: one is in progress (phase ${phase})`, {
        service: 'secrets',
        hint: 'Run `lanyard ssh ca rotate status` to see what is next.',
      });
    const keys = await ctx.ssh.keys();
    const { info } = keys.readPublicKey(rotation.old.publicKey, 'the public key of the CA');
    const keyPair =
      given.public_key === undefined && flags.keyType === undefined
        ? { ...sameType(info), ...(flags.keyBits && { key_bits: flags.keyBits }) }
        : { ...given, ...(flags.keyType && { key_type: flags.keyType, key_bits: flags.keyBits ?? 0 }) };
    await runSteps(
      rotation.kind === 'issuers'
        ? startIssuers(secrets, rotation, keyPair)
        : await startMounts(secrets, rotation, keyPair),
      ctx,
    );
    const started = await readRotation(secrets, mount);
    return rotationResult(started, ctx, text(`Started the rotation of the CA of ${mount}/.`));
  },
});

/** The type and size of a key, as a request. @throws LanyardError usage: no service generates such keys. */
function sameType({ type, bits }: PublicKeyInfo): SshCaBody {
  if (type === 'ssh-ed25519') return { key_type: 'ed25519' };
  if (type === 'ssh-rsa') return { key_type: 'rsa', key_bits: bits };
  if (type.startsWith('ecdsa-')) return { key_type: 'ec', key_bits: bits };
  throw usage(`the current CA has a key of type ${type}: use --key-type to choose another one`);
}
