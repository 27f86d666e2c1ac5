import type { SecretsClient } from '../../../api/secrets.ts';
import type { TokenProperties } from '../../../api/secrets-tokens.ts';
import type { Context } from '../../../command/context.ts';
import { isForbidden, LanyardError } from '../../../errors.ts';
import { formatTimestamp } from '../../../output/humanize.ts';
import { keepRenewed, mayRecover, type RenewalContext } from '../../secrets/lib/renewal.ts';
import { lookUp } from '../../secrets/lib/tokens.ts';

interface Keeping {
  /** Ends the renewal. */
  readonly ended: AbortSignal;
  /** What follows when the token expires: `the values are not updated after that`. */
  readonly consequence: string;
  /** Called when the first attempt to look it up and renew it has ended. */
  readonly onAttempt?: () => void;
}

interface KeepingContext extends RenewalContext {
  readonly api: Pick<Context['api'], 'settings'>;
  readonly output: RenewalContext['output'] & Pick<Context['output'], 'detail'>;
}

/** Milliseconds between attempts of the first renewal. */
const retryMs = { min: 500, max: 30_000 };

/**
 * Renews the configured token of the secrets service while something depends on it: values that are watched, leases. A
 * token that cannot be renewed is a warning. Without a token (an agent or proxy adds its own), or with one that does not
 * expire, nothing is done. Never rejects with a `LanyardError`.
 *
 * @param secrets a client whose calls are not retried: they are repeated here.
 */
export async function keepTokenRenewed(
  secrets: SecretsClient,
  { ended, consequence, onAttempt }: Keeping,
  ctx: KeepingContext,
): Promise<void> {
  const { token: source } = await ctx.api.settings('secrets');
  if (source === undefined) return;
  const renew = async () => (await secrets.renewSelf({})).body.auth;
  try {
    const lifetime = await untilAvailable(
      async () => {
        try {
          const token = await lookUpOwn(secrets);
          if (token?.ttl === 0) return undefined;
          return token?.renewable === false ? token : (await renew()).lease_duration;
        } finally {
          onAttempt?.();
        }
      },
      ended,
      ctx,
    );
    if (typeof lifetime === 'number' && lifetime > 0)
      return await keepRenewed(lifetime, { renew, ended }, ctx);
    if (typeof lifetime === 'object') {
      const expires = formatTimestamp(new Date(ctx.system.clock().getTime() + (lifetime.ttl ?? 0) * 1000));
      ctx.output.warn(`the token cannot be renewed and expires at ${expires}: ${consequence}`);
    }
  } catch (error) {
    if (!(error instanceof LanyardError)) throw error;
    if (!ended.aborted) ctx.output.warn(`the token is not renewed: ${error.message}`);
  }
}

/** @returns undefined: the token has no permission to look itself up. */
async function lookUpOwn(secrets: SecretsClient): Promise<TokenProperties | undefined> {
  try {
    return await lookUp(secrets, { kind: 'self' });
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return undefined;
  }
}

/** Repeats calls while the service is unreachable, restarts or is sealed. @returns undefined: a signal ended it. */
async function untilAvailable<Value>(
  call: () => Promise<Value>,
  ended: AbortSignal,
  { output, system: { random, sleep, signal } }: KeepingContext,
): Promise<Value | undefined> {
  const stopped = AbortSignal.any([ended, signal]);
  for (let delayMs = retryMs.min; !stopped.aborted; delayMs = Math.min(delayMs * 2, retryMs.max)) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof LanyardError) || !mayRecover(error)) throw error;
      output.detail(`cannot renew the token yet: ${error.message}`);
    }
    await sleep(delayMs * (1 / 2 + (random(1)[0] ?? 0) / 512), stopped);
  }
  return undefined;
}
