import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectFailure } from '../../support/command-tests.ts';
import type { Ran } from '../../support/run.ts';
import { signing } from '../signing.ts';

const { at, run, done } = signing();
const certificate = '.ssh/id_ed25519-cert.pub';
/** An empty variable counts as unset. */
const withoutVariables = { LANYARD_SECRETS_ADDR: '', LANYARD_SECRETS_TOKEN: '' };
let env: Record<string, string>;

beforeAll(async () => {
  await done('secrets mount enable ssh --path users');
  await done('ssh ca create --mount users --key-type ed25519');
  for (const role of ['deploy', 'ops'])
    await done(
      `ssh role put ${role} --mount users --allow-user-certificates --allow-host-certificates --allowed-domains * --allowed-users ada,ubuntu --default-user ubuntu --ttl 30m`,
    );
  await done('secrets namespace create team');
});

beforeEach(async () => {
  at.clear('config');
  env = { ...withoutVariables, T: at.env.LANYARD_SECRETS_TOKEN ?? '' };
  const address = `secrets.address=${at.env.LANYARD_SECRETS_ADDR}`;
  await with_(`profile put work ${address} secrets.token=env://T`);
  await with_('profile put work --ssh-role deploy --ssh-mount users --ssh-principals ada');
  await with_(`profile put other ${address} secrets.token=env://T --ssh-role ops`);
});

const with_ = (argv: string, more: Record<string, string> = {}): Promise<Ran> =>
  run(argv, { env: { ...env, ...more } });
/** The request that a command would send. */
const request = async (argv: string, more?: Record<string, string>) => {
  const ran = await with_(`${argv} --dry-run -o json`, more);
  expect(ran, argv).toMatchObject({ code: 0 });
  const { url, body } = JSON.parse(ran.stdout);
  return `${url} ${body?.valid_principals ?? ''}`;
};

describe('the SSH defaults of the active profile', () => {
  test.each([
    ['ssh sign', 'users/sign/deploy ada'],
    ['ssh sign deploy', 'users/sign/deploy ada'],
    ['ssh sign ops', 'users/sign/ops '],
    ['ssh sign --principals ubuntu', 'users/sign/deploy ubuntu'],
    ['ssh sign --cert-type host --principals web1', 'users/sign/deploy web1'],
    ['ssh sign deploy --mount ssh', 'ssh/sign/deploy '],
    ['ssh issue --out k', 'users/issue/deploy ada'],
    ['ssh creds --ip 127.0.0.1', 'users/creds/deploy '],
    ['-p other ssh sign', 'ssh/sign/ops '],
  ])('%s sends a request to %s', async (argv, expected) => {
    expect(await request(argv)).toContain(`/v1/${expected}`);
  });

  test('apply to commands that read: ssh explain, ssh role list, ssh ca public-key', async () => {
    expect(JSON.parse((await with_('ssh explain -o json')).stdout).certificate.principals).toEqual(['ada']);
    expect((await with_('ssh role list')).stdout).toContain('ops');
    expect((await with_('ssh ca public-key')).stdout).toBe(
      (await with_('ssh ca public-key --mount users')).stdout,
    );
  });

  test('apply to ssh connect, which requests the principals of the profile', async () => {
    const ran = await with_('ssh connect web --dry-run -o json --agent-key');
    expect(ran.stdout + ran.stderr).not.toContain('no role specified');
  });

  test('are written into the file of ssh config, and do not count for its logins', async () => {
    const ran = await with_('ssh config web --dry-run');
    expect(ran.stdout).toContain(' ssh sign deploy --if-needed --for-login ');
    expect(ran.stdout).toContain(' --principals ada --mount users --profile work ');
    await with_('profile put work --ssh-role ops --ssh-mount ssh --ssh-principals ubuntu');
    expect(await request('ssh sign deploy --if-needed --for-login --profile work')).toMatch(
      /\/v1\/ssh\/sign\/deploy $/,
    );
  });

  test('do not apply to the keys of others in a batch', async () => {
    expect(await request('ssh sign --batch .ssh/id_ed25519.pub').catch(String)).not.toContain('ada');
  });
});

describe('variables and flags come before the profile', () => {
  test.each([
    [{ LANYARD_SSH_ROLE: 'ops' }, 'ssh sign', 'users/sign/ops '],
    [{ LANYARD_SSH_MOUNT: 'ssh', LANYARD_SSH_ROLE: 'deploy' }, 'ssh sign', 'ssh/sign/deploy '],
    [{ LANYARD_SSH_PRINCIPALS: 'ubuntu, ada' }, 'ssh sign', 'users/sign/deploy ubuntu,ada'],
    [{ LANYARD_SSH_ROLE: 'ops' }, 'ssh sign deploy', 'users/sign/deploy ada'],
    [{ LANYARD_SSH_MOUNT: 'ssh' }, 'ssh sign --mount users', 'users/sign/deploy ada'],
  ] as const)('%j %s', async (more, argv, expected) => {
    expect(await request(argv, more)).toContain(`/v1/${expected}`);
  });
});

