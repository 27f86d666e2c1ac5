import type { SecretsClient } from '../../../../../api/secrets.ts';
import type { NewSecretId, SecretIdRequest } from '../../../../../api/secrets-auth.ts';
import { command, flag, showWarnings, type Values } from '../../../../../command/command.ts';
import { insteadOf, isFailure, isKind, LanyardError, usage } from '../../../../../errors.ts';
import { type Document, fields, strong } from '../../../../../output/document.ts';
import { humanDuration } from '../../../../../output/humanize.ts';
import { compact } from '../../../../../wire/objects.ts';
import { methodArg, roleArg } from '../../../lib/auth-role/method.ts';
import { type AppRolePath, describeMissingAppRole } from '../../../lib/auth-role/secret-ids.ts';
import { authMethods, mountPath } from '../../../lib/mounts.ts';
import { wrapTtlOf, wrapView } from '../../../lib/wrapping.ts';

const defaultWrapTtl = '5m';

const requestFlags = {
  ttl: flag.duration('lifetime of the secret ID (default: of the role)'),
  useLimit: flag.integer('N', 'number of logins that it can be used for (default: of the role)', {
    aliases: ['num-uses'],
  }),
  metadata: flag.map('K=V', 'metadata of the tokens, in audit logs; repeatable'),
  cidrList: flag.list('CIDR', 'address that may log in with it; repeatable'),
  tokenBoundCidrs: flag.list('CIDR', 'address that may use the tokens; repeatable'),
} as const;

export default command({
  description:
    'Prints a wrapping token, with which "secrets unwrap" returns the secret ID once: who finds it used knows that someone else has the secret ID. --no-wrap prints the secret ID itself and its accessor.',
  examples: [
    'lanyard secrets auth role secret-id create approle ci --field token --out wrapped.txt',
    'lanyard secrets auth role secret-id create approle ci --wrap-ttl 1h --metadata job=42',
    'lanyard secrets auth role secret-id create approle ci --no-wrap --field secret_id --out secret-id.txt',
  ],
  service: 'secrets',
  writes: true,
  args: { method: methodArg, role: roleArg },
  flags: {
    wrapTtl: flag.duration(`lifetime of the wrapping token (default ${defaultWrapTtl})`),
    noWrap: flag.boolean('print the secret ID itself'),
    ...requestFlags,
  },
  async run({ args, flags }, ctx) {
    if (flags.noWrap && flags.wrapTtl !== undefined)
      throw usage('--no-wrap cannot be combined with --wrap-ttl');
    const path = { mount: mountPath(authMethods, args.method), name: args.role };
    const wrapTtl = flags.noWrap ? undefined : (wrapTtlOf(flags) ?? defaultWrapTtl);
    const secrets = await ctx.api.secrets();
    const { body } = await secrets
      .createSecretId({ ...path, ...requestOf(flags), wrapTtl })
      .catch(describeMissingAppRole(path))
      .catch(hintToList(path));
    for (const secret of [body.wrap_info?.token, body.data?.secret_id])
      if (secret !== undefined) ctx.output.mask(secret);
    showWarnings(ctx.output, body);
    const { wrap_info: wrap, data: created } = body;
    if (wrapTtl !== undefined) {
      if (!wrap) throw await rejectUnwrappedSecretId(secrets, path, created);
      return { data: wrap, document: wrapView(wrap) };
    }
    if (!created) throw missingSecretId(path);
    return { data: created, document: secretIdView(created) };
  },
});

const requestOf = (flags: Values<typeof requestFlags>): SecretIdRequest =>
  compact({
    ttl: flags.ttl,
    num_uses: flags.useLimit,
    metadata: flags.metadata && JSON.stringify(flags.metadata),
    cidr_list: flags.cidrList,
    token_bound_cidrs: flags.tokenBoundCidrs,
  });

const secretIdView = (created: NewSecretId): Document => [
  fields([
    ['secret ID', strong(created.secret_id)],
    ['accessor', created.secret_id_accessor],
    ['expires', created.secret_id_ttl ? `in ${humanDuration(created.secret_id_ttl)}` : 'never'],
    ['uses', created.secret_id_num_uses ? String(created.secret_id_num_uses) : 'unlimited'],
  ]),
];

const lostHint = ({ mount, name }: AppRolePath): string =>
  `The secret ID may exist, and it is lost: run \`lanyard secrets auth role secret-id list ${mount} ${name}\` to find it, and destroy it.`;

const hintToList =
  (path: AppRolePath) =>
  (error: unknown): never => {
    throw isKind('unknown')(error) ? error.withHint(lostHint(path)) : error;
  };

const missingSecretId = (path: AppRolePath): LanyardError =>
  new LanyardError('unknown', 'unexpected response from the secrets service: it contains no secret ID', {
    service: 'secrets',
    hint: lostHint(path),
  });

/** The error for a secret ID whose response is not wrapped, after it was destroyed: others may have seen it. */
async function rejectUnwrappedSecretId(
  secrets: SecretsClient,
  path: AppRolePath,
  created: NewSecretId | null | undefined,
): Promise<LanyardError> {
  if (!created) return missingSecretId(path);
  const { secret_id_accessor: accessor } = created;
  const details = ['The service or a proxy ignored the header X-Vault-Wrap-TTL.'];
  const destroying = secrets.destroySecretId({ ...path, secret_id_accessor: accessor });
  const isDestroyed = await destroying.then(() => true).catch(insteadOf(isFailure, false));
  if (isDestroyed)
    return new LanyardError('failure', 'cannot create secret ID: the response is not wrapped', {
      service: 'secrets',
      details: [...details, 'The secret ID was destroyed.'],
      hint: 'Use --no-wrap to print the secret ID itself.',
    });
  return new LanyardError('unknown', 'the secret ID was created, but the response is not wrapped', {
    service: 'secrets',
    details,
    hint: `Run \`lanyard secrets auth role secret-id destroy ${path.mount} ${path.name} ${accessor}\` to delete it.`,
  });
}
