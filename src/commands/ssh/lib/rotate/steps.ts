import type { Context } from '../../../../command/context.ts';
import { partiallyAppliedError } from '../../../../errors.ts';

/** A write of a rotation. */
export interface Step {
  /** What it did, for the error of a later step: "Copied role deploy." */
  readonly done: string;
  readonly run: () => Promise<unknown>;
}

/**
 * Runs the writes of a command one after the other; a dry run shows the requests of all.
 *
 * @throws LanyardError the error of a step; unknown: earlier ones were applied, and the same command continues.
 */
export async function runSteps(steps: readonly Step[], { output }: Pick<Context, 'output'>): Promise<void> {
  const done: string[] = [];
  try {
    await output.sequentially(steps, async (step) => {
      await step.run();
      done.push(step.done);
    });
  } catch (error) {
    throw partiallyAppliedError(error, done);
  }
}
