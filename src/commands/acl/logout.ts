import { isTokenNotRead, isUnknownRegistryToken } from '../../api/conditions/registry.ts';
import type { RegistryClient } from '../../api/registry.ts';
import type { InDatacenter } from '../../api/registry-datacenter.ts';
import { command, flag } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { TokenLocation } from '../../command/profile-store.ts';
import { confirmWrite, kinds, LanyardError } from '../../errors.ts';
import { code, text } from '../../output/document.ts';
import { whereFrom } from './lib/find.ts';
import { readOwnToken } from './lib/login-token.ts';

export default command({
  description:
    'Deletes the current token of the registry, and removes it if it is stored with the profile. A token that was not created by a login cannot be deleted this way; a stored one is removed after a confirmation. The exit code is 9 if the token could not be deleted: it may still be valid.',
  examples: ['lanyard acl logout'],
  service: 'registry',
  writes: 'after reads',
  changes: ['profiles', 'tokens', 'acl token'],
  flags: { dc: flag.datacenter('datacenter of the auth method') },
  async run({ flags }, ctx) {
    const where = whereFrom(flags);
    const { token: plan, tokenFrom } = await ctx.api.settings('registry');
    const location = plan?.from === 'store' ? await ctx.profile.tokens.locate('registry') : undefined;
    const stored = location && (await ctx.profile.tokens.read(location));
    if (plan === undefined || (location !== undefined && stored === undefined)) {
      return {
        data: { from: null, destroyed: false, forgotten: false },
        document: [text('No token is stored or configured.')],
      };
    }
    const registry = await (stored === undefined ? ctx.api.registry() : ctx.api.registry({ token: stored }));
    const outcome = await revokeToken(registry, { location, where }, ctx);
    if (location) await ctx.profile.tokens.remove(location);
    const whose = location ? [' of profile ', code(location.profile)] : [' from ', code(tokenFrom ?? '')];
    return {
      data: { from: tokenFrom, destroyed: outcome === 'destroyed', forgotten: location !== undefined },
      document: [text('The token', ...whose, ...(location ? removedTexts : notStoredTexts)[outcome])],
      exitCode: outcome === 'destroyed' || outcome === 'gone' ? undefined : kinds.unknown.code,
    };
  },
});

type LogoutOutcome = 'destroyed' | 'gone' | 'unread' | 'foreign' | 'unreached';

const removedTexts: { readonly [Each in LogoutOutcome]: readonly string[] } = {
  destroyed: [' was deleted and removed.'],
  gone: [' was removed. The service does not know it: it has expired or was deleted.'],
  unread: [' was removed but could not be deleted; it may still be valid.'],
  foreign: [' was removed but is still valid: it was not created by a login.'],
  unreached: [' was removed but may still be valid.'],
};

const notStoredTexts: { readonly [Each in LogoutOutcome]: readonly string[] } = {
  destroyed: [' was deleted.'],
  gone: [' is unknown to the service: it has expired or was deleted.'],
  unread: [' could not be deleted; it may still be valid.'],
  foreign: [' was not deleted: it was not created by a login.'],
  unreached: [' may still be valid.'],
};

/** Deletes the token if possible. The caller removes a stored token in any case, unless this throws. */
async function revokeToken(
  registry: RegistryClient,
  { location, where }: { readonly location: TokenLocation | undefined; readonly where: InDatacenter },
  ctx: Context,
): Promise<LogoutOutcome> {
  try {
    const token = await readOwnToken(registry, where);
    // The error message distinguishes a token that does not exist from one that the service did not read.
    if (token === undefined) {
      await registry.logout(where);
      return 'destroyed';
    }
    if (!token.AuthMethod) {
      if (location) {
        await ctx.input.confirm(
          `Remove the token of profile "${location.profile}"? It was not created by a login and cannot be restored.`,
        );
      }
      return 'foreign';
    }
    await confirmWrite(
      () => registry.logout(where),
      async () => ({
        done: (await readOwnToken(registry, where)) === undefined,
        found: 'the token is still valid',
      }),
    );
    return 'destroyed';
  } catch (error) {
    if (isUnknownRegistryToken(error)) return 'gone';
    if (isTokenNotRead(error)) {
      const header = (await ctx.api.settings('registry')).headerPrefixes.map((prefix) => `${prefix}-Token`);
      ctx.output.warn(
        `the service registry did not receive the token, sent as ${header.join(' and ')}; check header-prefix in the profile and any proxy`,
      );
      return 'unread';
    }
    const isOurs = !(error instanceof LanyardError) || ['usage', 'interrupted'].includes(error.kind);
    if (isOurs || !location) throw error;
    ctx.output.warn(`cannot delete the token: ${error.message}`);
    return 'unreached';
  }
}
