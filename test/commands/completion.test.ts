import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { homeForAll } from '../support/command-tests.ts';

const at = homeForAll();

test.each([
  ['bash', 'lanyard.bash'],
  ['zsh', 'lanyard.zsh'],
  ['fish', 'lanyard.fish'],
  ['powershell', 'lanyard.ps1'],
])('completion %s prints its script unchanged', async (shell, file) => {
  const script = readFileSync(join(import.meta.dirname, '../../completions', file), 'utf8');
  expect(await at.run(['completion', shell])).toEqual({ code: 0, stdout: script, stderr: '' });
  expect((await at.run(['completion', shell], { columns: 80 })).stdout).toBe(script);
});

test('completion rejects an unknown shell', async () => {
  expect(await at.run(['completion', 'tcsh'])).toEqual({
    code: 2,
    stdout: '',
    stderr: 'error: invalid SHELL "tcsh": expected one of bash, zsh, fish, powershell\n',
  });
});
