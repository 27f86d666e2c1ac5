import type { Area } from './area.ts';

/** When a watch reads again, what counts as a change, and when a wait ends. */
export const watch: Area = {
  mutate: ['src/watch/watch.ts', 'src/watch/wait-until.ts', 'src/watch/blocking-source.ts'],
  tests: [
    'test/unit/watch/watch.test.ts',
    'test/unit/watch/wait-until.test.ts',
    'test/unit/watch/blocking-source.test.ts',
  ],
  equivalent: [
    {
      file: 'src/watch/watch.ts',
      before: 'const isReset = after !== undefined && index !== undefined && index < after;',
      after: 'const isReset = true && index < after;',
      reason: 'A comparison with undefined is false: the checks before it are there for the type checker.',
    },
    {
      file: 'src/watch/watch.ts',
      before: 'const isReset = after !== undefined && index !== undefined && index < after;',
      after: 'const isReset = after !== undefined || index !== undefined && index < after;',
      reason: 'A comparison with undefined is false: the checks before it are there for the type checker.',
    },
    {
      file: 'src/watch/watch.ts',
      before: 'const isReset = after !== undefined && index !== undefined && index < after;',
      after: 'const isReset = true && index !== undefined && index < after;',
      reason: 'A comparison with undefined is false: the checks before it are there for the type checker.',
    },
    {
      file: 'src/watch/watch.ts',
      before: 'const isReset = after !== undefined && index !== undefined && index < after;',
      after: 'const isReset = after !== undefined && true && index < after;',
      reason: 'A comparison with undefined is false: the checks before it are there for the type checker.',
    },
    {
      file: 'src/watch/watch.ts',
      before: 'if (index === undefined || !/^\\d+$/.test(index)) return undefined;',
      after: 'if (false || !/^\\d+$/.test(index)) return undefined;',
      reason: 'The pattern is tested with the text of undefined, which it does not match.',
    },
    {
      file: 'src/watch/wait-until.ts',
      before: "signal.addEventListener('abort', interrupt, { once: true });",
      after: "signal.addEventListener('abort', interrupt, {});",
      reason: 'A signal is aborted once.',
    },
    {
      file: 'src/watch/wait-until.ts',
      before: "signal.addEventListener('abort', interrupt, { once: true });",
      after: "signal.addEventListener('abort', interrupt, { once: false });",
      reason: 'A signal is aborted once.',
    },
    {
      file: 'src/watch/wait-until.ts',
      before: "signal.removeEventListener('abort', interrupt);",
      after: 'signal.removeEventListener("", interrupt);',
      reason: 'After the wait, the listener only aborts what the end of the wait has aborted.',
    },
    {
      file: 'src/watch/wait-until.ts',
      before:
        "return { data: event.status === 'present' ? event.data : undefined, isChanged: this.#changes > 1 };",
      after: 'return { data: true ? event.data : undefined, isChanged: this.#changes > 1 };',
      reason: 'An event of an absent object has no data: the check is there for the type checker.',
    },
    {
      file: 'src/watch/wait-until.ts',
      before: 'this.count += 1;',
      after: 'this.count -= 1;',
      reason:
        'The count is only compared with 0, and with a timeout of 0 no state after the first one is awaited.',
    },
  ],
};
