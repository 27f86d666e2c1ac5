import { command, flag } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { insteadOf, LanyardError } from '../../errors.ts';
import { bad, type Document, dim, fields, good, listTable, text, warn } from '../../output/document.ts';
import type { PublicKeyInfo } from '../../ssh/types.ts';
import {
  anyPrincipalText,
  certificateFlags,
  certificateRequest,
  describeMissingRole,
  withHostNames,
} from './lib/certificate-request.ts';
import { roleArg, signingDefaults } from './lib/defaults.ts';
import { droppedForcedCommand, dropsForcedCommand } from './lib/forced-command.ts';
import { readKey } from './lib/key-files.ts';
import { mountFlag } from './lib/mount.ts';
import { readCa, readMountLifetimes } from './lib/role-context.ts';
import type { Judgement, Role } from './lib/role-question.ts';
import { judge, outcome, usesMountLifetimes } from './lib/role-rules.ts';

export default command({
  description:
    'Shows the certificate, or the rules that reject the request and how to fix it (exit code 1). Nothing is signed.',
  examples: [
    'lanyard ssh explain deploy --principals root',
    'lanyard ssh explain hosts --cert-type host --principals web1.example.com',
  ],
  service: 'secrets',
  args: { role: roleArg('role to check') },
  flags: {
    key: flag.file('FILE|-', 'public key, for roles that restrict key types'),
    ...certificateFlags,
    mount: mountFlag,
  },
  async run({ args, flags }, ctx) {
    const { mount } = flags;
    const { role: name, principals } = await signingDefaults({ ...flags, role: args.role }, ctx);
    const secrets = await ctx.api.secrets();
    const { body } = await secrets.readRole({ mount, role: name }).catch(describeMissingRole(name, mount));
    const role: Role = body.data;
    const request = await withHostNames(certificateRequest({ ...flags, principals }), ctx);
    const question = {
      role,
      request,
      key: await readOptionalKey(flags.key, ctx),
      ca: await readCa(mount, role, ctx),
      mount: usesMountLifetimes({ role, request }) ? await readMountLifetimes(mount, ctx) : undefined,
    };
    const judgements = judge(question);
    const isRejected = judgements.some(({ verdict }) => verdict === 'no');
    const would = isRejected ? 'no' : judgements.length > 0 ? 'depends' : 'yes';
    const certificate = outcome(question);
    const warnings = isRejected
      ? []
      : [
          ...(dropsForcedCommand(question) ? [droppedForcedCommand(name)] : []),
          ...(certificate.principals.length === 0 ? [anyPrincipalText(certificate.kind)] : []),
        ];
    for (const line of warnings) ctx.output.warn(line);
    return {
      data: {
        role: name,
        would,
        judgements,
        ...(warnings.length > 0 && { warnings }),
        ...(isRejected ? {} : { certificate }),
      },
      document: view(name, would, judgements, certificate),
      exitCode: isRejected ? 1 : 0,
    };
  },
});

/** The key that would be signed; undefined if none was specified and no default key exists. */
async function readOptionalKey(given: string | undefined, ctx: Context): Promise<PublicKeyInfo | undefined> {
  const keys = await ctx.ssh.keys();
  const isMissing = (error: unknown) => given === undefined && error instanceof LanyardError;
  return readKey(given, keys, ctx)
    .then(({ line }) => keys.readPublicKey(line, given ?? 'the key').info)
    .catch(insteadOf(isMissing, undefined));
}

function view(
  role: string,
  would: 'yes' | 'no' | 'depends',
  judgements: readonly Judgement[],
  certificate: ReturnType<typeof outcome>,
): Document {
  const options = (map: object) => Object.keys(map).join(', ') || dim('none');
  const response = {
    yes: ['Role ', role, ' would ', good('sign'), ' this request.'],
    no: ['Role ', role, ' would ', bad('reject'), ' this request.'],
    depends: ['Whether role ', role, ' would sign this request ', warn('depends'), ' on the token.'],
  }[would];
  const reasons = listTable(judgements, undefined, {
    RULE: ({ rule }) => rule,
    REASON: ({ why }) => why,
    FIX: { mayOverflow: true, cell: ({ remedy }) => remedy },
  });
  const signed = fields([
    ['for', `${certificate.kind} ${certificate.principals.join(', ') || '(any)'}`],
    ['valid for', certificate.ttl],
    ['extensions', options(certificate.extensions)],
    ['critical options', options(certificate.criticalOptions)],
  ]);
  return [
    text(...response),
    ...(judgements.length === 0 ? [] : [reasons]),
    ...(would === 'no' ? [] : [signed]),
  ];
}
