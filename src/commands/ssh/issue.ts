import { command, flag, showWarnings } from '../../command/command.ts';
import { usage } from '../../errors.ts';
import { code, text } from '../../output/document.ts';
import {
  anyPrincipalText,
  certificateFlags,
  certificateRequest,
  checkSignedCertificate,
  describeSignError,
} from './lib/certificate-request.ts';
import { roleArg, signingDefaults } from './lib/defaults.ts';
import { warnAboutForcedCommand } from './lib/forced-command.ts';
import { mountFlag } from './lib/mount.ts';
import { openRecorder, recordChanges, recordFlag } from './lib/record.ts';
import { certificateView } from './lib/views.ts';

export default command({
  description:
    'The service generates the key pair and does not store it. Writes NAME, NAME.pub and NAME-cert.pub, all or none. To sign a key that you already have, use "lanyard ssh sign".',
  examples: [
    'lanyard ssh issue deploy --key-type ed25519 --principals ubuntu --out deploy-key',
    'lanyard ssh issue deploy --key-type rsa --key-bits 3072 --out id_rsa',
  ],
  service: 'secrets',
  writes: true,
  changes: ['files', ...recordChanges],
  args: { role: roleArg('role to sign with') },
  flags: {
    keyType: flag.choice(['rsa', 'ed25519', 'ec'], 'key type (default rsa)'),
    keyBits: flag.integer('N', 'key size (rsa: 2048, 3072, 4096; ec: 256, 384, 521)'),
    ...certificateFlags,
    out: flag.required('NAME', 'private key file; the others go next to it', { completes: 'file' }),
    force: flag.boolean('overwrite existing files'),
    record: recordFlag,
    mount: mountFlag,
  },
  async run({ args, flags }, ctx) {
    if (flags.out === '-')
      throw usage('--out requires a file name, not standard output', {
        hint: 'Specify a file; the public key and the certificate are written next to it.',
      });
    const paths = [flags.out, `${flags.out}.pub`, `${flags.out}-cert.pub`] as const;
    const targets = paths.map((path) => ({ path, replace: flags.force }));
    await ctx.files.checkWritable(targets);
    const { mount } = flags;
    const { role, principals } = await signingDefaults({ ...flags, role: args.role }, ctx);
    const request = certificateRequest({ ...flags, principals });
    const recorder = await openRecorder(flags.record, ctx);
    const secrets = await ctx.api.secrets();
    const { body } = await secrets
      .issueKey({
        mount,
        role,
        key_type: flags.keyType || undefined,
        key_bits: flags.keyBits,
        ...request,
      })
      .catch(describeSignError(role, mount));
    ctx.output.mask(body.data.private_key);
    showWarnings(ctx.output, body);
    const keys = await ctx.ssh.keys();
    const { line, info } = await keys.derivePublicKey(body.data.private_key, 'private_key of the response');
    const certificate = await checkSignedCertificate(info.fingerprint, body.data.signed_key, keys);
    await recorder?.add(certificate, { mount, role });
    const contents = [body.data.private_key, `${line}\n`, body.data.signed_key];
    await ctx.files.write(targets.map((target, index) => ({ ...target, content: contents[index] ?? '' })));
    await warnAboutForcedCommand(role, mount, request, ctx);
    if (certificate.principals.length === 0) ctx.output.warn(anyPrincipalText(certificate.kind));
    return {
      data: body,
      payload: body.data,
      document: [
        text('Wrote ', code(paths[0]), ', ', code(paths[1]), ' and ', code(paths[2]), '.'),
        ...certificateView(certificate, ctx.system.clock()),
      ],
    };
  },
});
