import type { Context } from '../../../command/context.ts';
import { insteadOf, LanyardError } from '../../../errors.ts';
import { formatTimestamp } from '../../../output/humanize.ts';
import type { Keys } from '../../../ssh/keys.ts';
import { renewalRetryPath } from '../../../wire/key-paths.ts';

/** More than the file ever has. */
const maxBytes = 4096;

/** The file about a failed renewal of a certificate; '' if it is missing or cannot be read. */
export async function readRetry(certificate: string, ctx: Context): Promise<string> {
  const path = renewalRetryPath(certificate);
  // Otherwise a pipe would block.
  if (!(await ctx.files.isFile(path))) return '';
  return ctx.files.readText(path, 'the failed renewal', maxBytes).catch(insteadOf(isExpected, ''));
}

/**
 * Postpones the next renewal of a certificate after a failed one.
 *
 * @returns when the next attempt is made, as text.
 */
export async function postpone(path: string, certificate: string, keys: Keys, ctx: Context): Promise<string> {
  const { clock, random } = ctx.system;
  const fraction = random(4).reduce((sum, byte) => sum * 256 + byte, 0) / 2 ** 32;
  const previous = await readRetry(path, ctx);
  const now = clock().getTime() / 1000;
  const { content, nextAttempt } = keys.retryFile(previous, certificate, now, fraction);
  const file = { path: renewalRetryPath(path), content, replace: true } as const;
  const next =
    nextAttempt > now ? `next attempt after ${formatTimestamp(new Date(nextAttempt * 1000))}` : nextCall;
  return ctx.files.write([file]).then(() => next, insteadOf(isExpected, nextCall));
}

const nextCall = 'the next call tries again';

/** Removes the file. The next certificate makes it invalid, so a failure does not matter. */
export async function removeRetry(certificate: string, ctx: Context): Promise<void> {
  await ctx.files.remove(renewalRetryPath(certificate)).catch(insteadOf(isExpected, undefined));
}

const isExpected = (error: unknown): boolean => error instanceof LanyardError;
