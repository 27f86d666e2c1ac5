import type { Area } from './area.ts';

/** The limits and forms of requests to the embedded services: method, path and body. */
export const requestBodies: Area = {
  mutate: [
    'src/dev/http/body.ts',
    'src/dev/http/method.ts',
    'src/dev/http/path.ts',
    'src/dev/http/request-guard.ts',
  ],
  tests: [
    'test/unit/dev/http/body.test.ts',
    'test/unit/dev/http/method.test.ts',
    'test/unit/dev/http/path.test.ts',
    'test/unit/dev/http/request-guard.test.ts',
  ],
  equivalent: [],
};
