import type { Context } from '../command/context.ts';
import { interruptionCode, isNotFound, type LanyardError, usage } from '../errors.ts';
import type { Result } from '../output/result.ts';
import { parseDuration } from '../wire/duration.ts';
import type { Source, WatchEvent, WatchOptions } from './watch.ts';

interface View<Value> {
  readonly result: (value: Value) => Result;
  /** What is shown if the object does not exist: `variable "app/db" does not exist`. */
  readonly absent: string;
}

/** An error in one line: its message, and the first message of the service. */
export const errorLine = ({ message, details: [first] }: LanyardError): string =>
  first === undefined ? message : `${message}: ${first}`;

const minIntervalMs = 100;

/** Milliseconds between reads. @throws LanyardError usage: less than 100 ms. */
function intervalMs(interval: string | undefined): number | undefined {
  if (interval === undefined) return undefined;
  const ms = (parseDuration(interval) ?? 0) * 1000;
  if (ms < minIntervalMs) throw usage(`invalid --interval "${interval}": expected at least 100ms`);
  return ms;
}

interface IntervalFlag {
  readonly interval: string | undefined;
}

/** The options of a watch that a signal to the process ends. @throws LanyardError usage: an interval of less than 100 ms. */
export const watchOptions = (
  { output, system }: Pick<Context, 'output' | 'system'>,
  { interval }: IntervalFlag,
): WatchOptions => ({
  clock: system.clock,
  sleep: system.sleep,
  random: () => Buffer.from(system.random(4)).readUInt32BE() / 2 ** 32,
  signal: system.signal,
  intervalMs: intervalMs(interval),
  onRetry: (error) => output.warn(`${errorLine(error)}; retrying`),
});

/**
 * Shows the state of an object at each change, until the process is interrupted.
 *
 * @returns undefined: the reader has closed the pipe; else the exit code of the interruption.
 * @throws LanyardError usage: the format has only one document; a permanent error of a read.
 */
export async function showChanges<Value>(
  ctx: Pick<Context, 'output' | 'system'>,
  source: Source<Value>,
  flags: IntervalFlag,
  view: View<Value>,
): Promise<{ readonly exitCode: number; readonly data?: undefined } | undefined> {
  const options = watchOptions(ctx, flags);
  const stream = await ctx.output.streamEvents();
  const { watch } = await import('./watch.ts');
  const onRetry = stream.showsErrors ? () => undefined : options.onRetry;
  for await (const event of watch(source, { ...options, onRetry })) {
    const { at, isChange } = event;
    const occurrence = { at, isChange, ...(event.index === undefined ? {} : { index: event.index }) };
    const isRead = await stream.add({ ...occurrence, ...stateOf(event, view) }).catch((error: unknown) => {
      // The field of --field may be added later.
      if (!isNotFound(error)) throw error;
      ctx.output.warn(error.message);
      return true;
    });
    if (!isRead) return undefined;
  }
  return { exitCode: interruptionCode(ctx.system.signal) };
}

function stateOf<Value>(event: WatchEvent<Value>, { result, absent }: View<Value>) {
  const { status } = event;
  if (status === 'present') return { status, result: result(event.data) };
  return status === 'absent' ? { status, description: absent } : { status, error: event.error };
}
