import type { Area } from './area.ts';

/** What may be written to a variable: its path and size, check-and-set, and locks. */
export const schedulerVariables: Area = {
  mutate: ['src/services/scheduler/variable-request.ts'],
  tests: [
    'test/conformance/raw/raw.test.ts',
    'test/unit/services/scheduler/locks.test.ts',
    'test/unit/services/scheduler/variable-rejections.test.ts',
    'test/unit/services/scheduler/many-writers.test.ts',
    'test/unit/services/scheduler/variables.test.ts',
  ],
  equivalent: [
    {
      file: 'src/services/scheduler/variable-request.ts',
      before: "return { Namespace, Path: params.path ?? '' };",
      after: 'return { Namespace, Path: params.path ?? "Stryker was here!" };',
      reason:
        'Every route of a variable has this parameter: the other text is only there for the type checker.',
    },
  ],
};
