import { isDeniedByPolicy, isUnknownSecretsToken } from '../../api/conditions/secrets.ts';
import { command } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { confirmWrite, insteadOf, isForbidden, kinds, LanyardError } from '../../errors.ts';
import { code, text } from '../../output/document.ts';

export default command({
  description:
    'Revokes the token stored with the profile and removes it from this machine; tokens in variables and files are unchanged (exit code 9; the message shows how to revoke them). Prompts before revoking a root token. The exit code is 9 if the token was removed but could not be revoked.',
  examples: ['lanyard secrets logout'],
  service: 'secrets',
  writes: 'after reads',
  changes: ['profiles', 'tokens', 'secrets token', 'secrets lease'],
  async run(_input, ctx) {
    const { token: plan, tokenFrom } = await ctx.api.settings('secrets');
    const other = plan === undefined || plan.from === 'store' ? undefined : (tokenFrom ?? undefined);
    const location = await ctx.profile.tokens.locate('secrets').catch((error: unknown) => {
      if (other === undefined || !(error instanceof LanyardError)) throw error;
      return undefined;
    });
    const token = location && (await ctx.profile.tokens.read(location));
    if (other !== undefined && token === undefined) {
      ctx.output.note(
        await ctx.output.repeatFlags('Run `lanyard secrets token revoke --self` to revoke it.'),
      );
      return {
        data: { profile: location?.profile ?? null, revoked: false, forgotten: false },
        document: [text('No token is stored. The token from ', code(other), ' may still be valid.')],
        exitCode: kinds.unknown.code,
      };
    }
    const profile = location?.profile ?? null;
    if (location === undefined || profile === null || token === undefined) {
      return {
        data: { profile, revoked: false, forgotten: false },
        document: [text('No token is stored with profile ', code(profile ?? ''), '.')],
      };
    }
    const revoked = await revoke(token, profile, ctx);
    await ctx.profile.tokens.remove(location);
    return {
      data: { profile, revoked: revoked === 'revoked', forgotten: true },
      document: [text('The token of profile ', code(profile), outcomeTexts[revoked])],
      exitCode: revoked === 'revoked' || revoked === 'gone' ? undefined : kinds.unknown.code,
    };
  },
});

const outcomeTexts = {
  revoked: ' was revoked and removed.',
  gone: ' was removed. The service does not know it: it has expired or was revoked.',
  kept: ' was removed but is still valid: it has no permission to revoke itself.',
  refused: ' was removed but could not be revoked: permission denied (403). It may still be valid.',
  unreached: ' was removed but may still be valid.',
} as const;

async function revoke(token: string, profile: string, ctx: Context): Promise<keyof typeof outcomeTexts> {
  const secrets = await ctx.api.secrets({ token });
  const policies = async (): Promise<readonly string[] | undefined> => {
    const response = await secrets.lookupSelf({}).catch(insteadOf(isForbidden, undefined));
    return response && (response.body.data.policies ?? []);
  };
  try {
    const before = await policies();
    if (before?.includes('root'))
      await ctx.input.confirm(`Revoke the root token of profile "${profile}"? This cannot be undone.`);
    await confirmWrite(
      () => secrets.revokeSelf({}),
      async () => ({
        done: before !== undefined && (await policies()) === undefined,
        found: 'the state of the token could not be verified',
      }),
    );
    return 'revoked';
  } catch (error) {
    if (isUnknownSecretsToken(error)) return 'gone';
    if (isDeniedByPolicy(error)) return 'kept';
    if (isForbidden(error)) return 'refused';
    if (!(error instanceof LanyardError) || ['usage', 'interrupted'].includes(error.kind)) throw error;
    ctx.output.warn(`cannot revoke the token: ${error.message}`);
    return 'unreached';
  }
}
