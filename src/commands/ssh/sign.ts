import { arg, command, flag } from '../../command.ts';
import { LanyardError, usage } from '../../errors.ts';
import { code, raw, text } from '../../output/document.ts';
import type { Result } from '../../output/result.ts';
import { signBatch } from './batch.ts';
import { certificateFlags, certificateRequest, withHostNames } from './certificate.ts';
import { warnOfForcedCommand } from './forced-command.ts';
import { besideKey, certificateFile, readKey } from './key.ts';
import { addToAgent, type Kept, renew, serialNumber, signKey } from './renewal.ts';
import { mountFlag, mountOf } from './shared.ts';
import { certificateData, certificateView } from './views.ts';

export default command({
  description:
    'The certificate is written beside the key, as ssh looks for it (id_ed25519.pub gives id_ed25519-cert.pub). Without --key the first of your usual keys is taken: ed25519, ecdsa, rsa. A host certificate without --principals is for the names of this machine. With --if-needed nothing is sent while the certificate is for the key and as asked (exactly the principals, extensions and critical options that are named, the key ID, and no longer than --ttl), and has more than a third of its life left; later, one that cannot be renewed because the service is away is left in use until it expires, with a warning. A file that is there is replaced only if it is a certificate, or empty. With --batch there is one result for each key, in text and jsonl a line as it is done: certificates of key files go beside them, those of JSON lines (public_key or key, and out, principals, ttl, key_id, cert_type, extensions, critical_options) to their out, or into the result. The exit code is 9 when some were not signed.',
  examples: [
    'lanyard ssh sign deploy',
    'lanyard ssh sign deploy --principals ubuntu,admin --ttl 30m --agent',
    'lanyard ssh sign deploy --if-needed --key ~/.ssh/id_ed25519.pub',
    'lanyard ssh sign hosts --cert-type host --key /etc/ssh/ssh_host_ed25519_key.pub',
    'lanyard ssh sign deploy --batch keys/ -o jsonl',
    'lanyard ssh sign deploy --key - --out - < id_ed25519.pub > id_ed25519-cert.pub',
  ],
  service: 'secrets',
  writes: true,
  args: { role: arg.text('ROLE', 'the role to sign with') },
  flags: {
    key: flag.text('FILE|-', 'the public key (default: the first of ~/.ssh/id_{ed25519,ecdsa,rsa}.pub)', {
      completes: 'file',
    }),
    ...certificateFlags,
    out: flag.text('FILE|-', 'where the certificate goes (default: beside the key; - is standard output)', {
      completes: 'file',
    }),
    agent: flag.boolean('add key and certificate to the running ssh-agent, until the certificate expires'),
    batch: flag.list(
      'PATH',
      'sign many: key files, folders of them, or JSON lines (- or FILE.jsonl); repeatable',
      {
        completes: 'file',
      },
    ),
    concurrency: flag.integer('N', 'with --batch: how many at once (default 16)'),
    ifNeeded: flag.boolean('only when the certificate is not there, not as asked, or near its end'),
    mount: mountFlag,
  },
  async run({ args, flags }, ctx) {
    if (flags.batch) {
      const result = await signBatch({ ...flags, batch: flags.batch, role: args.role }, ctx);
      await warnOfForcedCommand(args.role, mountOf(flags), certificateRequest(flags), ctx);
      return result;
    }
    if (flags.concurrency !== undefined) throw usage('--concurrency belongs to --batch');
    const keys = await ctx.keys();
    const key = await readKey(flags.key, keys, ctx);
    if (flags.agent && key.path === undefined) {
      throw usage('--agent needs the private key, and a key from standard input has none here', {
        hint: 'Name the public key file with --key.',
      });
    }
    const out = flags.out ?? (key.path === undefined ? '-' : besideKey(key.path));
    if (flags.ifNeeded && out === '-') {
      throw usage('--if-needed needs the file of the certificate, and standard output is none');
    }
    if (out !== '-') await ctx.files.check([certificateFile(out)]);
    const request = await withHostNames(certificateRequest(flags), ctx);
    const signing = { mount: mountOf(flags), role: args.role, key, request };
    const done = flags.ifNeeded ? await renew(out, signing, keys, ctx) : await signKey(signing, keys, ctx);
    const { certificate, signed } = done;
    if (done.body) await warnOfForcedCommand(args.role, signing.mount, request, ctx);
    if (!flags.ifNeeded && out !== '-') await ctx.files.write([{ ...certificateFile(out), content: signed }]);
    if (flags.agent && key.path !== undefined) {
      await addToAgent(key.path, signed, certificate, ctx).catch(doneInPart(out));
      ctx.io.note('added key and certificate to the ssh-agent');
    }
    if (done.body === undefined) return stillFresh(done, ctx.clock());
    const status = flags.ifNeeded ? { status: 'signed' } : {};
    const result = { data: { ...done.body, ...status }, payload: done.body.data };
    if (out === '-') return { ...result, document: [raw(signed)] };
    return {
      ...result,
      document: [text('Wrote ', code(out), '.'), ...certificateView(certificate, ctx.clock())],
    };
  },
});

/** The certificate that is there, with the members that scripts take of an answer where they are there. */
function stillFresh(kept: Pick<Kept, 'signed' | 'certificate'>, now: Date): Result {
  const data = { serial_number: serialNumber(kept), signed_key: kept.signed };
  return {
    data: { status: 'fresh', data, certificate: certificateData(kept.certificate, now) },
    payload: data,
    document: [],
  };
}

/** The key is signed, whatever the agent says. */
const doneInPart =
  (out: string) =>
  (error: unknown): never => {
    if (!(error instanceof LanyardError)) throw error;
    const done = out === '-' ? 'the key is signed' : `the certificate is written to ${out}`;
    throw new LanyardError('unknown', `${done}, and not in the ssh-agent: ${error.message}`, {
      ...{ details: error.details, hint: error.hint },
    });
  };
