import { command } from '../../../command/command.ts';
import { confirmWrite, LanyardError } from '../../../errors.ts';
import { code, text } from '../../../output/document.ts';

export default command({
  description:
    'Deletes the current token at the box registry, and removes it from this machine if it is stored with the profile. A stored token that the service does not know is removed as well; the exit code is then 4.',
  examples: ['lanyard box token delete'],
  service: 'box',
  writes: true,
  changes: ['profiles', 'tokens'],
  async run(_input, ctx) {
    const { token: plan, tokenFrom = '' } = await ctx.api.settings('box');
    const location = plan?.from === 'store' ? await ctx.profile.tokens.locate('box') : undefined;
    const box = await ctx.api.box();
    if (plan !== undefined)
      await ctx.input.confirm(`Delete the token from ${tokenFrom}? It can no longer be used.`);
    try {
      await confirmWrite(
        () => box.deleteToken({}),
        async () => ({ done: !(await isKnown()), found: 'the token is still valid' }),
      );
    } catch (error) {
      if (!(error instanceof LanyardError) || error.status !== 401 || !location) throw error;
      await ctx.profile.tokens.remove(location);
      throw new LanyardError(error.kind, `${error.message}; the stored token was removed`, error);
    }
    if (location) await ctx.profile.tokens.remove(location);
    return {
      data: { from: tokenFrom, deleted: true, forgotten: location !== undefined },
      document: [text('Deleted the token from ', code(tokenFrom), `${location ? ' and removed it' : ''}.`)],
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
