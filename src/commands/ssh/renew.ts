import { arg, command, flag, type Outcome } from '../../command/command.ts';
import { dryRunEach, exitCodeOfAll } from '../../command/each-service.ts';
import { exitCodeOf, type Kind, kinds, LanyardError, usage } from '../../errors.ts';
import { bad, code, type Document, dim, good, text } from '../../output/document.ts';
import type { DryRunResult } from '../../output/result.ts';
import { agentCertificates, certificatesInFiles } from './lib/certificates/find-certificates.ts';
import {
  notRenewed,
  type Renewal,
  type RenewalResult,
  renewCertificate,
} from './lib/certificates/renew-certificate.ts';

/** Errors that every further certificate would have. */
const fatalKinds: readonly Kind[] = ['unauthenticated', 'unreachable', 'unavailable'];

export default command({
  description:
    'Signs certificates again that are due, as "ssh sign --if-needed" decides, with the role, mount and request that they were signed with, and replaces them in the ssh-agent. Certificates of another cluster or namespace are skipped; a failure keeps the old certificate. The exit code is 9 if only some were renewed.',
  examples: ['lanyard ssh renew', 'lanyard ssh renew --all', 'lanyard ssh renew ~/.ssh/id_ed25519-cert.pub'],
  service: 'secrets',
  writes: true,
  changes: ['files', 'ssh files'],
  returnsList: () => true,
  args: {
    files: arg.rest('FILE', 'certificate files (default: in ~/.ssh and ~/.ssh/lanyard)', 0, {
      completes: 'file',
    }),
  },
  flags: { all: flag.boolean('also certificates that are not due') },
  async run({ args, flags }, ctx): Promise<Outcome<readonly RenewalResult[]> | DryRunResult> {
    const isNamed = args.files.length > 0;
    const [found, agentLines, keys, settings] = await Promise.all([
      certificatesInFiles(args.files, ctx, { onlyNamed: isNamed }),
      agentCertificates(ctx),
      ctx.ssh.keys(),
      ctx.api.settings('secrets'),
    ]);
    const renewals = found.flatMap(({ file, ...rest }): Renewal[] =>
      file === undefined ? [] : [{ found: { ...rest, file }, isForced: flags.all, settings, agentLines }],
    );
    const work = async (renewal: Renewal): Promise<RenewalResult> => {
      const result = await renewCertificate(renewal, keys, ctx);
      if (isNamed && result.status === 'skipped')
        throw usage(`cannot renew ${result.file}: ${result.message}`);
      return result;
    };
    if (ctx.output.isDryRun) return dryRunEach(renewals, work, ({ found: { file } }) => file, ctx);
    if (renewals.length === 0) ctx.output.note('No certificates. Run `lanyard ssh sign ROLE` to get one.');
    const rows = await ctx.output.streamList();
    const codes: number[] = [];
    let fatal: LanyardError | undefined;
    for (const [index, renewal] of renewals.entries()) {
      const result = await (fatal === undefined ? work(renewal) : Promise.reject(fatal)).catch(
        (error: unknown): RenewalResult => {
          if (!(error instanceof LanyardError) || error.kind === 'interrupted') throw error;
          if (fatalKinds.includes(error.kind)) fatal = error;
          codes.push(exitCodeOf(error, ctx.system.signal));
          const { message, details, kind, hint } = error;
          return {
            ...notRenewed(renewal.found, 'failed', [message, ...details].join('; ')),
            error: { code: kind, hint: hint ?? null },
          };
        },
      );
      if (result.status === 'renewed') codes.push(result.replacedInAgent === false ? kinds.unknown.code : 0);
      if (result.status === 'kept') codes.push(0);
      await rows.add(result, () => line(result), index);
    }
    await rows.end();
    return { exitCode: exitCodeOfAll(codes) };
  },
});

const line = ({ file, status, message, error }: RenewalResult): Document => [
  text(
    { renewed: good(status), kept: dim(status), skipped: dim(status), failed: bad(status) }[status],
    ' ',
    code(file),
    `: ${message}`,
  ),
  ...(error?.hint ? [text('  ', error.hint)] : []),
];
