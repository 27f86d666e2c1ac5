import type { Area } from './area.ts';

/** What a token of the scheduler allows. */
export const schedulerAuthorization: Area = {
  mutate: [
    'src/dev/scheduler/acl/access.ts',
    'src/dev/scheduler/acl/authority.ts',
    'src/dev/scheduler/acl/rules.ts',
  ],
  tests: [
    'test/unit/dev/scheduler/acl.test.ts',
    'test/unit/dev/scheduler/namespaces.test.ts',
    'test/unit/dev/scheduler/variable-list.test.ts',
  ],
  equivalent: [],
};
