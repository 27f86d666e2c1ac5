import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { credentials } from '../../../src/config/credentials.ts';
import { folderForTest } from '../../support/folders.ts';

test('20 concurrent processes that store lose nothing', async () => {
  const root = folderForTest();
  const directory = join(root, 'lanyard');
  const stored = credentials({ directory, env: { LANYARD_KEYRING: 'off' }, keyring: ['no-such-program'] });
  const profiles = Array.from({ length: 20 }, (_, index) => `p${index}`);
  const children = profiles.map((profile) =>
    spawn(process.execPath, [join(import.meta.dirname, 'set-token.ts'), directory, profile, `t-${profile}`], {
      stdio: 'inherit',
    }),
  );
  await Promise.all(children.map((child) => once(child, 'exit')));
  for (const profile of profiles) expect(await stored.get(profile, 'secrets')).toBe(`t-${profile}`);
});
