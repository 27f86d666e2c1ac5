import { expect, test } from 'vitest';
import { expectFailure, homeForAll } from '../support/command-tests.ts';
import { lanyard, shell } from '../support/process.ts';

const at = homeForAll();

/** Runs a line in a folder that was deleted. */
const inGone = (line: string) => shell(at, `mkdir gone && cd gone && rmdir ../gone && ${line}`);

test.each(['--version', '--help', 'help exit-codes', 'kv put --help', 'profile list'])(
  '"lanyard %s" works in a deleted folder',
  async (line) => {
    expect(await inGone(`${lanyard} ${line}`)).toMatchObject({ code: 0, stderr: '' });
  },
);

test('a file with an absolute path is read', async () => {
  at.write('namespace.yaml', 'Nonsense: : [\n');
  const ran = await inGone(`${lanyard} namespace put team --in '${at.file('namespace.yaml')}'`);
  expect(ran.stderr).toContain('not valid YAML');
});

test.each(['kv put secret/app --in pairs.json', 'ssh sign deploy --key id.pub --if-needed'])(
  '"lanyard %s", which needs the folder, reports that it is deleted',
  async (line) => {
    const ran = await inGone(`LANYARD_SECRETS_ADDR=http://127.0.0.1:9 ${lanyard} ${line}`);
    expectFailure(ran, 2, 'error: the current directory does not exist');
    expect(ran.stderr).not.toContain('    at ');
  },
);
