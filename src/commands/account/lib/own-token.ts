import type { AuthToken } from '../../../api/accounts.ts';
import { arg } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { LanyardError, usage } from '../../../errors.ts';
import { timestampText } from '../../../output/humanize.ts';

export const tokenArg = arg.optional('ID', 'token ID, such as at_1234567890 (default: the current token)', {
  completes: 'account-token',
});

/**
 * The ID of a token: the given ID, or the current token's ID.
 * @throws LanyardError usage: a token instead of its ID, or a current token without an ID; unauthenticated: no token.
 */
export async function tokenId(given: string | undefined, ctx: Context): Promise<string> {
  // The text of a token must not become part of a path, which services log.
  if (given !== undefined && /^at_[^_]+_/.test(given))
    throw usage('invalid ID: expected the ID of a token, not the token', {
      hint: 'The ID ends before the second "_", as in at_1234567890.',
    });
  const id = given ?? (await ctx.api.accountsTokenId());
  if (id !== undefined) return id;
  if ((await ctx.api.settings('accounts')).token === undefined)
    throw new LanyardError('unauthenticated', 'no token is set for accounts', {
      service: 'accounts',
      hint: 'Run `lanyard account login`.',
    });
  throw usage('the current token has no ID', { hint: 'Pass the ID of a token.' });
}

export const expiryText = ({ expiration_time }: AuthToken): string =>
  timestampText(expiration_time ?? undefined) ?? 'never';

/**
 * The fields for the formats with one level of names, where `scope.id` would have the name of `scope_id`. Their values
 * are the same.
 */
export function withoutScope<Fields extends object>(fields: Fields): Omit<Fields, 'scope'> {
  const { scope: _scope, ...others } = fields as Fields & { readonly scope?: unknown };
  return others;
}
