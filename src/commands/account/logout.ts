import { command } from '../../command.ts';
import type { Context } from '../../context.ts';
import { kinds, LanyardError, settle } from '../../errors.ts';
import { code, text } from '../../output/document.ts';
import type { TokenHome } from '../../tokens.ts';

export default command({
  description:
    'Deletes the token that calls to the account service carry now, and forgets it if it is stored with the profile. The exit code is 9 when a token is forgotten and could not be deleted.',
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
      ...(end === 'unreached' ? { exitCode: kinds.unknown.code } : {}),
    };
  },
});

type End = 'deleted' | 'unknown' | 'nameless' | 'kept' | 'unreached';

const forgotten: { readonly [Each in End]: readonly string[] } = {
  deleted: [' is deleted and forgotten.'],
  unknown: [' is forgotten. The service did not know it any more.'],
  nameless: [' is forgotten. It tells no ID by which the service could delete it.'],
  kept: [' is forgotten. The service has no way to delete it: it is valid until it ends by itself.'],
  unreached: [' is forgotten; it may still be valid.'],
};

const left: { readonly [Each in End]: readonly string[] } = {
  deleted: [' is deleted.'],
  unknown: [' is not known to the service: it was deleted before, or has ended.'],
  nameless: [' tells no ID by which the service could delete it.'],
  kept: [' is valid until it ends by itself: the service has no way to delete it.'],
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
      if (isUnknown(error)) return false;
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
    if (isUnknown(error)) return 'unknown';
    // A token that is good for calls is there: not found is the way to it.
    if (error instanceof LanyardError && error.kind === 'not_found') return 'kept';
    const isOurs = !(error instanceof LanyardError) || ['usage', 'interrupted'].includes(error.kind);
    if (isOurs || !home) throw error;
    ctx.io.warn(`the token could not be deleted: ${error.message}`);
    return 'unreached';
  }
}

/** A token that was deleted, or has ended, lets nobody in. */
const isUnknown = (error: unknown): boolean => error instanceof LanyardError && error.status === 401;
