import type { Context } from '../../../command/context.ts';
import { LanyardError } from '../../../errors.ts';
import type { ObservedState, Verdict } from '../../../watch/wait-until.ts';

/** What an object is waited for. */
export interface Condition<Value> {
  /** In results and messages: `present`, `Items.ready == 'yes'`. */
  readonly text: string;
  check(state: ObservedState<Value>): Promise<Verdict>;
}

const met: Verdict = { isMet: true };
const notMet = (reason: string): Verdict => ({ isMet: false, reason });

const absence = 'it does not exist';

/** A condition on an object that exists. */
export const whilePresent = <Value>(
  text: string,
  holds: (data: Value, state: ObservedState<Value>) => true | string,
): Condition<Value> => ({
  text,
  check: async (state) => {
    if (state.data === undefined) return notMet(absence);
    const result = holds(state.data, state);
    return result === true ? met : notMet(result);
  },
});

export const present = <Value>(): Condition<Value> => whilePresent('present', () => true);

const absent = <Value>(): Condition<Value> => ({
  text: 'absent',
  check: async ({ data }) => (data === undefined ? met : notMet('it exists')),
});

const changed = <Value>(): Condition<Value> =>
  whilePresent('changed', (_data, { isChanged }) => isChanged || 'it has not changed');

interface ConditionOptions<Value> {
  readonly flag: string;
  /** What an expression applies to. */
  readonly object: (value: Value) => unknown;
  /** The fields of that object; undefined: any. */
  readonly fields: readonly string[] | undefined;
}

/**
 * Reads a condition: `present`, `absent`, `changed` or a JMESPath expression.
 *
 * @throws LanyardError usage: an invalid expression, or one with an unknown field.
 */
export async function parseCondition<Value>(
  text: string,
  { flag, object, fields }: ConditionOptions<Value>,
  input: Pick<Context['input'], 'expression'>,
): Promise<Condition<Value>> {
  if (text === 'present') return present();
  if (text === 'absent') return absent();
  if (text === 'changed') return changed();
  const expression = await input.expression(text, { flag, fields });
  return {
    text,
    check: async ({ data }) => {
      if (data === undefined) return notMet(absence);
      const { isMet, problem } = await expression.holds(object(data));
      return isMet ? met : notMet(problem ?? `${text} is not true`);
    },
  };
}

/** All conditions, or with `any` one of them. */
export const combined =
  <Value>(conditions: readonly Condition<Value>[], any: boolean) =>
  async (state: ObservedState<Value>): Promise<Verdict> => {
    const verdicts = await Promise.all(conditions.map((condition) => condition.check(state)));
    const reasons = verdicts.flatMap((verdict) => (verdict.isMet ? [] : [verdict.reason]));
    const isMet = any ? reasons.length < verdicts.length : reasons.length === 0;
    return isMet ? met : notMet([...new Set(reasons)].join('; '));
  };

/** @throws LanyardError failure: one of the conditions of `--fail-if` is met. */
export async function rejectFailed<Value>(
  object: string,
  conditions: readonly Condition<Value>[],
  state: ObservedState<Value>,
): Promise<void> {
  for (const condition of conditions) {
    if (!(await condition.check(state)).isMet) continue;
    throw new LanyardError('failure', `stopped waiting for ${object}: --fail-if ${condition.text}`);
  }
}
