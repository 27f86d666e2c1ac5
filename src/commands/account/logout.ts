import { isGoneToken } from '../../api/conditions.ts';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';
import { kinds, LanyardError, settle } from '../../errors.ts';
import { code, text } from '../../output/document.ts';
import type { TokenHome } from '../../tokens.ts';

export default command({
  description:
    'Deletes the token that calls to the account service carry now, and forgets it if it is stored with the profile. The exit code is 9 when the token could not be deleted: a stored one is removed here and may still be valid.',
  service: 'accounts',
  writes: true,
  readsFirst: true,
  args: {},
  flags: {},
  async run(_input, ctx) {
    const { token: plan, tokenFrom } = await ctx.api.settings('accounts');
    const home = plan?.from === 'store' ? await ctx.tokens.home('accounts') : undefined;
    if (plan === undefined || (home && (await ctx.tokens.read(home)) === undefined)) {
      return {
        data: { from: null, deleted: false, forgotten: false },
        document: [text('There is no token to log out with.')],
      };
    }
    const end = await destroy(home, ctx);
    if (home) await ctx.tokens.forget(home);
    const whose = home ? [' of the profile ', code(home.profile)] : [' from ', code(tokenFrom ?? '')];
    return {
      data: { from: tokenFrom, deleted: end === 'deleted', forgotten: home !== undefined },
      document: [text('The token', ...whose, ...(home ? forgotten : left)[end])],
      ...(end === 'deleted' || end === 'gone' ? {} : { exitCode: kinds.unknown.code }),
    };
  },
});

type End = 'deleted' | 'gone' | 'rejected' | 'nameless' | 'kept' | 'unreached';

const forgotten: { readonly [Each in End]: readonly string[] } = {
  deleted: [' is deleted and forgotten.'],
  gone: [' was already gone; it is removed here. The service does not know it.'],
  rejected: [
    ' is removed here and could not be deleted: the service rejected it (401). It may still be valid.',
  ],
  nameless: [' is removed here. It has no ID, so it could not be deleted and may still be valid.'],
  kept: [' is removed here. The service cannot delete tokens, so it is valid until it expires.'],
  unreached: [' is forgotten; it may still be valid.'],
};

const left: { readonly [Each in End]: readonly string[] } = {
  deleted: [' is deleted.'],
  gone: [' was already gone. The service does not know it.'],
  rejected: [' could not be deleted: the service rejected it (401). It may still be valid.'],
  nameless: [' has no ID, so it could not be deleted and may still be valid.'],
  kept: [' is valid until it expires: the service cannot delete tokens.'],
  unreached: [' may still be valid.'],
};

/** Deletes the token, as far as that can be done. A stored one is forgotten then, whatever became of it. */
async function destroy(home: TokenHome | undefined, ctx: Context): Promise<End> {
  const id = await ctx.api.accountsTokenId();
  if (id === undefined) return 'nameless';
  const accounts = await ctx.api.accounts();
  const isLive = async (): Promise<boolean> => {
    try {
      await accounts.readAuthToken({ id });
      return true;
    } catch (error) {
      if (isGoneToken(error)) return false;
      throw error;
    }
  };
  try {
    await settle(
      () => accounts.deleteAuthToken({ id }),
      async () => ({ done: !(await isLive()), found: 'The token is still valid.' }),
    );
    return 'deleted';
  } catch (error) {
    if (isGoneToken(error)) return 'gone';
    // Another token may have the ID, or a proxy may have removed the header: the token itself may be valid.
    if (error instanceof LanyardError && error.status === 401) return 'rejected';
    // Not found is the route, and nothing is known of the token.
    if (error instanceof LanyardError && error.kind === 'not_found') return 'kept';
    const isOurs = !(error instanceof LanyardError) || ['usage', 'interrupted'].includes(error.kind);
    if (isOurs || !home) throw error;
    ctx.io.warn(`the token could not be deleted: ${error.message}`);
    return 'unreached';
  }
}
