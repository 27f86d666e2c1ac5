import type { Context } from '../../../command/context.ts';
import { interruptionCode, LanyardError } from '../../../errors.ts';
import { errorLine } from '../../../watch/show-changes.ts';
import { Changes, type Debounce } from './changes.ts';
import { followValues } from './follow-values.ts';
import type { RequestedValues } from './rendering.ts';

/** Milliseconds until a failed rendering is repeated, if no value changes before. */
const retryMs = { min: 1000, max: 30_000 };

interface Kept {
  readonly values: RequestedValues;
  /** Renders the templates and writes the files that differ. */
  readonly update: () => Promise<void>;
  readonly debounce: Debounce;
  /** Of `--interval`. */
  readonly interval: string | undefined;
}

/**
 * Renders again whenever a value changes, until a signal. An error is a warning: the files are unchanged, and the next change or a delay repeats the attempt.
 *
 * @returns the exit code of the interruption.
 */
export async function keepRendered(
  { values, update, debounce, interval }: Kept,
  ctx: Context,
): Promise<number> {
  const { signal } = ctx.system;
  const changes = new Changes(ctx.system);
  const follow = followValues(
    values,
    {
      signal,
      interval,
      consequence: 'the files are not updated after that',
      onChange: () => changes.report(),
      onFailure: (error) => changes.fail(error),
    },
    ctx,
  );
  let lastError: string | undefined;
  follow();
  for (let delayMs = Number.POSITIVE_INFINITY; ; follow()) {
    await changes.wait(delayMs, debounce);
    if (signal.aborted) return interruptionCode(signal);
    try {
      await update();
      values.forgetUnused();
      delayMs = Number.POSITIVE_INFINITY;
      lastError = undefined;
    } catch (error) {
      if (signal.aborted) return interruptionCode(signal);
      if (!(error instanceof LanyardError)) throw error;
      const line = errorLine(error);
      if (line !== lastError) ctx.output.warn(`${line}; the files are unchanged`);
      lastError = line;
      await values.forgetFailed();
      delayMs = delayMs > retryMs.max ? retryMs.min : Math.min(delayMs * 2, retryMs.max);
    }
  }
}
