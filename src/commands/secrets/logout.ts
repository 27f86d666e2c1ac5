import { isDeniedByPolicy, isUnknownSecretsToken } from '../../api/conditions.ts';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';
import { kinds, LanyardError, settle } from '../../errors.ts';
import { code, text } from '../../output/document.ts';

export default command({
  description:
    'The token that is stored with the profile is revoked at the service and removed from this machine. One from a variable or a file is left alone. A root token is revoked only after asking: it may be the last one. The exit code is 9 when the token could not be revoked: it is removed here and may still be valid.',
  service: 'secrets',
  writes: true,
  readsFirst: true,
  args: {},
  flags: {},
  async run(_input, ctx) {
    const home = await ctx.tokens.home('secrets');
    const { profile } = home;
    const token = await ctx.tokens.read(home);
    if (token === undefined) {
      return {
        data: { profile, revoked: false, forgotten: false },
        document: [text('No token is stored with the profile ', code(profile), '.')],
      };
    }
    const revoked = await revoke(token, profile, ctx);
    await ctx.tokens.forget(home);
    return {
      data: { profile, revoked: revoked === 'revoked', forgotten: true },
      document: [text('The token of the profile ', code(profile), endings[revoked])],
      ...(revoked === 'revoked' || revoked === 'gone' ? {} : { exitCode: kinds.unknown.code }),
    };
  },
});

const endings = {
  revoked: ' is revoked and forgotten.',
  gone: ' was already gone; it is removed here. The service does not know it.',
  kept: ' is removed here and is still valid: it has no permission to revoke itself.',
  refused:
    ' is removed here and could not be revoked: permission denied (403). It has expired, or it may still be valid.',
  unreached: ' is forgotten; it may still be valid.',
} as const;

/** Revokes the token, as far as that can be done. */
async function revoke(token: string, profile: string, ctx: Context): Promise<keyof typeof endings> {
  const secrets = await ctx.api.secretsWith(token);
  const isRefused = (error: unknown): boolean => error instanceof LanyardError && error.kind === 'forbidden';
  const policies = async (): Promise<readonly string[] | undefined> => {
    try {
      return (await secrets.lookupSelf({})).body.data.policies ?? [];
    } catch (error) {
      if (isRefused(error)) return undefined;
      throw error;
    }
  };
  try {
    const before = await policies();
    if (before?.includes('root'))
      await ctx.io.confirm(`The token of "${profile}" is a root token. Revoke it?`);
    await settle(
      () => secrets.revokeSelf({}),
      async () => ({
        done: before !== undefined && (await policies()) === undefined,
        found: 'whether the token is still valid could not be told',
      }),
    );
    return 'revoked';
  } catch (error) {
    if (isUnknownSecretsToken(error)) return 'gone';
    if (isDeniedByPolicy(error)) return 'kept';
    if (isRefused(error)) return 'refused';
    if (!(error instanceof LanyardError) || ['usage', 'interrupted'].includes(error.kind)) throw error;
    ctx.io.warn(`the token could not be revoked: ${error.message}`);
    return 'unreached';
  }
}
