import type { SecretsClient } from '../../../api/secrets.ts';
import type { Context } from '../../../command/context.ts';
import { LanyardError } from '../../../errors.ts';
import { formatTimestamp } from '../../../output/humanize.ts';
import { keepRenewed } from '../../secrets/lib/renewal.ts';
import { lookUp } from '../../secrets/lib/tokens.ts';

/**
 * Renews the token of the secrets service while values are watched. A token that cannot be renewed is a warning: after
 * its end the values are not updated. Without a token of its own (an agent has one), nothing is done.
 *
 * @param ended ends the renewal
 */
export async function keepTokenRenewed(
  secrets: SecretsClient,
  ended: AbortSignal,
  ctx: Pick<Context, 'api' | 'output' | 'system'>,
): Promise<void> {
  if ((await ctx.api.settings('secrets')).token === undefined) return;
  try {
    // A token may lack permission to look itself up.
    const { ttl = 0, renewable } = await lookUp(secrets, { kind: 'self' });
    if (ttl === 0) return;
    const expires = formatTimestamp(new Date(ctx.system.clock().getTime() + ttl * 1000));
    if (renewable === false)
      return ctx.output.warn(
        `the token cannot be renewed and expires at ${expires}: the values are not updated after that`,
      );
    const renew = async () => (await secrets.renewSelf({})).body.auth;
    const { lease_duration } = await renew();
    await keepRenewed(lease_duration, { renew, ended }, ctx);
  } catch (error) {
    if (!(error instanceof LanyardError)) throw error;
    if (!ended.aborted) ctx.output.detail(`the token is not renewed: ${error.message}`);
  }
}
