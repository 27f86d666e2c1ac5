import { isMissingToken, isNotRenewable } from '../../../api/conditions/secrets.ts';
import type { SecretsClient } from '../../../api/secrets.ts';
import type { TokenAuth, TokenProperties } from '../../../api/secrets-tokens.ts';
import { arg, flag } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { describeAs, usage } from '../../../errors.ts';
import { type Document, dim, fields, type StyledText, strong } from '../../../output/document.ts';
import { humanDuration, timestampText } from '../../../output/humanize.ts';

/** Which token a command is about. */
export type TokenSubject =
  | { readonly kind: 'self' }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'accessor'; readonly accessor: string };

export const tokenArg = arg.optional('SRC', 'source of the token: -, @FILE or env://NAME', {
  completes: 'file',
});
export const accessorFlag = {
  accessor: flag.name('ACCESSOR', 'accessor of the token, instead of the token'),
} as const;

/**
 * The token that an argument and `--accessor` name; neither: the configured one.
 *
 * @throws LanyardError usage: both
 */
export async function readSubject(
  source: string | undefined,
  accessor: string | undefined,
  { input }: Pick<Context, 'input'>,
): Promise<TokenSubject> {
  if (source !== undefined && accessor !== undefined)
    throw usage('--accessor cannot be combined with a token');
  if (accessor !== undefined) return { kind: 'accessor', accessor };
  if (source === undefined) return { kind: 'self' };
  return { kind: 'token', token: await input.readSecret(source, 'token') };
}

/** Reports a missing token as not found. */
export const describeMissingToken = describeAs(
  isMissingToken,
  'not_found',
  'token not found: it does not exist, has expired or was revoked',
  { hint: undefined },
);

/** Reports a token that cannot be renewed. */
export const describeNotRenewable = describeAs(
  isNotRenewable,
  'failure',
  'cannot renew token: not renewable (400)',
  { hint: 'Root tokens, batch tokens and tokens at their maximum lifetime cannot be renewed.' },
);

/** @throws LanyardError not_found */
export async function lookUp(secrets: SecretsClient, subject: TokenSubject): Promise<TokenProperties> {
  const response =
    subject.kind === 'self'
      ? secrets.lookupSelf({})
      : (subject.kind === 'token'
          ? secrets.lookUpToken({ token: subject.token })
          : secrets.lookUpAccessor({ accessor: subject.accessor })
        ).catch(describeMissingToken);
  return (await response).body.data;
}

/** The properties without the token. */
export function withoutId({ id: _id, ...properties }: TokenProperties): TokenProperties {
  return properties;
}

type Row = readonly [string, StyledText];

const namesText = (names: readonly string[] | null | undefined): StyledText =>
  names && names.length > 0 ? names.join(', ') : [dim('(none)')];

const metadataRows = (meta: TokenProperties['meta']): readonly Row[] =>
  Object.keys(meta ?? {}).length === 0
    ? []
    : [
        [
          'metadata',
          Object.entries(meta ?? {})
            .map(([name, value]) => `${name}=${value}`)
            .join(', '),
        ],
      ];

const durationRow = (label: string, value: number | string | undefined): readonly Row[] =>
  value === undefined || value === 0 || value === ''
    ? []
    : [[label, typeof value === 'number' ? humanDuration(value) : value]];

const usesRow = (uses: number | undefined): readonly Row[] =>
  uses === undefined || uses === 0 ? [] : [['uses left', String(uses)]];

const yesOrNo = (value: boolean | undefined): string => (value ? 'yes' : 'no');

/** What the service knows of a token. */
export const tokenView = (token: TokenProperties): Document => [
  fields([
    ...(token.id === undefined || token.id === '' ? [] : ([['token', token.id]] as const)),
    ['accessor', token.accessor ? [strong(token.accessor)] : [dim('-')]],
    ['display name', token.display_name || [dim('-')]],
    ['policies', namesText(token.policies)],
    ['type', token.type || 'service'],
    ['expires', expiryText(token)],
    ['renewable', yesOrNo(token.renewable)],
    ['orphan', yesOrNo(token.orphan)],
    ...durationRow('period', token.period),
    ...durationRow('explicit max TTL', token.explicit_max_ttl),
    ...usesRow(token.num_uses),
    ...metadataRows(token.meta),
  ]),
];

/** When a token expires: a time, and how long that is. */
function expiryText({ expire_time, ttl = 0 }: TokenProperties): string {
  const time = timestampText(expire_time);
  if (time === undefined) return ttl === 0 ? 'never' : `in ${humanDuration(ttl)}`;
  return `${time} (in ${humanDuration(ttl)})`;
}

/** A token that was issued, for the only time that it is printed, or renewed. */
export const authView = (auth: Partial<TokenAuth>): Document => [
  fields([
    ...(auth.client_token === undefined ? [] : ([['token', [strong(auth.client_token)]]] as const)),
    ['accessor', auth.accessor || [dim('-')]],
    ['policies', namesText(auth.policies)],
    ['type', auth.token_type || 'service'],
    ['expires', !auth.lease_duration ? 'never' : `in ${humanDuration(auth.lease_duration)}`],
    ['renewable', yesOrNo(auth.renewable)],
    ...usesRow(auth.num_uses),
    ...metadataRows(auth.metadata),
  ]),
];
