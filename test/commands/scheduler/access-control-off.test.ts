import { expect, test } from 'vitest';
import { embeddedForAll, expectExit, expectFailure } from '../../support/command-tests.ts';

const { run } = embeddedForAll();

test.each(['policy list', 'policy get a', 'token list', 'role list', 'token create --policy a'])(
  'scheduler acl %s says that access control is off, and how to enable it',
  async (line) => {
    expectFailure(
      await run(`scheduler acl ${line}`),
      1,
      'access control is off at the scheduler (400)',
      'Then run `lanyard scheduler acl bootstrap`.',
    );
  },
);

test('scheduler acl token self shows what every caller is', async () => {
  const ran = await run('scheduler acl token self --field AccessorID');
  expectExit(ran, 0, 'warning: access control is off: every request is permitted');
  expect(ran.stdout).toBe('acls-disabled\n');
});
