import { command } from '../../../command.ts';
import { LanyardError, settle } from '../../../errors.ts';
import { code, text } from '../../../output/document.ts';

export default command({
  description:
    'Deletes the token that calls to the box registry carry now, and forgets it if it is stored with the profile. One that the service does not know any more is forgotten too, and the exit code is 4.',
  service: 'box',
  writes: true,
  args: {},
  flags: {},
  async run(_input, ctx) {
    const { token: plan, tokenFrom = '' } = await ctx.api.settings('box');
    const home = plan?.from === 'store' ? await ctx.tokens.home('box') : undefined;
    const box = await ctx.api.box();
    if (plan !== undefined)
      await ctx.io.confirm(`Delete the token from ${tokenFrom}? What uses it is not let in any more.`);
    try {
      await settle(
        () => box.deleteToken({}),
        async () => ({ done: !(await isKnown()), found: 'the token is still valid' }),
      );
    } catch (error) {
      if (!(error instanceof LanyardError) || error.status !== 401 || !home) throw error;
      await ctx.tokens.forget(home);
      throw new LanyardError(error.kind, `${error.message}; it is forgotten`, error);
    }
    if (home) await ctx.tokens.forget(home);
    return {
      data: { from: tokenFrom, deleted: true, forgotten: home !== undefined },
      document: [text('The token from ', code(tokenFrom), ` is deleted${home ? ' and forgotten' : ''}.`)],
    };

    async function isKnown(): Promise<boolean> {
      try {
        await box.checkToken({});
        return true;
      } catch (error) {
        if (error instanceof LanyardError && error.status === 401) return false;
        throw error;
      }
    }
  },
});
