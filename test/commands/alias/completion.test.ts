import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { homeForAll, servicesForAll } from '../../support/command-tests.ts';
import { type LiveShell, liveShell } from '../../support/live-shell.ts';
import { has } from '../../support/require.ts';
import { bashOffers, fishOffers, zshOffers } from '../../support/shells.ts';

const at = homeForAll();
servicesForAll(at);

beforeAll(async () => {
  at.env.XDG_RUNTIME_DIR = at.file('runtime-that-does-not-exist');
  at.env.PATH = `${at.file('bin')}:${process.env.PATH}`;
  at.write('bin/lanyard-hello', '#!/bin/sh\n', 0o755);
  const lines = [
    ['kv', 'put', 'secret/app/db', 'a=b'],
    ['profile', 'put', 'work', 'box.address=http://127.0.0.1:1'],
    ['alias', 'set', 'secret-of', 'kv get'],
    ['alias', 'set', 'field-of', 'kv get --field $2 $1'],
    ['alias', 'set', 'engine', 'secrets mount'],
    ['alias', 'set', 'signed', 'ssh sign deploy'],
    ['alias', 'set', 'pods', '--shell', 'echo "$@"'],
  ];
  for (const argv of lines) expect(await at.run(argv)).toMatchObject({ code: 0 });
});

const offers = { bash: bashOffers, zsh: zshOffers, fish: fishOffers } as const;

describe.each(['bash', 'zsh', 'fish'] as const)('%s', (name) => {
  describe.skipIf(!has(name))('which must be installed', () => {
    let shell: LiveShell;
    beforeAll(async () => {
      shell = await liveShell(name, (argv) => at.run(argv));
    });
    afterAll(() => shell.remove());

    test('completes aliases and plugins, and what follows an alias', { timeout: 60_000 }, async () => {
      const lines = [
        'lanyard secre',
        'lanyard hel',
        'lanyard -o json fie',
        'lanyard secret-of secret/app/',
        'lanyard field-of secret/app/',
        'lanyard secret-of --pro',
        'lanyard secret-of --profile ',
        'lanyard secret-of --output j',
        'lanyard engine ',
        'lanyard engine get se',
        'lanyard alias get ',
      ];
      const offered = await offers[name](shell.at, lines);
      expect(Object.fromEntries(lines.map((line, index) => [line, offered[index]]))).toEqual({
        'lanyard secre': ['secret-of', 'secrets'],
        'lanyard hel': ['hello', 'help'],
        'lanyard -o json fie': ['field-of'],
        'lanyard secret-of secret/app/': ['secret/app/db'],
        'lanyard field-of secret/app/': ['secret/app/db'],
        'lanyard secret-of --pro': ['--profile'],
        'lanyard secret-of --profile ': ['work'],
        'lanyard secret-of --output j': ['json', 'jsonl'],
        'lanyard engine ': ['disable', 'enable', 'get', 'list', 'move', 'tune'],
        'lanyard engine get se': ['secret'],
        'lanyard alias get ': ['engine', 'field-of', 'pods', 'secret-of', 'signed'],
      });
    });

    test('completes files after a plugin and a shell alias, and for a value that is a file', async () => {
      const files = name === 'bash' ? ['(default)'] : ['notes.txt'];
      const lines = [
        'lanyard hello no',
        'lanyard pods -- no',
        'lanyard signed --key no',
        'lanyard nothing no',
      ];
      expect(await offers[name](shell.at, lines)).toEqual([files, files, files, []]);
    });
  });
});
