import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ownVariable, services } from '../../../src/api/services.ts';
import { editText } from '../../../src/io/editor.ts';
import { showInPager } from '../../../src/io/pager.ts';
import { withoutCredentials } from '../../../src/io/without-credentials.ts';
import { folderForAll } from '../../support/folders.ts';

const credentials = Object.values(services).flatMap(({ name, product }) =>
  (['token', 'httpAuth'] as const).flatMap((setting) => [
    ownVariable(name, setting),
    ...(product[setting] ?? []),
  ]),
);
const env = {
  ...Object.fromEntries(credentials.map((name) => [name, 'tokentoken'])),
  PATH: process.env.PATH,
  HOME: '/home/ada',
  VAULT_ADDR: 'https://vault.example.com',
  GITHUB_TOKEN: 'of another program',
};

const directory = folderForAll();
const file = join(directory, 'seen');
const signal = new AbortController().signal;

describe('the tokens of the services', () => {
  test('are left out, and nothing else', () => {
    expect(credentials.length).toBeGreaterThan(10);
    expect(Object.keys(withoutCredentials(env)).sort()).toEqual([
      'GITHUB_TOKEN',
      'HOME',
      'PATH',
      'VAULT_ADDR',
    ]);
  });

  test('are not in the environment of the editor', async () => {
    const editor = { ...env, EDITOR: `env > ${file}; true` };
    const parts = {
      cwd: directory,
      platform: process.platform,
      signal,
      onSignal: () => () => undefined,
      interactive: false,
      noInput: false,
    };
    await editText('a: 1\n', { ...parts, env: editor });
    expect(readFileSync(file, 'utf8')).toContain('VAULT_ADDR=');
    expect(readFileSync(file, 'utf8')).not.toContain('tokentoken');
  });

  test('are not in the environment of the pager', async () => {
    const pager = { ...env, PAGER: `env > ${file}; cat > ${file}.text` };
    const stdout = { write: () => true, on: () => undefined, listenerCount: () => 0 };
    const shown = await showInPager('the text', {
      env: pager,
      platform: process.platform,
      signal,
      stdout: stdout as never,
      onSignal: () => () => undefined,
    });
    expect(shown).toBe(true);
    expect(readFileSync(`${file}.text`, 'utf8')).toBe('the text');
    expect(readFileSync(file, 'utf8')).not.toContain('tokentoken');
  });
});
