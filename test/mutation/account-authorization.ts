import type { Area } from './area.ts';

/** What a caller may do with accounts and boxes, and how passwords are checked. */
export const accountAuthorization: Area = {
  mutate: ['src/dev/accounts/access.ts', 'src/dev/box/access.ts', 'src/dev/password.ts', 'src/dev/turns.ts'],
  tests: [
    'test/unit/dev/accounts/accounts.test.ts',
    'test/unit/dev/accounts/guesses.test.ts',
    'test/unit/dev/accounts/passwords.test.ts',
    'test/unit/dev/box/boxes.test.ts',
    'test/unit/dev/box/providers.test.ts',
    'test/unit/dev/box/tokens.test.ts',
    'test/unit/dev/box/versions.test.ts',
  ],
  equivalent: [],
};
