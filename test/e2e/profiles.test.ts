import { expect, test } from 'vitest';
import { homeForEach, words } from '../support/command-tests.ts';
import { lanyard, lanyardProcess, shell } from '../support/process.ts';

const at = homeForEach();

test('ten concurrent processes that write profiles and tokens lose nothing', async () => {
  const names = Array.from({ length: 10 }, (_, index) => `p${index}`);
  const ended = await Promise.all(
    names.map((name) =>
      shell(
        at,
        `echo "hvs.token-of-${name}" | ${lanyard} profile put ${name} secrets.address=http://127.0.0.1:8200 secrets.token=-`,
      ),
    ),
  );
  for (const { code, stderr } of ended)
    expect({ code, stderr: stderr.replace(/^The keyring .*\n/, '') }).toEqual({ code: 0, stderr: '' });
  const { stdout } = await at.run(words('profile list --select [].name'));
  expect(JSON.parse(stdout).sort()).toEqual(names);
  const { tokens } = JSON.parse(at.read('config/credentials.json'));
  for (const name of names) expect(tokens[name].secrets.token).toBe(`hvs.token-of-${name}`);
  expect((await at.run(words('profile list -o json'))).stdout.match(/"active": true/g)).toHaveLength(1);
  expect(at.list('config').filter((file) => !/\/(config|credentials)\.json(\.lock)?$/.test(file))).toEqual(
    [],
  );
});

test('a token on a command line is rejected without being shown', async () => {
  const ended = await lanyardProcess(at, words('profile put p secrets.token=hvs.precious'));
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).not.toContain('hvs.precious');
});
