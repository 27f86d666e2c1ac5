import type { Credentials } from '../../api/secrets.ts';
import { arg, command, flag, showWarnings } from '../../command/command.ts';
import { LanyardError, usage } from '../../errors.ts';
import { code, type Document, fields, text } from '../../output/document.ts';
import { humanDuration } from '../../output/humanize.ts';
import { receivedSecrets } from '../../wire/received-secrets.ts';
import { certificateFiles } from './lib/certificate-files.ts';
import { credentialsRequest, generate, lifetimeOf } from './lib/credentials.ts';
import { responseView } from './lib/views.ts';

export default command({
  description:
    'Credentials of a database, a cloud or another system end with their lease; "secrets lease" renews and revokes it. A full path, such as database/static-creds/app, is requested unchanged, with POST if there are parameters. Use "run --creds" to pass credentials to a command.',
  examples: [
    'lanyard secrets creds ssh/otp ip=10.1.2.3',
    'lanyard secrets creds database/app -o env --out db.env',
    'lanyard secrets creds database/app --field password',
    'lanyard secrets creds pki/web --common-name web.example.com --ttl 24h --cert-out web.crt --key-out web.key',
    'lanyard secrets creds kubernetes/deploy kubernetes_namespace=web --ttl 10m',
  ],
  service: 'secrets',
  writes: true,
  changes: ['secrets lease', 'files'],
  args: {
    path: arg.text('MOUNT/ROLE', 'role of an engine, such as database/app', { completes: 'secrets-creds' }),
    parameters: arg.pairs('parameters of the engine; the values are strings'),
  },
  flags: {
    commonName: flag.text('NAME', 'pki: common name of the certificate'),
    altNames: flag.list('NAME', 'pki: further DNS names and email addresses of the certificate'),
    ttl: flag.duration('requested lifetime (default: set by the role)'),
    certOut: flag.text('FILE', 'pki: file for the certificate and its chain', { completes: 'file' }),
    keyOut: flag.text('FILE', 'pki: file for the private key (mode 0600)', { completes: 'file' }),
    force: flag.boolean('overwrite existing files'),
  },
  async run({ args, flags }, ctx) {
    const given = await ctx.input.readJsonObject({ pairs: args.parameters, file: undefined });
    const named = {
      common_name: flags.commonName,
      alt_names: flags.altNames?.join(','),
      ttl: flags.ttl,
    };
    const all = { ...given };
    for (const [name, value] of Object.entries(named)) {
      if (value === undefined) continue;
      if (Object.hasOwn(given, name)) throw usage(`${name} is given twice: as a flag and as ${name}=`);
      all[name] = value;
    }
    const files = await certificateFiles(flags, ctx);
    const secrets = await ctx.api.secrets();
    const request = await credentialsRequest(secrets, args.path, {
      fields: all,
      isSecret: args.parameters.some(({ isSource }) => isSource),
    });
    try {
      const credentials = await generate(secrets, request);
      for (const secret of receivedSecrets(credentials)) ctx.output.mask(secret);
      showWarnings(ctx.output, credentials);
      const written = await files.write(credentials.data).catch((error: unknown) => {
        throw withLease(error, credentials);
      });
      return {
        data: credentials,
        payload: credentials.data,
        document: [
          ...(written.length === 0
            ? responseView({ data: credentials.data })
            : [
                text(
                  'Wrote ',
                  ...written.flatMap((path, index) => [...(index ? [' and '] : []), code(path)]),
                  '.',
                ),
              ]),
          ...leaseView(credentials, lifetimeOf(credentials, ctx.system.clock())),
        ],
      };
    } catch (error) {
      return ctx.output.dryRunResult(error, files.plan);
    }
  },
});

const leaseView = (
  { lease_id: lease, renewable = false }: Credentials,
  seconds: number | undefined,
): Document => [
  fields([
    ['lease', lease || undefined],
    ['expires in', seconds === undefined ? undefined : humanDuration(seconds)],
    ['renewable', lease ? (renewable ? 'yes' : 'no') : undefined],
  ]),
];

/** The error of files that could not be written, with the lease of what they would have. */
function withLease(error: unknown, { lease_id: lease }: Credentials): unknown {
  if (!(error instanceof LanyardError) || !lease) return error;
  return new LanyardError(error.kind, error.message, {
    ...error,
    details: [...error.details, `The credentials are valid until their lease ends: ${lease}`],
    cause: error,
  });
}
