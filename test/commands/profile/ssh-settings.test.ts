import { expect, test } from 'vitest';
import { expectFailure, expectOutput, homeForEach, runnerOf } from '../../support/command-tests.ts';

const at = homeForEach();
const run = runnerOf(at);
const address = 'secrets.address=http://127.0.0.1:8200';

const stored = async (name = 'p') => JSON.parse((await run(`profile get ${name} -o json`)).stdout);

test('stores the SSH defaults of a profile and shows them', async () => {
  const written = await run(
    `profile put p ${address} --ssh-role deploy --ssh-mount /ssh-users/ --ssh-principals ada,ops --ssh-revoked registry:ssh/revoked --ssh-record kv:ssh/record`,
  );
  expect(written.code).toBe(0);
  expect((await stored()).ssh).toEqual({
    role: 'deploy',
    mount: 'ssh-users',
    principals: ['ada', 'ops'],
    revoked: 'registry:ssh/revoked',
    record: 'kv:ssh/record',
  });
  expectOutput(
    await run('profile get p'),
    [
      'name\tp',
      'active\tyes',
      'secrets.address\thttp://127.0.0.1:8200',
      'ssh.role\tdeploy',
      'ssh.mount\tssh-users',
      'ssh.principals\tada,ops',
      'ssh.revoked\tregistry:ssh/revoked',
      'ssh.record\tkv:ssh/record\n',
    ].join('\n'),
  );
});

test('keeps the SSH defaults that are not given, and removes those with an empty value', async () => {
  await run(`profile put p ${address} --ssh-role deploy --ssh-mount ssh-users --ssh-principals ada`);
  await at.run(['profile', 'put', 'p', '--ssh-principals', '', '--ssh-role', 'ops']);
  expect((await stored()).ssh).toEqual({ role: 'ops', mount: 'ssh-users' });
  await run('profile put p secrets.namespace=team');
  expect((await stored()).ssh).toEqual({ role: 'ops', mount: 'ssh-users' });
  await at.run(['profile', 'put', 'p', '--ssh-role=', '--ssh-mount=']);
  expect(await stored()).not.toHaveProperty('ssh');
});

test('shows what profile put changes in the SSH defaults', async () => {
  await run(`profile put p ${address} --ssh-role deploy`);
  const ran = JSON.parse((await run('profile put p --ssh-role ops -o json')).stdout);
  expect(ran.changes).toEqual([{ path: ['ssh', 'role'], before: 'deploy', after: 'ops' }]);
  expectOutput(await run('profile put p --ssh-role ops'), 'Profile p is unchanged.\n');
});

test.each([
  [['--ssh-role', 'a/b'], 'invalid --ssh-role "a/b"'],
  [['--ssh-role', 'a\u202eb'], 'invalid --ssh-role'],
  [['--ssh-mount', '../sys'], 'invalid --ssh-mount "../sys"'],
  [['--ssh-principals', 'ada\n'], 'invalid --ssh-principals'],
  [['--ssh-revoked', 'a\u0007'], 'invalid --ssh-revoked'],
])('rejects %j and writes nothing', async (flags, message) => {
  expectFailure(await at.run(['profile', 'put', 'p', address, ...flags]), 2, message);
  expect((await run('profile list -o json')).stdout).toBe('[]\n');
});

test('names the flags for a setting ssh.role', async () => {
  expectFailure(await run('profile put p ssh.role=deploy'), 2, '--ssh-role');
});

test.each([
  ['"deploy"', 'profiles.p.ssh must be an object'],
  ['{"role":1}', 'profiles.p.ssh.role must be a string'],
  ['{"principals":"ada"}', 'profiles.p.ssh.principals must be a list of strings'],
])('reports a damaged configuration with ssh %s and leaves it in place', async (ssh, problem) => {
  const text = `{"profiles":{"p":{"ssh":${ssh}}}}`;
  at.write('config/config.json', text);
  expectFailure(await run('profile put p --ssh-role ops'), 1, problem);
  expect(at.read('config/config.json')).toBe(text);
});
