import type { Area } from './area.ts';

/** What may be written to a variable: its path and size, check-and-set, and locks. */
export const schedulerVariables: Area = {
  mutate: ['src/dev/scheduler/http/variable.ts'],
  tests: [
    'test/unit/dev/scheduler/locks.test.ts',
    'test/unit/dev/scheduler/variable-rejections.test.ts',
    'test/unit/dev/scheduler/variables.test.ts',
  ],
  equivalent: [
    {
      file: 'src/dev/scheduler/http/variable.ts',
      before: "return { Namespace, Path: params.path ?? '' };",
      after: 'return { Namespace, Path: params.path ?? "Stryker was here!" };',
      reason:
        'Every route of a variable has this parameter: the other text is only there for the type checker.',
    },
  ],
};
