import { arg, command, flag } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { usage } from '../../errors.ts';
import { bad, listResult, warn } from '../../output/document.ts';
import type { DescribedEntry } from '../../ssh/krl/describe.ts';
import type { Inspected } from '../../ssh/types.ts';
import { defaultKeys } from './lib/mount.ts';
import { parseLocation } from './lib/revoked/location.ts';
import { requireList } from './lib/revoked/store.ts';
import { entryText } from './lib/revoked/views.ts';
import { certificateData, certificateView, keyView } from './lib/views.ts';

export default command({
  description:
    'Reads a certificate, a public key or a private key locally; without --revoked nothing is sent. With --lint it reports problems: no or wildcard principals, no expiry, expires soon, SHA-1 signature, weak key, or rejected by OpenSSH, revoked.',
  examples: [
    'lanyard ssh inspect ~/.ssh/id_ed25519-cert.pub',
    'lanyard ssh inspect - < cert.pub',
    'lanyard ssh inspect --lint -o jsonl',
    'lanyard ssh inspect id_ed25519.pub --revoked registry:ssh/revoked',
  ],
  args: {
    file: arg.optional('FILE|-', 'key or certificate file (default: certificate of your default key)', {
      completes: 'file',
    }),
  },
  service: 'secrets',
  flags: {
    lint: flag.boolean('report problems; exit code 1 if one is an error'),
    revoked: flag.name('LOCATION', 'show whether this revocation list has it'),
  },
  async run({ args, flags }, ctx) {
    const keys = await ctx.ssh.keys();
    const name = args.file ?? (await defaultCertificate(ctx));
    const content =
      name === '-'
        ? (await ctx.input.readStdin()).toString('utf8')
        : await ctx.files.readText(name, 'the key or certificate');
    const found = await keys.inspect(content, name === '-' ? 'standard input' : name);
    const revocation = await readRevocation(flags.revoked, found, content, ctx);
    if (flags.lint) {
      const findings = [
        ...(revocation?.entry
          ? [
              {
                severity: 'error' as const,
                rule: 'revoked',
                message: `revoked: ${entryText(revocation.entry)}`,
              },
            ]
          : []),
        ...(await keys.lint(found, ctx.system.clock().getTime() / 1000)),
      ];
      return {
        ...listResult(findings, 'No problems found.', {
          SEVERITY: ({ severity }) => (severity === 'error' ? bad(severity) : warn(severity)),
          RULE: ({ rule }) => rule,
          FINDING: { mayOverflow: true, cell: ({ message }) => message },
        }),
        exitCode: findings.some(({ severity }) => severity === 'error') ? 1 : 0,
      };
    }
    const revoked = revocation && (revocation.entry ? [bad('yes: '), entryText(revocation.entry)] : 'no');
    if (found.what === 'certificate') {
      return {
        data: { ...certificateData(found.certificate, ctx.system.clock()), ...stated(revocation) },
        document: certificateView(found.certificate, ctx.system.clock(), revoked),
      };
    }
    if (found.what === 'private key') {
      const protection = found.encrypted
        ? 'private key, with a passphrase'
        : 'private key, without a passphrase';
      return {
        data: { what: found.what, encrypted: found.encrypted, ...(found.key ?? {}) },
        document: keyView(protection, found.key),
      };
    }
    return {
      data: { what: found.what, ...found.key, ...stated(revocation) },
      document: keyView('public key', found.key, revoked),
    };
  },
});

/** The entry of a revocation list; null: it has none. */
interface StatedRevocation {
  readonly entry: DescribedEntry | null;
}

/** The field of the data; none without `--revoked`. */
const stated = (revocation: StatedRevocation | undefined): { readonly revoked?: DescribedEntry | null } =>
  revocation === undefined ? {} : { revoked: revocation.entry };

/** @returns undefined: no list is given. */
async function readRevocation(
  given: string | undefined,
  { what }: Inspected,
  content: string,
  ctx: Context,
): Promise<StatedRevocation | undefined> {
  if (given === undefined) return undefined;
  if (what === 'private key') throw usage('--revoked requires a public key or certificate');
  const { krl } = await requireList(parseLocation(given), ctx);
  const { describeEntry, findRevocation, readRevocable } = await ctx.ssh.revocation();
  const found = findRevocation(krl, readRevocable(content, 'the key'));
  return { entry: found ? describeEntry(found.entry) : null };
}

async function defaultCertificate(ctx: Context): Promise<string> {
  for (const name of defaultKeys) {
    const path = `${ctx.system.home}/.ssh/${name}-cert.pub`;
    if (await ctx.files.exists(path)) return path;
  }
  throw usage(`no certificate found (${ctx.system.home}/.ssh/id_{ed25519,ecdsa,rsa}-cert.pub)`, {
    hint: 'Specify a file, or run `lanyard ssh sign ROLE` to get a certificate.',
  });
}