describe('the role of a profile is not used', () => {
  test('with an address from elsewhere', async () => {
    const elsewhere = 'http://127.0.0.1:1';
    for (const [argv, more] of [
      ['ssh sign', { VAULT_ADDR: elsewhere }],
      ['ssh sign', { LANYARD_SECRETS_ADDR: elsewhere }],
      [`ssh sign --address ${elsewhere}`, {}],
      ['-p work ssh sign', { LANYARD_SECRETS_ADDR: elsewhere }],
    ] as const)
      expectFailure(
        await with_(argv, more),
        2,
        /^error: no role specified\n {2}The SSH settings of profile work are not used: the address is from \S+, not an address of the profile\.\nhint: Specify a role\. Run/,
      );
    // The same server, named by a variable.
    expect(
      await request('ssh sign', { VAULT_ADDR: at.env.LANYARD_SECRETS_ADDR ?? '', VAULT_TOKEN: 't' }),
    ).toContain('users/sign/deploy');
    // A profile selected by name comes before the variables of the product.
    expect(await request('-p work ssh sign', { VAULT_ADDR: elsewhere })).toContain('users/sign/deploy');
  });

  test('in another namespace', async () => {
    expectFailure(await with_('-n team ssh sign'), 2, 'the namespace is from --namespace');
    expectFailure(
      await with_('ssh sign', { VAULT_NAMESPACE: 'team' }),
      2,
      'the namespace is from VAULT_NAMESPACE',
    );
  });

  test('for another mount', async () => {
    expectFailure(
      await with_('ssh sign --mount ssh'),
      2,
      'The role of profile work is not used: it is for the mount users/.',
    );
  });

  test('without a profile, a role or an address', async () => {
    at.clear('config');
    expectFailure(
      await with_('ssh sign'),
      2,
      /no role specified\nhint: .*`lanyard profile put NAME --ssh-role ROLE`/,
    );
    expectFailure(await with_('ssh sign deploy'), 2, 'no address for the secrets service');
    expectFailure(await with_('-p gone ssh sign'), 3, 'profile "gone" not found');
  });

  test('from a damaged configuration, which is reported', async () => {
    at.write('config/config.json', '{"active":"p","profiles":{"p":{"ssh":{"mount":7}}}}');
    expectFailure(await with_('ssh sign deploy'), 1, 'profiles.p.ssh.mount must be a string');
  });
});

describe('ssh sign --if-needed with SSH defaults', () => {
  const key = `--key ${at.file('.ssh/id_ed25519.pub')}`;
  const fresh = { code: 0, stdout: '', stderr: '' };

  test.each([`ssh sign deploy --if-needed ${key}`, 'ssh sign deploy --if-needed', 'ssh sign --if-needed'])(
    '%s signs with the defaults and then nothing is sent',
    async (line) => {
      expect((await with_(line)).stdout).toContain('Wrote ');
      expect(JSON.parse(at.read(`${certificate}.source`))).toMatchObject({
        ...{ mount: 'users', role: 'deploy', profile: 'work', namespace: '' },
        request: { valid_principals: 'ada' },
      });
      expect(await with_(line)).toEqual(fresh);
      // Elsewhere the mount is ssh, and the certificate is of users.
      expect((await with_(line, { LANYARD_SECRETS_ADDR: 'http://127.0.0.1:1' })).code).not.toBe(0);
      await with_('profile put work --ssh-principals ubuntu');
      expect((await with_(line)).stdout).toContain('Wrote ');
      expect(await with_(line)).toEqual(fresh);
      await with_('profile put work --ssh-mount ssh --ssh-principals ubuntu');
      expect((await with_(line)).stdout).toContain('Wrote ');
    },
  );

  test('signs again for another role, and keeps a certificate whose role is not known', async () => {
    const sign = (role: string) => with_(`ssh sign ${role} --if-needed ${key} --mount users`);
    expect((await sign('deploy')).stdout).toContain('Wrote ');
    expect((await sign('ops')).stdout).toContain('Wrote ');
    expect(await sign('ops')).toEqual(fresh);
    const { role: _, request: _request, ...earlier } = JSON.parse(at.read(`${certificate}.source`));
    at.write(`${certificate}.source`, JSON.stringify(earlier));
    expect(await sign('ops')).toEqual(fresh);
  });
});
