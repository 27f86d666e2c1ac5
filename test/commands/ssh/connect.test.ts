import { beforeAll, describe, expect, test } from 'vitest';
import { embeddedForAll, expectFailure } from '../../support/command-tests.ts';
import { unknownHost } from '../../support/ports.ts';
import { has } from '../../support/require.ts';
import { done } from '../../support/ssh-ca.ts';

const { at } = embeddedForAll();
beforeAll(async () => {
  at.write('ssh_config', 'Host *\n  User someone\nHost web\n  HostName 127.0.0.1\n');
  await done(at, ['ssh', 'ca', 'create', '--key-type', 'ed25519']);
  await done(at, ['ssh', 'role', 'put', 'deploy', '--allow-user-certificates', '--allowed-users', 'someone']);
  const otp = ['--key-type', 'otp', '--default-user', 'ubuntu', '--cidr-list', '127.0.0.0/8'];
  await done(at, ['ssh', 'role', 'put', 'otp', ...otp]);
  await done(at, ['ssh', 'role', 'put', 'short', '--allow-user-certificates', '--max-ttl', '45s']);
});

const connect = (...words: readonly string[]) =>
  at.run(['ssh', 'connect', ...words, '--', '-F', at.file('ssh_config'), 'true'], {
    env: { SSH_AUTH_SOCK: '' },
  });
const runDry = async (...words: readonly string[]) => {
  const { stdout, stderr } = await connect(...words, '--dry-run', '--output', 'json');
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
};

describe.skipIf(!has('ssh'))('ssh connect, before ssh starts', () => {
  test('shows the request of a certificate, and makes no connection', async () => {
    const { method, url, body } = await runDry('web', '--role', 'deploy');
    expect({ method, path: new URL(url).pathname }).toEqual({ method: 'POST', path: '/v1/ssh/sign/deploy' });
    expect(body).toMatchObject({ valid_principals: 'someone', ttl: '120s' });
    expect(body.public_key).toMatch(/^ssh-ed25519 \S+$/);
  });

  test('shows the request of a one-time password', async () => {
    const { url, body } = await runDry('web', '--role', 'otp');
    expect(new URL(url).pathname).toBe('/v1/ssh/creds/otp');
    expect(body).toEqual({ ip: '127.0.0.1', username: 'someone' });
    expect((await runDry('me@web', '--role', 'otp', '--ip', '127.0.0.9')).body).toEqual({
      ip: '127.0.0.9',
      username: 'me',
    });
  });

  test('uses the role of the environment, and the given principals and ttl', async () => {
    at.env.LANYARD_SSH_ROLE = 'deploy';
    const { url, body } = await runDry('web', '--principals', 'a,b', '--ttl', '30s');
    delete at.env.LANYARD_SSH_ROLE;
    expect(url).toContain('/sign/deploy');
    expect(body).toMatchObject({ valid_principals: 'a,b', ttl: '30s' });
  });

  test('requests at most the ttl of the role', async () => {
    expect((await runDry('web', '--role', 'short')).body.ttl).toBe('45s');
  });

  test.each([
    [['web'], 2, /no role specified\nhint: Specify a role, or run `lanyard profile put \w+ --ssh-role/],
    [['web', '--role', 'none'], 3, /role "none" not found in ssh\//],
    [['web', '--role', 'deploy', '--mode', 'otp'], 2, /role deploy has key type ca, not otp/],
    [['web', '--role', 'deploy', '--ip', '1.2.3.4'], 2, /--ip requires a role for one-time passwords/],
    [
      ['web', '--role', 'otp', '--ttl', '1m', '--agent-key'],
      2,
      /--ttl, --agent-key: not supported by role otp/,
    ],
    [[unknownHost, '--role', 'otp'], 7, /cannot resolve host .*\nhint: .*--ip/],
    [['web', '--role', 'deploy', '--key', 'gone'], 2, /gone/],
    [['web', '--role', 'deploy', '--agent-key'], 7, /cannot use ssh-agent/],
    [['web', '--role', 'deploy', '--host-ca', 'nowhere'], 3, /CA not found in nowhere\//],
    [['root@web', '--role', 'deploy'], 1, /./],
  ] as const)('rejects %j with code %i', async (words, code, message) => {
    expectFailure(await connect(...words), code, message);
  });

  test.each([
    [['-p', '2222'], 'profile "2222" not found', '-p 2222'],
    [['-L', '8080:localhost:80'], 'unknown flag "-L"', '-L 8080:localhost:80'],
  ])('says where options of ssh go: %j', async (words, problem, example) => {
    const ran = await at.run(['ssh', 'connect', 'web', '--role', 'deploy', ...words]);
    expect(ran.stderr.split('\n')).toEqual([
      `error: ${problem}`,
      expect.stringMatching(/^hint: Options of ssh.* go after the destination and "--": /),
      '',
    ]);
    expect(ran.stderr).toContain(`lanyard ssh connect web1 -- ${example}`);
  });

  test('takes no option of ssh for a host', async () => {
    const ran = await at.run(['ssh', 'connect', '--role', 'deploy', '--', '-oProxyCommand=touch gone']);
    expect(ran).toMatchObject({ code: 2, stderr: 'error: invalid host "-oProxyCommand=touch gone"\n' });
  });
});
