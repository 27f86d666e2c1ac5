import type { TokenAuth } from '../../../api/secrets-tokens.ts';
import type { Context } from '../../../command/context.ts';
import { LanyardError } from '../../../errors.ts';
import { formatTimestamp } from '../../../output/humanize.ts';

/** The part of a lifetime after which a token is renewed; chosen at random between these, so that many clients differ. */
const [earliest, latest] = [0.5, 0.67];

interface Renewal {
  readonly renew: () => Promise<Pick<TokenAuth, 'lease_duration' | 'renewable'>>;
  /** Ends the renewal. */
  readonly ended: AbortSignal;
}

/**
 * Renews a token until a signal, or until it cannot be renewed any more, which is a warning. An unreachable service is
 * a warning too, and tried again until the token expires.
 *
 * @param seconds the lifetime of the token from now
 */
export async function keepRenewed(
  seconds: number,
  { renew, ended }: Renewal,
  ctx: Pick<Context, 'output' | 'system'>,
): Promise<void> {
  const { clock, random, sleep, signal } = ctx.system;
  const now = (): number => clock().getTime();
  const stopped = AbortSignal.any([ended, signal]);
  const isEnded = (): boolean => stopped.aborted;
  const share = earliest + (latest - earliest) * ((random(1)[0] ?? 0) / 256);
  let lifetime = seconds;
  let expires = now() + lifetime * 1000;
  let isFailing = false;
  for (;;) {
    // After a failure more often: within half of what is left.
    await sleep(Math.max(minimumMs, (expires - now()) * share), stopped);
    if (isEnded()) return;
    try {
      const { lease_duration, renewable = true } = await renew();
      if (isFailing) ctx.output.note('The token was renewed again.');
      isFailing = false;
      // The service grants less than before: up to the maximum. Services count in whole seconds.
      const isLast = !renewable || lease_duration < lifetime - 1;
      lifetime = lease_duration;
      expires = now() + lifetime * 1000;
      if (isLast) return ctx.output.warn(`${ending(expires)}: it has reached its maximum lifetime`);
    } catch (error) {
      if (isEnded()) return;
      if (!(error instanceof LanyardError)) throw error;
      const mayRecover = ['unreachable', 'unavailable'].includes(error.kind) || error.retryable;
      if (!mayRecover || now() >= expires) return ctx.output.warn(`${ending(expires)}: ${error.message}`);
      if (!isFailing) ctx.output.warn(`cannot renew the token yet: ${error.message}`);
      isFailing = true;
    }
  }
}

const minimumMs = 100;
const ending = (expires: number): string =>
  `the token can no longer be renewed and expires at ${formatTimestamp(new Date(expires))}`;
