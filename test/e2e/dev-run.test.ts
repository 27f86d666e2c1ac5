import { describe, expect, test } from 'vitest';
import { homeForEach, words } from '../support/command-tests.ts';
import { lanyard, lanyardProcess, shell, start } from '../support/process.ts';

const at = homeForEach();
const run = (script: string, env: Record<string, string> = {}) =>
  lanyardProcess(at, ['dev', 'run', '--', 'sh', '-c', script], env);

describe('dev run', () => {
  test.each([0, 1, 7, 130, 255])('returns the exit code %i of its child', async (code) => {
    expect(await run(`exit ${code}`)).toMatchObject({ code, signal: null, stdout: '', stderr: '' });
  });

  test('returns 128 + n if a signal ended the child', async () => {
    expect((await run('kill -TERM $$')).code).toBe(143);
    expect((await run('kill -KILL $$')).code).toBe(137);
  });

  test('sets the variables of Lanyard and of other tools for the child', async () => {
    const others = {
      VAULT_WRAP_TTL: '1m',
      VAULT_NAMESPACE: 'team',
      LANYARD_SECRETS_CACERT: '/none',
      CONSUL_PARTITION: 'x',
    };
    const { stdout, code } = await run('env', {
      OWN: 'kept',
      LANYARD_PROFILE: 'mine',
      BAO_ADDR: 'http://127.0.0.1:9',
      CONSUL_HTTP_TOKEN: 'mine',
      ...others,
    });
    expect(code).toBe(0);
    const env = Object.fromEntries(stdout.split('\n').map((line) => line.split(/=(.*)/s, 2)));
    for (const [own, usual] of [
      ['LANYARD_SECRETS_ADDR', 'VAULT_ADDR'],
      ['LANYARD_SECRETS_ADDR', 'BAO_ADDR'],
      ['LANYARD_REGISTRY_ADDR', 'CONSUL_HTTP_ADDR'],
      ['LANYARD_BOX_ADDR', 'VAGRANT_SERVER_URL'],
      ['LANYARD_SCHEDULER_ADDR', 'NOMAD_ADDR'],
      ['LANYARD_ACCOUNTS_ADDR', 'BOUNDARY_ADDR'],
      ['LANYARD_SECRETS_TOKEN', 'VAULT_TOKEN'],
      ['LANYARD_SECRETS_TOKEN', 'BAO_TOKEN'],
    ] as const) {
      expect(env[own]).toMatch(own.endsWith('ADDR') ? /^http:\/\/127\.0\.0\.1:\d+$/ : /^hvs\./);
      expect(env[usual]).toBe(env[own]);
    }
    for (const [own, usual] of [
      ['LANYARD_REGISTRY_TOKEN', 'CONSUL_HTTP_TOKEN'],
      ['LANYARD_SCHEDULER_TOKEN', 'NOMAD_TOKEN'],
    ] as const) {
      expect(env[own]).toMatch(/^[0-9a-f-]{36}$/);
      expect(env[usual]).toBe(env[own]);
    }
    expect(env.OWN).toBe('kept');
    for (const name of ['LANYARD_PROFILE', ...Object.keys(others)]) expect(env[name]).toBeUndefined();
  });

  test('starts services for the child, and stops them when it exits', async () => {
    const { code, stdout, stderr } = await run(
      `set -e
       ${lanyard} ssh ca create --key-type ed25519 > /dev/null
       ${lanyard} ssh role put r --allow-user-certificates
       ${lanyard} ssh role list
       printf %s "$VAULT_ADDR" > address`,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe('Created role r.\nr\tca\n');
    await expect(fetch(at.read('address'))).rejects.toThrow();
    // The configuration of the user is not changed.
    expect(at.list('.')).toEqual(['address']);
  });

  test('passes arguments unchanged', async () => {
    const ended = await lanyardProcess(at, [
      ...words('dev run -- printf %s|'),
      'a b',
      '',
      ...words('-o --help $x'),
    ]);
    expect(ended.stdout).toBe('a b||-o|--help|$x|');
  });

  test('reports a missing program', async () => {
    const ended = await lanyardProcess(at, ['dev', 'run', '--', 'no-such-program']);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toBe('error: cannot run no-such-program: command not found\n');
    expect(await lanyardProcess(at, ['dev', 'run'])).toMatchObject({ code: 2, stdout: '' });
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('forwards %s, and waits for the child', async (signal) => {
    const running = start(at, [
      ...['dev', 'run', '--', 'sh', '-c'],
      'trap "echo tidied; exit 3" INT TERM; echo "$VAULT_ADDR"; while :; do sleep 0.05; done',
    ]);
    const address = (await running.until(/\n/)).trim();
    running.child.kill(signal);
    expect(await running.ended).toMatchObject({ code: 3, stdout: `${address}\ntidied\n` });
    await expect(fetch(address)).rejects.toThrow();
  });

  test('connects a pipe to the child', async () => {
    expect((await shell(at, `echo in | ${lanyard} dev run -- cat | tr a-z A-Z`)).stdout).toBe('IN\n');
  });
});
