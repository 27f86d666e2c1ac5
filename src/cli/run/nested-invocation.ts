import type { Globals } from '../parse/globals.ts';
import { type Invocation, parseArgv } from '../parse/program.ts';

/** Any width: no help is printed. */
const width = 80;

/**
 * The invocation of a command that another one runs. It has its own words, and of the flags of the other one those for
 * prompts, messages, time and the dry run.
 *
 * @throws LanyardError usage: the words are not a command line.
 */
export async function nestedInvocation(words: readonly string[], outer: Globals): Promise<Invocation> {
  const parsed = await parseArgv(words, width);
  if (parsed.kind !== 'run') throw new Error(`not a command: ${words.join(' ')}`);
  const { yes, noInput, quiet, verbose, timeout, dryRun } = outer;
  const globals = { ...parsed.invocation.globals, yes, noInput, quiet, verbose, timeout, dryRun };
  return { ...parsed.invocation, globals };
}
