import type { RegistryClient } from '../../api/registry.ts';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';
import { kinds, LanyardError, settle } from '../../errors.ts';
import { code, text } from '../../output/document.ts';
import type { TokenHome } from '../../tokens.ts';
import { ownToken } from './shared.ts';

export default command({
  description:
    'Destroys the token that calls to the registry carry now, and forgets it if it is stored with the profile. Only tokens that a login made can be destroyed so; one that was not is kept by the service, and forgotten after asking only: it may be the last one. The exit code is 9 when a token is forgotten and could not be destroyed.',
  service: 'registry',
  writes: true,
  readsFirst: true,
  args: {},
  flags: {},
  async run(_input, ctx) {
    const { token: plan, tokenFrom } = await ctx.api.settings('registry');
    const home = plan?.from === 'store' ? await ctx.tokens.home('registry') : undefined;
    const stored = home && (await ctx.tokens.read(home));
    if (plan === undefined || (home !== undefined && stored === undefined)) {
      return {
        data: { from: null, destroyed: false, forgotten: false },
        document: [text('There is no token to log out with.')],
      };
    }
    const registry = await (stored === undefined ? ctx.api.registry() : ctx.api.registryWith(stored));
    const end = await destroy(registry, home, ctx);
    if (home) await ctx.tokens.forget(home);
    const whose = home ? [' of the profile ', code(home.profile)] : [' from ', code(tokenFrom ?? '')];
    return {
      data: { from: tokenFrom, destroyed: end === 'destroyed', forgotten: home !== undefined },
      document: [text('The token', ...whose, ...(home ? forgotten : left)[end])],
      ...(end === 'unreached' ? { exitCode: kinds.unknown.code } : {}),
    };
  },
});

type End = 'destroyed' | 'unknown' | 'foreign' | 'unreached';

const forgotten: { readonly [Each in End]: readonly string[] } = {
  destroyed: [' is destroyed and forgotten.'],
  unknown: [' is forgotten. The service did not know it any more.'],
  foreign: [' is forgotten. It was not made by a login, so the service keeps it.'],
  unreached: [' is forgotten; it may still be valid.'],
};

const left: { readonly [Each in End]: readonly string[] } = {
  destroyed: [' is destroyed.'],
  unknown: [' is not known to the service: it was destroyed before, or has ended.'],
  foreign: [' was not made by a login, so the service keeps it.'],
  unreached: [' may still be valid.'],
};

/** Destroys the token, as far as that can be done. A stored one is forgotten then, whatever became of it. */
async function destroy(registry: RegistryClient, home: TokenHome | undefined, ctx: Context): Promise<End> {
  try {
    const token = await ownToken(registry);
    if (token === undefined) return 'unknown';
    if (!token.AuthMethod) {
      if (home) {
        await ctx.io.confirm(
          `The token of "${home.profile}" was not made by a login, and nothing here can make it anew. Forget it?`,
        );
      }
      return 'foreign';
    }
    await settle(
      () => registry.logout({}),
      async () => ({
        done: (await ownToken(registry)) === undefined,
        found: 'the token is still valid',
      }),
    );
    return 'destroyed';
  } catch (error) {
    const isOurs = !(error instanceof LanyardError) || ['usage', 'interrupted'].includes(error.kind);
    if (isOurs || !home) throw error;
    ctx.io.warn(`the token could not be destroyed: ${error.message}`);
    return 'unreached';
  }
}
