import { isGoneToken } from '../../../api/conditions/accounts.ts';
import { command } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import type { TokenLocation } from '../../../command/profile-store.ts';
import { confirmDelete } from '../../../errors.ts';
import { code, text } from '../../../output/document.ts';
import { describeMissingToken } from '../lib/errors.ts';
import { tokenArg, tokenId, withoutScope } from '../lib/own-token.ts';

export default command({
  description:
    'Revokes the token immediately. Without an ID, or with the ID of the current token, this is a logout: a token stored with the profile is removed too.',
  examples: ['lanyard account token delete at_1234567890', 'lanyard account token delete --yes'],
  service: 'accounts',
  writes: 'after reads',
  changes: ['profiles', 'tokens'],
  args: { id: tokenArg },
  async run({ args }, ctx) {
    const id = await tokenId(args.id, ctx);
    const isOwn = id === (await ctx.api.accountsTokenId());
    const location = isOwn ? await storedLocation(ctx) : undefined;
    const accounts = await ctx.api.accounts();
    const { body } = await accounts.readAuthToken({ id }).catch(describeMissingToken(id));
    const owner = body.account_id === undefined ? '' : ` of account ${body.account_id}`;
    await ctx.input.confirm(
      isOwn
        ? `Delete the current token ${id}${owner}? This logs you out.`
        : `Delete token ${id}${owner}? Everything that uses it is logged out.`,
    );
    // After a logout the service rejects reads with the token itself, after it looked the token up.
    await confirmDelete(
      () => accounts.deleteAuthToken({ id }).catch(describeMissingToken(id)),
      () => accounts.readAuthToken({ id }),
      'the token',
      isGoneToken,
    );
    if (location) await ctx.profile.tokens.remove(location);
    const removed = location
      ? [' Removed it from profile ', code(location.profile), '.']
      : isOwn
        ? [' It is still set in ', code((await ctx.api.settings('accounts')).tokenFrom ?? ''), '.']
        : [];
    const data = { ...body, current: isOwn };
    return {
      data,
      payload: withoutScope(data),
      document: [text('Deleted token ', code(id), '.', ...removed)],
    };
  },
});

/** Where the current token is stored; undefined: it comes from elsewhere. */
async function storedLocation(ctx: Context): Promise<TokenLocation | undefined> {
  const { token } = await ctx.api.settings('accounts');
  return token?.from === 'store' ? ctx.profile.tokens.locate('accounts') : undefined;
}
