import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { credentials } from '../../../src/config/credentials.ts';

test('20 concurrent processes that store lose nothing', async () => {
  const root = mkdtempSync(join(tmpdir(), 'lanyard-credentials-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
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
