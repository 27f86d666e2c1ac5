import type { Context } from '../../../../command/context.ts';
import { LanyardError, partiallyAppliedError } from '../../../../errors.ts';
import { type Base, changeVersioned } from '../versioned.ts';

interface Item {
  readonly id: string;
  readonly version: number;
}

/** One change of several of an object. */
export interface Step<Body> {
  readonly write: (guard: { readonly id: string; readonly version: number }) => Promise<{
    readonly body: Body;
  }>;
  readonly isWritten: (current: Body) => boolean;
  /** What was done, for the error of a later step: `Added a grant.` */
  readonly done: string;
  /** The command line that does it, without `lanyard`; absent: the same command line continues. */
  readonly command?: (id: string) => string;
}

/**
 * Makes the changes one after the other, each at the version that the one before created.
 *
 * @param done what was done before
 * @throws LanyardError unknown: a step failed after others; what was done, and the command lines for the rest.
 */
export async function changeInSteps<Body extends Item>(
  ctx: Pick<Context, 'output'>,
  base: Base<Body> & { readonly current: Body },
  steps: readonly Step<Body>[],
  done: readonly string[] = [],
): Promise<Body> {
  let now = base.current;
  const finished = [...done];
  for (const [index, step] of steps.entries()) {
    const at = { ...base, version: index === 0 ? base.version : now.version, current: now };
    try {
      now = await changeVersioned(ctx, at, () => step.write({ id: base.id, version: at.version }), step);
    } catch (error) {
      throw partialError(error, finished, steps.slice(index), base.id);
    }
    finished.push(step.done);
  }
  return now;
}

/** The error of a step, with what was done before and how to do the rest. */
function partialError<Body>(
  error: unknown,
  done: readonly string[],
  rest: readonly Pick<Step<Body>, 'command'>[],
  id: string,
): unknown {
  const partial = partiallyAppliedError(error, done);
  if (partial === error || !(partial instanceof LanyardError)) return error;
  const commands = rest.flatMap(({ command }) => (command === undefined ? [] : [command(id)]));
  if (commands.length === 0) return partial;
  const line = commands.map((each) => `lanyard ${each}`).join(' && ');
  return partial.withHint(`Fix the error, then run \`${line}\`.`);
}
