import { expect, test } from 'vitest';
import { homeForAll, servicesForAll } from '../support/command-tests.ts';
import { lanyardProcess } from '../support/process.ts';

const at = homeForAll();
servicesForAll(at);

// The system says of a folder in /proc that there is no such file, although there is a /proc.
test.runIf(process.platform === 'linux').each([
  ['var export /proc/lanyard/variables', {}, 'cannot create directories in /proc/lanyard/variables'],
  ['profile put here', { LANYARD_CONFIG_DIR: '/proc/lanyard' }, 'cannot change /proc/lanyard/config.json'],
  ['dev --data /proc/lanyard', {}, 'cannot use the data directory /proc/lanyard'],
])('"lanyard %s" fails, and reports that the folder cannot be created', async (line, env, said) => {
  const ran = await lanyardProcess(at, line.split(' '), env);
  expect(ran).toMatchObject({ code: 1, signal: null, stdout: '' });
  expect(ran.stderr).toContain(said);
  expect(ran.stderr).toMatch(/no such file or directory/i);
});
