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

const namesText = (names: readonly string[] | null | undefined): StyledText =>
  (names ?? []).join(', ') || dim('(none)');

// Undefined: there is nothing to show.

export const pairsText = (meta: TokenProperties['meta']): string | undefined =>
  Object.entries(meta ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .join(', ') || undefined;

const durationText = (value: number | string | undefined): string | undefined =>
  (typeof value === 'number' && value !== 0 ? humanDuration(value) : String(value || '')) || undefined;

const usesText = (uses: number | undefined): string | undefined => (uses ? String(uses) : undefined);

const yesOrNo = (value: boolean | undefined): string => (value ? 'yes' : 'no');

/** What the service knows of a token. */
export const tokenView = (token: TokenProperties): Document => [
  fields([
    ['token', token.id || undefined],
    ['accessor', token.accessor ? strong(token.accessor) : null],
    ['display name', token.display_name || null],
    ['policies', namesText(token.policies)],
    ['type', token.type || 'service'],
    ['expires', expiryText(token)],
    ['renewable', yesOrNo(token.renewable)],
    ['orphan', yesOrNo(token.orphan)],
    ['period', durationText(token.period)],
    ['explicit max TTL', durationText(token.explicit_max_ttl)],
    ['uses left', usesText(token.num_uses)],
    ['metadata', pairsText(token.meta)],
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
    ['token', auth.client_token === undefined ? undefined : strong(auth.client_token)],
    ['accessor', auth.accessor || null],
    ['policies', namesText(auth.policies)],
    ['type', auth.token_type || 'service'],
    ['expires', !auth.lease_duration ? 'never' : `in ${humanDuration(auth.lease_duration)}`],
    ['renewable', yesOrNo(auth.renewable)],
    ['uses left', usesText(auth.num_uses)],
    ['metadata', pairsText(auth.metadata)],
  ]),
];
