import { type Flag, flag, type Values } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { LanyardError, usage } from '../../../errors.ts';
import { code, text } from '../../../output/document.ts';
import { formatTimestamp, humanDuration } from '../../../output/humanize.ts';
import type { Result } from '../../../output/result.ts';
import { watchOptions } from '../../../watch/show-changes.ts';
import { type Waited, waitUntil } from '../../../watch/wait-until.ts';
import type { Source } from '../../../watch/watch.ts';
import { parseDuration } from '../../../wire/duration.ts';
import { type Condition, combined, parseCondition, rejectFailed } from './conditions.ts';

const defaultTimeout = '60s';

/** Flags of every `wait` command. */
export const waitFlags = {
  for: flag.texts(
    'CONDITION',
    'condition: present, absent, changed or a JMESPath expression; repeatable, all must be met',
  ),
  any: flag.boolean('stop waiting when one of the conditions is met'),
  failIf: flag.texts('CONDITION', 'condition that ends the wait with exit code 1; repeatable'),
  stable: flag.duration('how long the condition must be met without interruption'),
  timeout: flag.duration(
    `how long to wait, not the timeout of a request; 0: check once (default ${defaultTimeout})`,
  ),
  failFast: flag.boolean('fail if the service is unreachable or unavailable, instead of waiting'),
  interval: flag.duration('poll at this interval instead of waiting for changes'),
} as const satisfies Readonly<Record<string, Flag<unknown>>>;

interface WaitedObject<Value, Data> {
  /** In messages: `variable "app/db"`. */
  readonly name: string;
  /** The source, whose clients the signal aborts. */
  readonly source: (end: AbortSignal) => Promise<Source<Value>>;
  /** What is waited for without `--for`. */
  readonly otherwise: Condition<Value>;
  /** What is waited for in addition to `--for`. */
  readonly always?: readonly Condition<Value>[];
  /** The object of expressions and of the result. */
  readonly data: (value: Value) => Data;
  /** The fields of that object; undefined: any. */
  readonly fields?: readonly string[];
  /** The part for `-o env`; default: all. */
  readonly payload?: (value: Value) => unknown;
  /** Masks the secrets of the object in the log of a CI service. */
  readonly mask?: (value: Value) => void;
}

/** How a wait ended. */
interface WaitResult<Data> {
  /** What was waited for, as in messages: `variable "app/db"`. */
  readonly object: string;
  /** The conditions, as given with --for. */
  readonly condition: string;
  readonly met: true;
  readonly elapsedSeconds: number;
  /** The index of the state in the service; absent: the service has none. */
  readonly index?: string;
  readonly status: 'present' | 'absent';
  /** The object; null: it does not exist. */
  readonly data: Data | null;
}

/**
 * Waits until an object is as `--for` requires.
 *
 * @returns the condition, the time it took, and the object.
 * @throws LanyardError unavailable: the time is up; failure: `--fail-if`; usage: an invalid flag; the errors of `watch`.
 */
export async function waitFor<Value, Data>(
  ctx: Pick<Context, 'input' | 'output' | 'system'>,
  flags: Values<typeof waitFlags>,
  waited: WaitedObject<Value, Data>,
): Promise<Result<WaitResult<Data>>> {
  const timeoutMs = millisecondsOf(flags.timeout ?? defaultTimeout);
  const stableMs = millisecondsOf(flags.stable ?? '0');
  if (stableMs > 0 && stableMs >= timeoutMs) throw usage('--stable must be shorter than --timeout');
  const parse = (flag: string) => (text: string) =>
    parseCondition(text, { flag, object: waited.data, fields: waited.fields }, ctx.input);
  const desired = await Promise.all(flags.for.map(parse('--for')));
  const failing = await Promise.all(flags.failIf.map(parse('--fail-if')));
  const always = waited.always ?? [];
  const conditions = desired.length + always.length === 0 ? [waited.otherwise] : [...always, ...desired];
  const check = combined(conditions, flags.any);
  const end = new AbortController();
  const source = await waited.source(end.signal);
  const options = watchOptions(ctx, flags);
  let isWaiting = false;
  const outcome = await waitUntil(
    source,
    async (state) => {
      await rejectFailed(waited.name, failing, state);
      const verdict = await check(state);
      if (!(verdict.isMet || isWaiting || timeoutMs === 0)) {
        ctx.output.note(`waiting for ${waited.name}: ${verdict.reason}`);
        isWaiting = true;
      }
      return verdict;
    },
    { ...options, end, timeoutMs, stableMs, ...(flags.failFast ? { isPermanent: () => true } : {}) },
  );
  const condition = conditions.map(({ text }) => text).join(flags.any ? ' or ' : ' and ');
  if (outcome.isMet) return metResult(outcome, waited, condition);
  throw expired(outcome, waited.name, { condition, timeoutMs });
}

const millisecondsOf = (duration: string): number => (parseDuration(duration) ?? 0) * 1000;

function metResult<Value, Data>(
  { event, elapsedMs }: Extract<Waited<Value>, { isMet: true }>,
  { name, data, payload = data, mask }: WaitedObject<Value, Data>,
  condition: string,
): Result<WaitResult<Data>> {
  if (event.status === 'present') mask?.(event.data);
  const { status, index } = event;
  const object = event.status === 'present' ? data(event.data) : null;
  const after = elapsedMs < 1000 ? '' : ` (after ${humanDuration(elapsedMs / 1000)})`;
  const result: WaitResult<Data> = {
    object: name,
    condition,
    met: true,
    elapsedSeconds: elapsedMs / 1000,
    ...(index === undefined ? {} : { index }),
    status,
    data: object,
  };
  return {
    data: result,
    payload: event.status === 'present' ? payload(event.data) : null,
    rows: [result],
    document: [text(name, ': ', code(condition), after)],
  };
}

function expired<Value>(
  { reason, last, elapsedMs }: Extract<Waited<Value>, { isMet: false }>,
  name: string,
  { condition, timeoutMs }: { readonly condition: string; readonly timeoutMs: number },
): LanyardError {
  const index = last?.index === undefined ? '' : `, index ${last.index}`;
  const when = timeoutMs === 0 ? 'condition not met' : `timed out after ${humanDuration(elapsedMs / 1000)}`;
  return new LanyardError('unavailable', `${when}: ${name}: ${reason}`, {
    details: [
      `condition: ${condition}`,
      last === undefined
        ? 'no state was read'
        : `last state: ${last.status}${index}, at ${formatTimestamp(last.at)}`,
    ],
    hint: timeoutMs === 0 ? undefined : 'Set --timeout to wait longer.',
    retryable: true,
  });
}
