import { isMissingTokenRole, isTokenIdTaken } from '../../../api/conditions/secrets.ts';
import type { SecretsClient } from '../../../api/secrets.ts';
import type { TokenRequest } from '../../../api/secrets-tokens.ts';
import { command, flag, showWarnings, type Values } from '../../../command/command.ts';
import { describeAs, LanyardError, usage } from '../../../errors.ts';
import { compact } from '../../../wire/objects.ts';
import { authView } from '../lib/tokens.ts';
import { rejectUnwrappedToken, wrapTtlFlag, wrapTtlOf, wrapView } from '../lib/wrapping.ts';

const tokenFlags = {
  policy: flag.list('NAME', 'policy of the token (default: the policies of the current token); repeatable', {
    aliases: ['policies'],
    completes: 'secrets-policy',
  }),
  ttl: flag.duration('lifetime, after which it expires unless renewed (default: of the service)'),
  period: flag.duration('renewals extend the lifetime by this period, without a maximum'),
  explicitMaxTtl: flag.duration('maximum lifetime, including renewals'),
  useLimit: flag.integer('N', 'number of requests that it can be used for (default unlimited)', {
    aliases: ['num-uses'],
  }),
  orphan: flag.boolean('create without a parent: not revoked with the current token'),
  noDefaultPolicy: flag.boolean('without the policy "default"'),
  notRenewable: flag.boolean('cannot be renewed'),
  type: flag.choice(['service', 'batch'], 'type of the token (default service)'),
  role: flag.name('ROLE', 'role for tokens, which sets or limits the other properties'),
  displayName: flag.name('NAME', 'display name, in audit logs'),
  metadata: flag.map('K=V', 'metadata, in audit logs; repeatable', { aliases: ['meta'] }),
  entityAlias: flag.name('NAME', 'entity alias of the token; requires --role'),
  id: flag.source('source of the token itself, instead of a generated one'),
} as const;

export default command({
  description:
    'The token is shown once; --field client_token --out FILE writes it to a file. It is revoked with the current token unless it is an orphan. With --wrap-ttl only a wrapping token is shown, for "secrets unwrap".',
  examples: [
    'lanyard secrets token create --policy deploy --ttl 1h --display-name ci',
    'lanyard secrets token create --policy deploy --period 24h --orphan --field client_token --out job-token.txt',
    'lanyard secrets token create --policy deploy --use-limit 3 --metadata job=42 --no-default-policy',
    'lanyard secrets token create --policy deploy --wrap-ttl 5m',
  ],
  service: 'secrets',
  writes: true,
  flags: { ...tokenFlags, ...wrapTtlFlag },
  async run({ flags }, ctx) {
    rejectInvalid(flags);
    const id = flags.id === undefined ? undefined : await ctx.input.readSecret(flags.id, 'token');
    const wrapTtl = wrapTtlOf(flags);
    const sent = send(await ctx.api.secrets(), flags, { ...requestOf(flags), wrapTtl }, id);
    const { body } = await sent.catch(describeError);
    for (const secret of [body.wrap_info?.token, body.auth?.client_token])
      if (secret !== undefined) ctx.output.mask(secret);
    showWarnings(ctx.output, body);
    if (wrapTtl !== undefined) {
      const wrap = body.wrap_info;
      if (!wrap) throw rejectUnwrappedToken(body.auth?.accessor);
      return { data: wrap, document: wrapView(wrap) };
    }
    const auth = body.auth;
    if (!auth)
      throw new LanyardError(
        'unknown',
        'unexpected response from the secrets service: it contains no token',
        {
          service: 'secrets',
          hint: lostHint,
        },
      );
    return { data: auth, document: authView(auth) };
  },
});

function rejectInvalid(flags: Values<typeof tokenFlags>): void {
  const { role, orphan, id, type, period, useLimit, entityAlias } = flags;
  if (role !== undefined && orphan) throw usage('--orphan cannot be combined with --role: the role decides');
  if (id !== undefined && (role !== undefined || orphan))
    throw usage(`--id cannot be combined with --${orphan ? 'orphan' : 'role'}`);
  if (entityAlias !== undefined && role === undefined) throw usage('--entity-alias requires --role');
  if (type !== 'batch') return;
  for (const [name, value] of Object.entries({ period, 'use-limit': useLimit, id }))
    if (value !== undefined) throw usage(`--${name} is not supported by batch tokens`);
}

const requestOf = (flags: Values<typeof tokenFlags>): TokenRequest =>
  compact({
    policies: flags.policy,
    ttl: flags.ttl,
    period: flags.period,
    explicit_max_ttl: flags.explicitMaxTtl,
    num_uses: flags.useLimit,
    no_default_policy: flags.noDefaultPolicy || undefined,
    renewable: flags.notRenewable ? false : undefined,
    type: flags.type,
    display_name: flags.displayName,
    meta: flags.metadata,
    entity_alias: flags.entityAlias,
  });

function send(
  secrets: SecretsClient,
  { role, orphan }: Values<typeof tokenFlags>,
  request: TokenRequest & { readonly wrapTtl: string | undefined },
  id: string | undefined,
) {
  if (role !== undefined) return secrets.createTokenOfRole({ ...request, role });
  if (id !== undefined) return secrets.createTokenWithId({ ...request, id });
  return orphan ? secrets.createOrphanToken(request) : secrets.createToken(request);
}

const lostHint =
  'The token may exist and its secret is lost: it is revoked with its parent, or by its accessor (`lanyard secrets list auth/token/accessors`).';

function describeError(error: unknown): never {
  if (error instanceof LanyardError && error.kind === 'unknown') throw error.withHint(lostHint);
  if (isMissingTokenRole(error))
    throw new LanyardError('not_found', 'cannot create token: role not found', {
      ...error,
      hint: 'Run `lanyard secrets list auth/token/roles` for the existing roles.',
    });
  const message = 'cannot create token: a token with this ID already exists';
  return describeAs(isTokenIdTaken, 'conflict', message)(error);
}
