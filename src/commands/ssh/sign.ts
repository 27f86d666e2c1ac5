import { command, flag } from '../../command/command.ts';
import { LanyardError, usage } from '../../errors.ts';
import { code, raw, text } from '../../output/document.ts';
import { formatTimestamp } from '../../output/humanize.ts';
import { certificatePath } from '../../wire/key-paths.ts';
import { connectVariable } from '../../wire/ssh-connect.ts';
import { addToAgent } from './lib/add-to-agent.ts';
import {
  anyPrincipalText,
  certificateFlags,
  certificateRequest,
  withHostNames,
} from './lib/certificate-request.ts';
import { roleArg, signingDefaults } from './lib/defaults.ts';
import { warnAboutForcedCommand } from './lib/forced-command.ts';
import { certificateFile, readKey } from './lib/key-files.ts';
import { mountFlag } from './lib/mount.ts';
import { recordChanges, recordFlag } from './lib/record.ts';
import { type CurrentCertificate, renew, serialNumber, signKey, writeCertificate } from './lib/renewal.ts';
import { certificateData, certificateView } from './lib/views.ts';

export default command({
  description:
    'Writes the certificate next to the key, where ssh looks for it; only a certificate or an empty file is overwritten. With --if-needed a valid certificate is kept, with a warning, while the service is unavailable. With --batch (see "lanyard help ssh-certificates") there is one result per key; the exit code is 9 if some keys were not signed.',
  examples: [
    'lanyard ssh sign deploy',
    'lanyard ssh sign deploy --principals ubuntu,admin --ttl 30m --agent',
    'lanyard ssh sign deploy --if-needed --key ~/.ssh/id_ed25519.pub',
    'lanyard ssh sign hosts --cert-type host --principals web1.example.com --key /etc/ssh/ssh_host_ed25519_key.pub',
    'lanyard ssh sign deploy --batch keys/ -o jsonl',
    'lanyard ssh sign deploy --key - --out - < id_ed25519.pub > id_ed25519-cert.pub',
  ],
  service: 'secrets',
  writes: true,
  changes: ['files', 'ssh files', ...recordChanges],
  args: { role: roleArg('role to sign with') },
  flags: {
    key: flag.file('FILE|-', 'public key file (default ~/.ssh/id_ed25519.pub, else id_ecdsa, id_rsa)'),
    ...certificateFlags,
    out: flag.file('FILE|-', 'certificate file (default: next to the key; - for standard output)'),
    agent: flag.boolean('add the key and certificate to the ssh-agent until it expires'),
    batch: flag.list('PATH', 'key files, directories or JSON lines (- or FILE.jsonl); repeatable', {
      completes: 'file',
    }),
    concurrency: flag.integer('N', 'with --batch: concurrent requests (default 16)'),
    ifNeeded: flag.boolean('only if the certificate is missing, differs or expires soon'),
    forLogin: flag.boolean('for ssh_config, with --if-needed: no other settings than --profile or --address'),
    record: recordFlag,
    mount: mountFlag,
  },
  async run({ args, flags: given }, ctx) {
    if (given.forLogin && !given.ifNeeded) throw usage('--for-login requires --if-needed');
    if (given.forLogin && ctx.system.env[connectVariable]) return { exitCode: 1 };
    const { role, principals } = await signingDefaults({ ...given, role: args.role }, ctx);
    // A batch has the keys of others.
    const flags = { ...given, principals: given.batch ? given.principals : principals };
    if (flags.batch) {
      const { signBatch } = await import('./lib/sign-batch.ts');
      const result = await signBatch({ ...flags, batch: flags.batch, role }, ctx);
      await warnAboutForcedCommand(role, flags.mount, certificateRequest(flags), ctx);
      return result;
    }
    if (flags.concurrency !== undefined) throw usage('--concurrency requires --batch');
    const keys = await ctx.ssh.keys();
    const key = await readKey(flags.key, keys, ctx);
    if (flags.agent && key.path === undefined)
      throw usage('--agent requires the private key, but the public key comes from standard input', {
        hint: 'Specify the public key file with --key.',
      });
    const out = flags.out ?? (key.path === undefined ? '-' : certificatePath(key.path));
    if (flags.ifNeeded && out === '-')
      throw usage('--if-needed requires a certificate file, not standard output');
    if (out !== '-') await ctx.files.checkWritable([certificateFile(out)]);
    const request = await withHostNames(certificateRequest(flags), ctx);
    // Before anything is signed or written.
    if (flags.agent && !ctx.output.isDryRun) await (await ctx.ssh.agent()).check();
    const signing = { mount: flags.mount, role, key, request, record: flags.record };
    const done = flags.ifNeeded ? await renew(out, signing, keys, ctx) : await signKey(signing, keys, ctx);
    const { certificate, signed } = done;
    if (done.body) await warnAboutForcedCommand(role, signing.mount, request, ctx);
    if (done.body && certificate.principals.length === 0) ctx.output.warn(anyPrincipalText(certificate.kind));
    if (!flags.ifNeeded && out !== '-') await writeCertificate(out, signing, signed, ctx);
    if (flags.agent && key.path !== undefined) {
      await addToAgent(key.path, signed, certificate, ctx).catch(partiallyAppliedError(out));
      ctx.output.note('Added the key and certificate to the ssh-agent.');
    }
    if (done.body === undefined) {
      if (done.postponedUntil !== undefined) ctx.output.note(postponedNote(done.postponedUntil));
      return freshNote(done, ctx.system.clock());
    }
    const status = flags.ifNeeded ? { status: 'signed' } : {};
    const result = { data: { ...done.body, ...status }, payload: done.body.data };
    if (out === '-') return { ...result, document: [raw(signed)] };
    return {
      ...result,
      document: [text('Wrote ', code(out), '.'), ...certificateView(certificate, ctx.system.clock())],
    };
  },
});

/** The existing certificate, with the fields of a response that scripts use. */
function freshNote(current: Pick<CurrentCertificate, 'signed' | 'certificate'>, now: Date) {
  const data = { serial_number: serialNumber(current), signed_key: current.signed };
  return {
    data: { status: 'fresh', data, certificate: certificateData(current.certificate, now) },
    payload: data,
    document: [],
  };
}

const postponedNote = (until: number): string =>
  `Kept the certificate, which is due for renewal: the service was unavailable. Next attempt after ${formatTimestamp(new Date(until * 1000))}; without --if-needed it is renewed now.`;

/** The key is signed even if the agent fails. */
const partiallyAppliedError =
  (out: string) =>
  (error: unknown): never => {
    if (!(error instanceof LanyardError)) throw error;
    const done = out === '-' ? 'the key is signed' : `the certificate was written to ${out}`;
    throw new LanyardError('unknown', `${done}, but could not be added to the ssh-agent: ${error.message}`, {
      details: error.details,
      hint: error.hint,
    });
  };
