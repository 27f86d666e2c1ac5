import { isGoneToken } from '../../api/conditions/accounts.ts';
import { command } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { TokenLocation } from '../../command/profile-store.ts';
import { confirmWrite, isNotFound, kinds, LanyardError, unlessNotFound } from '../../errors.ts';
import { code, text, textResult } from '../../output/document.ts';

export default command({
  description:
    'Deletes the current token at the account service, and removes it from this machine if it is stored with the profile. The exit code is 9 if the token could not be deleted: a stored token is removed but may still be valid.',
  examples: ['lanyard account logout'],
  service: 'accounts',
  writes: 'after reads',
  changes: ['profiles', 'tokens', 'account token'],
  async run(_input, ctx) {
    const { token: plan, tokenFrom } = await ctx.api.settings('accounts');
    const location = plan?.from === 'store' ? await ctx.profile.tokens.locate('accounts') : undefined;
    if (plan === undefined || (location && (await ctx.profile.tokens.read(location)) === undefined)) {
      return textResult({ from: null, deleted: false, forgotten: false }, 'No token is set or stored.');
    }
    const outcome = await deleteToken(location, ctx);
    if (location) await ctx.profile.tokens.remove(location);
    const whose = location ? [' of profile ', code(location.profile)] : [' from ', code(tokenFrom ?? '')];
    return {
      data: { from: tokenFrom, deleted: outcome === 'deleted', forgotten: location !== undefined },
      document: [text('The token', ...whose, ...(location ? removedTexts : notStoredTexts)[outcome])],
      exitCode: outcome === 'deleted' || outcome === 'gone' ? undefined : kinds.unknown.code,
    };
  },
});

type LogoutOutcome = 'deleted' | 'gone' | 'rejected' | 'nameless' | 'kept' | 'unreached';

const removedTexts: { readonly [Each in LogoutOutcome]: readonly string[] } = {
  deleted: [' was deleted and removed.'],
  gone: [' was removed. The service does not know it: it has expired or was deleted.'],
  rejected: [' was removed but could not be deleted: the service rejected it (401). It may still be valid.'],
  nameless: [' was removed. It has no ID, so it could not be deleted and may still be valid.'],
  kept: [' was removed. The service cannot delete tokens, so it is valid until it expires.'],
  unreached: [' was removed but may still be valid.'],
};

const notStoredTexts: { readonly [Each in LogoutOutcome]: readonly string[] } = {
  deleted: [' was deleted.'],
  gone: [' is not known to the service: it has expired or was deleted.'],
  rejected: [' could not be deleted: the service rejected it (401). It may still be valid.'],
  nameless: [' has no ID, so it could not be deleted and may still be valid.'],
  kept: [' is valid until it expires: the service cannot delete tokens.'],
  unreached: [' may still be valid.'],
};

/** Deletes the token if possible. The caller removes a stored token in every case. */
async function deleteToken(location: TokenLocation | undefined, ctx: Context): Promise<LogoutOutcome> {
  const id = await ctx.api.accountsTokenId();
  if (id === undefined) return 'nameless';
  const accounts = await ctx.api.accounts();
  const isLive = async (): Promise<boolean> =>
    (await unlessNotFound(accounts.readAuthToken({ id }), isGoneToken)) !== undefined;
  try {
    await confirmWrite(
      () => accounts.deleteAuthToken({ id }),
      async () => ({ done: !(await isLive()), found: 'the token is still valid' }),
    );
    return 'deleted';
  } catch (error) {
    if (isGoneToken(error)) return 'gone';
    // Another token may have the ID, or a proxy may have removed the header: the token itself may be valid.
    if (error instanceof LanyardError && error.status === 401) return 'rejected';
    // The route was not found; the state of the token is unknown.
    if (isNotFound(error)) return 'kept';
    const isOurs = !(error instanceof LanyardError) || ['usage', 'interrupted'].includes(error.kind);
    if (isOurs || !location) throw error;
    ctx.output.warn(`cannot delete the token: ${error.message}`);
    return 'unreached';
  }
}
