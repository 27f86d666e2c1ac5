import type { Messages, Progress } from '../io/io.ts';

/** Starts a line of progress on a terminal. Commands pass `ctx.output.progress`. */
export type StartProgress = Messages['progress'];

/**
 * Does work on many objects with a line of progress: `reading objects 1,234 of 10,000`.
 *
 * @param what without the numbers: `reading objects`.
 * @param work calls `count` for each object that is done.
 */
export async function withProgress<Result>(
  start: StartProgress,
  what: string,
  total: number,
  work: (count: () => void) => Promise<Result>,
): Promise<Result> {
  const line = await start(what);
  try {
    return await work(counter(line, what, total));
  } finally {
    line.stop();
  }
}

/** Counts objects on a line of progress, one with each call. */
export function counter(line: Progress, what: string, total: number): () => void {
  let done = 0;
  return () => {
    done += 1;
    // Zero columns: there is no terminal.
    if (line.columns > 0) line.update(`${what} ${numberText(done)} of ${numberText(total)}`);
  };
}

/** `1,234`. */
const numberText = (count: number): string => count.toLocaleString('en-US');
