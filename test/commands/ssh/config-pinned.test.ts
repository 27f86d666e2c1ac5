import { existsSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { expectFailure, homeForTest, servicesForTest, words } from '../../support/command-tests.ts';
import { signing } from '../signing.ts';

const { at, run, done } = signing();
const line = 'ssh config *.example.com --role deploy --user ubuntu';

beforeEach(() => at.clear('config'));

const addressOf = () => at.env.LANYARD_SECRETS_ADDR ?? '';
const tokenOf = () => at.env.LANYARD_SECRETS_TOKEN ?? '';
/** An empty variable counts as unset. */
const withoutVariables = { LANYARD_SECRETS_ADDR: '', LANYARD_SECRETS_TOKEN: '' };

async function putProfiles(): Promise<void> {
  const env = { ...withoutVariables, T: tokenOf() };
  for (const put of [
    `profile put work secrets.address=${addressOf()} secrets.token=env://T`,
    'profile put staging secrets.address=http://127.0.0.1:1 secrets.token=env://T',
    'profile use work',
  ])
    await done(put, { env });
}

/** The arguments of the command that ssh runs before a login. */
const checkOf = (file: string): string[] => {
  const [, command = ''] = /exec "(.*)"/.exec(file) ?? [];
  const all = words(command.replaceAll("'", ''));
  return all.slice(all.indexOf('ssh'));
};
const headerOf = (file: string): string => /^# Made by: (.*)$/m.exec(file)?.[1] ?? '';

describe('ssh config is bound to', () => {
  test('the active profile, whatever is active or in the environment later', async () => {
    await putProfiles();
    const file = await done(`${line} --dry-run`, { env: withoutVariables });
    expect(checkOf(file).join(' ')).toContain(' --mount ssh --profile work ');
    await done(line, { env: withoutVariables });
    await done('profile use staging');
    for (const env of [
      withoutVariables,
      { ...withoutVariables, VAULT_ADDR: 'http://127.0.0.1:1', VAULT_NAMESPACE: 'other', VAULT_TOKEN: 'x' },
      {
        LANYARD_SECRETS_ADDR: 'http://127.0.0.1:1',
        LANYARD_SECRETS_TOKEN: 'x',
        LANYARD_SECRETS_CACERT: '/no',
      },
      { ...withoutVariables, LANYARD_PROFILE: 'staging' },
    ]) {
      at.clear('.ssh/lanyard/work-deploy-ubuntu-cert.pub');
      const ran = await at.run(checkOf(file), { env: { ...env, T: tokenOf() } });
      expect(ran, JSON.stringify(env)).toMatchObject({ code: 0, stderr: '' });
      expect(existsSync(at.file('.ssh/lanyard/work-deploy-ubuntu-cert.pub'))).toBe(true);
    }
  });

  test('its profile, also when that is deleted: an error, not another CA', async () => {
    await putProfiles();
    const file = await done(`${line} --dry-run`, { env: withoutVariables });
    await done(line, { env: withoutVariables });
    await done('profile delete work --yes');
    expectFailure(await at.run(checkOf(file)), 3, 'profile "work" not found');
    expect(existsSync(at.file('.ssh/lanyard/work-deploy-ubuntu-cert.pub'))).toBe(false);
  });

  test('the address and namespace of the environment, without a profile', async () => {
    const plain = await done(`${line} --dry-run`);
    expect(checkOf(plain).join(' ')).toContain(` --mount ssh --address ${addressOf()} --timeout`);
    const file = await done(`${line} --dry-run --mount users`, { env: { VAULT_NAMESPACE: 'team-a/b' } });
    expect(checkOf(file).join(' ')).toContain(
      ` --mount users --address ${addressOf()} --namespace team-a/b `,
    );
    await done(line);
    const env = { ...withoutVariables, VAULT_ADDR: 'http://127.0.0.1:1', VAULT_NAMESPACE: 'other' };
    await done('profile put staging secrets.address=http://127.0.0.1:1 secrets.namespace=other', { env });
    const ran = await at.run(checkOf(plain), { env: { ...env, VAULT_TOKEN: tokenOf() } });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
  });

  test('the address of a product’s login, whose token file is used with the same variable', async () => {
    at.write('.vault-token', tokenOf());
    const env = { ...withoutVariables, VAULT_ADDR: addressOf() };
    const file = await done(`${line} --dry-run`, { env });
    await done(line, { env });
    at.clear('.ssh/lanyard/deploy-ubuntu-cert.pub');
    expect(await at.run(checkOf(file), { env })).toMatchObject({ code: 0, stderr: '' });
    at.clear('.ssh/lanyard/deploy-ubuntu-cert.pub');
    expect((await at.run(checkOf(file), { env: { ...env, VAULT_ADDR: 'http://127.0.0.1:1' } })).code).toBe(4);
    at.clear('.vault-token');
  });

  test('nothing without an address, which is an error', async () => {
    expectFailure(await run(line, { env: withoutVariables }), 2, 'no address for the secrets service');
  });

  test('the command of its header, quoted, which creates the same file', async () => {
    await putProfiles();
    const file = await done(`${line} --dry-run --mount users --timeout 2s`, { env: withoutVariables });
    expect(headerOf(file)).toBe(
      "lanyard ssh config '*.example.com' --role deploy --user ubuntu --mount users --timeout 2s --profile work",
    );
    await done('profile use staging');
    const again = words(headerOf(file).replaceAll("'", '')).slice(1);
    expect((await at.run([...again, '--dry-run'], { env: withoutVariables })).stdout).toBe(file);
  });

  test('the profile alone: variables that it is combined with are named', async () => {
    await putProfiles();
    const env = { ...withoutVariables, LANYARD_SECRETS_CACERT: '/x.pem' };
    const ran = await run(`${line} --dry-run`, { env });
    expect(ran.stderr).toContain('warning: LANYARD_SECRETS_CACERT is not written to the file: logins use');
  });
});

describe('ssh sign --if-needed', () => {
  const certificate = '.ssh/id_ed25519-cert.pub';
  const keyFlag = `--key ${at.file('.ssh/id_ed25519.pub')}`;

  test.each([`ssh sign deploy --if-needed ${keyFlag}`, 'ssh sign deploy --if-needed'])(
    '%s does not take a certificate of another mount or namespace as fresh',
    async (sign) => {
      const same = { code: 0, stdout: '', stderr: '' };
      expect(await done(sign)).toContain('Wrote ');
      expect(await run(sign)).toEqual(same);
      // Neither of them exists, so that a request is an error.
      const others = [
        run(`${sign} --mount users`),
        run(`${sign} --namespace team-a`),
        run(sign, { env: { VAULT_NAMESPACE: 'team-a' } }),
        run(sign, { env: { LANYARD_SECRETS_NAMESPACE: 'team-a' } }),
      ];
      for (const ran of await Promise.all(others)) expect(ran.code, ran.stderr).not.toBe(0);
      expect(await run(sign)).toEqual(same);
    },
  );

  test('keeps the certificate of another mount until a different one is requested, and no certificate of another program', async () => {
    const other = homeForTest();
    await servicesForTest(other);
    other.write('.ssh/id_ed25519.pub', at.read('.ssh/id_ed25519.pub'));
    const finish = async (argv: string) => {
      const ran = await other.run(words(argv));
      expect(ran, argv).toMatchObject({ code: 0 });
      return ran.stdout;
    };
    for (const mount of ['ssh', 'users']) {
      if (mount !== 'ssh') await finish(`secrets mount enable ssh --path ${mount}`);
      await finish(`ssh ca create --mount ${mount} --key-type ed25519`);
      await finish(
        `ssh role put deploy --mount ${mount} --allow-user-certificates --allowed-users u --default-user u`,
      );
    }
    for (const sign of [
      'ssh sign deploy --if-needed',
      `ssh sign deploy --if-needed --key ${other.file('.ssh/id_ed25519.pub')}`,
    ]) {
      expect(await finish(`${sign} --mount users`)).toContain('Wrote ');
      expect(await finish(`${sign} --mount users`)).toBe('');
      const users = other.read(certificate);
      expect(await finish(sign)).toContain('Wrote ');
      expect(await finish(sign)).toBe('');
      expect(JSON.parse(other.read(`${certificate}.source`))).toMatchObject({ mount: 'ssh', role: 'deploy' });
      const own = other.read(certificate);
      expect(await finish(`${sign} --mount users`)).toContain('Wrote ');
      // The file is about another certificate.
      other.write(certificate, own);
      expect(await finish(`${sign} --mount users`)).toContain('Wrote ');
      expect(users).not.toBe(own);
      other.clear(certificate);
    }
  });
});
