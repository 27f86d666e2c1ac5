import type { TokenAuth } from '../../../api/secrets-tokens.ts';
import type { UserOutput } from '../../../command/context.ts';
import type { System } from '../../../command/system.ts';
import { LanyardError } from '../../../errors.ts';
import { formatTimestamp } from '../../../output/humanize.ts';

/** The part of a lifetime after which it is renewed; chosen at random between these, so that many clients differ. */
const [earliest, latest] = [0.5, 0.67];
/** Milliseconds between attempts: at least, at most after a failure, and at most at all (the limit of timers). */
const minimumMs = 100;
const maximumRetryMs = 5 * 60_000;
const maximumMs = 2 ** 31 - 1;

/** The lifetime that a renewal grants: of a token, or of a lease. */
type Granted = Pick<TokenAuth, 'lease_duration' | 'renewable'>;

interface Renewal {
  /** In messages: `token`, `lease of database/creds/app`. */
  readonly what: string;
  readonly renew: () => Promise<Granted>;
  /** Whether an error means that it does not exist any more. */
  readonly isGone?: (error: unknown) => boolean;
  /** Ends the renewal. */
  readonly ended: AbortSignal;
}

/** The part of the context that a renewal uses. */
export interface RenewalContext {
  readonly output: Pick<UserOutput, 'note' | 'warn'>;
  readonly system: Pick<System, 'clock' | 'random' | 'sleep' | 'signal'>;
}

/** Why a lifetime cannot be extended any more. */
export interface RenewalEnd {
  /** When it expires, in milliseconds; now or before: it has expired or was revoked. */
  readonly expiresMs: number;
  readonly cause: string;
}

/**
 * Renews a lifetime until a signal, or until it cannot be extended. While the service is unavailable, with one warning,
 * the renewal is repeated until the lifetime ends.
 *
 * @param seconds the lifetime from now.
 * @returns undefined: a signal ended it.
 */
export async function renewUntilEnd(
  seconds: number,
  { what, renew, isGone = () => false, ended }: Renewal,
  ctx: RenewalContext,
): Promise<RenewalEnd | undefined> {
  const { clock, random, sleep, signal } = ctx.system;
  const now = (): number => clock().getTime();
  const stopped = AbortSignal.any([ended, signal]);
  const isEnded = (): boolean => stopped.aborted;
  const share = earliest + (latest - earliest) * ((random(1)[0] ?? 0) / 256);
  let lifetime = seconds;
  let expiresMs = now() + lifetime * 1000;
  let isFailing = false;
  for (;;) {
    // After a failure more often: within half of what is left.
    const delayMs = Math.max(minimumMs, (expiresMs - now()) * share);
    await sleep(Math.min(delayMs, isFailing ? maximumRetryMs : maximumMs), stopped);
    if (isEnded()) return undefined;
    try {
      const { lease_duration, renewable = true } = await renew();
      if (isFailing) ctx.output.note(`The ${what} was renewed again.`);
      isFailing = false;
      // The service grants less than before: up to the maximum. Services count in whole seconds.
      const isLast = !renewable || lease_duration < lifetime - 1;
      lifetime = lease_duration;
      expiresMs = now() + lifetime * 1000;
      if (isLast) return { expiresMs, cause: 'it has reached its maximum lifetime' };
    } catch (error) {
      if (isEnded()) return undefined;
      if (!(error instanceof LanyardError)) throw error;
      if (isGone(error)) return { expiresMs: now(), cause: 'it has expired or was revoked' };
      if (!mayRecover(error) || now() >= expiresMs) return { expiresMs, cause: error.message };
      if (!isFailing) ctx.output.warn(`cannot renew the ${what} yet: ${error.message}`);
      isFailing = true;
    }
  }
}

/** Renews the own token as `renewUntilEnd`; that it cannot be extended is a warning. */
export async function keepRenewed(
  seconds: number,
  renewal: Pick<Renewal, 'renew' | 'ended'>,
  ctx: RenewalContext,
): Promise<void> {
  const end = await renewUntilEnd(seconds, { what: 'token', ...renewal }, ctx);
  if (end)
    ctx.output.warn(
      `the token can no longer be renewed and expires at ${formatTimestamp(new Date(end.expiresMs))}: ${end.cause}`,
    );
}

/** Whether the service may accept the same request later: it is unreachable, restarts or is sealed. */
export const mayRecover = (error: LanyardError): boolean =>
  ['unreachable', 'unavailable'].includes(error.kind) || error.retryable;
