import { statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { embeddedForAll, expectFailure, outputOf, quietOutputOf } from '../../support/command-tests.ts';
import { shell } from '../../support/process.ts';
import { has } from '../../support/require.ts';

const { at, run } = embeddedForAll();

beforeAll(async () => {
  await run('ssh ca create --key-type ed25519');
  await run(
    'ssh role put deploy --allow-user-certificates --allowed-users ubuntu --default-user ubuntu --ttl 30m',
  );
  await run('ssh role put otp --key-type otp --default-user ubuntu --cidr-list 10.0.0.0/8');
});

describe('ssh issue', () => {
  test('rejects --out -, which is not a file', async () => {
    const before = at.list();
    expectFailure(await run('ssh issue deploy --out -'), 2, '--out requires a file name');
    expect(at.list()).toEqual(before);
  });

  test.skipIf(!has('ssh-keygen')).each([
    ['--key-type ed25519', 'ED25519'],
    ['--key-type ec --key-bits 384', 'ECDSA'],
    ['--key-type rsa --key-bits 2048', 'RSA'],
  ])('%s writes private key, public key and certificate, which ssh-keygen reads', async (flags, kind) => {
    const name = `made-${kind}`;
    const stdout = quietOutputOf(await run(`ssh issue deploy ${flags} --out ${name}`));
    expect(stdout).toContain(`Wrote ${name}, ${name}.pub and ${name}-cert.pub.`);
    for (const file of [name, `${name}.pub`, `${name}-cert.pub`])
      expect(statSync(join(at.path, file)).mode & 0o777).toBe(0o600);
    const derived = await shell(at, `ssh-keygen -y -f ${name}`);
    expect(at.read(`${name}.pub`).trim().split(' ').slice(0, 2)).toEqual(
      derived.stdout.trim().split(' ').slice(0, 2),
    );
    expect((await shell(at, `ssh-keygen -L -f ${name}-cert.pub`)).stdout).toContain('ubuntu');
    expect((await shell(at, `ssh-keygen -l -f ${name}`)).stdout).toContain(`(${kind})`);
  });

  test('keeps an existing key, before anything is generated, and replaces it with --force', async () => {
    at.write('kept', 'not to be lost');
    expectFailure(await run('ssh issue deploy --key-type ed25519 --out kept'), 2, 'cannot write');
    expect(at.read('kept')).toBe('not to be lost');
    expect(at.list()).not.toContain('kept.pub');
    expect((await run('ssh issue deploy --key-type ed25519 --out kept --force')).code).toBe(0);
    expect(at.read('kept')).toContain('PRIVATE KEY');
  });

  test('warns when requested critical options drop the force-command of the role', async () => {
    await run(
      'ssh role put forced --allow-user-certificates --allowed-users u --default-user u --default-critical-option force-command=/bin/true',
    );
    const issue = 'ssh issue forced --key-type ed25519 --force --out forced';
    const ran = await run(`${issue} --critical-option source-address=10.0.0.0/8`);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toMatch(
      /^warning: the certificate has no force-command: .* replace the defaults of role "forced"/m,
    );
    for (const more of ['', ' --critical-option force-command=/bin/false'])
      expect(await run(issue + more), more).toMatchObject({ code: 0, stderr: '' });
  });

  test('-o json prints the complete response', async () => {
    const { stdout } = await run('ssh issue deploy --key-type ed25519 --out data -o json');
    expect(JSON.parse(stdout).data).toMatchObject({
      private_key_type: 'ed25519',
      private_key: at.read('data'),
    });
  });

  test.each([
    ['ssh issue nope --out n', 3, 'role "nope" not found in ssh/'],
    ['ssh issue otp --out n', 1, "role key type 'otp' not allowed to issue key pairs"],
    ['ssh issue deploy --key-type rsa --key-bits 1024 --out n', 1, 'key_bits'],
    ['ssh issue deploy --principals root --out n', 1, 'root is not a valid value for valid_principals'],
    ['ssh issue deploy', 2, '--out NAME is required'],
    ['ssh issue deploy --out missing/n', 2, 'no such directory'],
  ])('%s is rejected, and nothing is written', async (argv, code, message) => {
    const before = at.list();
    expectFailure(await run(argv), code, message);
    expect(at.list()).toEqual(before);
  });
});

describe('one-time passwords', () => {
  const credential = async (): Promise<string> =>
    (await run('ssh creds otp --ip 10.1.2.3 --field key')).stdout.trim();

  test('creds shows the password, for whom it is and how long', async () => {
    expect(quietOutputOf(await run('ssh creds otp --ip 10.1.2.3 --username ubuntu'))).toMatch(
      /^one-time password\t[0-9a-f-]{36}\nfor\tubuntu@10\.1\.2\.3\nlease\tssh\/creds\/otp\/\w+\nexpires in\t32 days\n$/,
    );
  });

  test('verify consumes a password: the second time it is invalid', async () => {
    const otp = await credential();
    const first = await run('ssh verify env://OTP', { env: { OTP: otp, LANYARD_SECRETS_TOKEN: '' } });
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toContain('user\tubuntu\naddress\t10.1.2.3\n');
    const second = await run('ssh verify -', { stdin: `${otp}\n` });
    expectFailure(second, 5, 'invalid one-time password: unknown or already used');
    expect(second.stderr).not.toContain(otp);
  });

  test('a password on the command line is rejected, and not repeated', async () => {
    const ran = await run('ssh verify 1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed');
    expect(ran.code).toBe(2);
    expect(ran.stderr).not.toContain('1b9d6bcd');
  });

  test.each([
    ['ssh creds otp --ip 192.168.0.1', 1, 'IP does not belong to role'],
    ['ssh creds otp --ip nonsense', 1, 'Invalid IP'],
    ['ssh creds nope --ip 10.1.2.3', 3, 'role "nope" not found in ssh/'],
    ['ssh creds otp', 2, '--ip IP is required'],
  ])('%s is rejected', async (argv, code, message) => {
    expectFailure(await run(argv), code, message);
  });

  test('lookup names the roles that are for an address', async () => {
    expect(await run('ssh lookup 10.1.2.3')).toEqual({ code: 0, stdout: 'otp\n', stderr: '' });
    expect(await run('ssh lookup 192.168.0.1')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(JSON.parse((await run('ssh lookup 10.1.2.3 -o json')).stdout).data.roles).toEqual(['otp']);
  });

  test('zero-address roles are for any address while they are listed', async () => {
    expect(await run('ssh zero-address get')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await run('ssh zero-address put otp')).code).toBe(0);
    expect(await run('ssh zero-address get')).toEqual({ code: 0, stdout: 'otp\n', stderr: '' });
    expect((await run('ssh creds otp --ip 192.168.0.1')).code).toBe(0);
    expect((await run('ssh zero-address put nope')).stderr).toContain('"nope"');
    expect((await run('ssh zero-address delete')).code).toBe(2);
    expect((await run('ssh zero-address delete --yes')).code).toBe(0);
    expect((await run('ssh creds otp --ip 192.168.0.1')).code).toBe(1);
  });

  test('a lease that is revoked takes its password along', async () => {
    const { data, lease_id } = JSON.parse((await run('ssh creds otp --ip 10.1.2.3 -o json')).stdout);
    const revoked = await run('api secrets PUT sys/leases/revoke --data -', {
      stdin: JSON.stringify({ lease_id }),
    });
    expect(revoked.code).toBe(0);
    expect((await run('ssh verify -', { stdin: data.key })).code).toBe(5);
  });

  test('tidy reports the number of remaining keys', async () => {
    expect((await run('ssh tidy --yes')).stdout).toBe('Removed 0 of 0 host keys.\n');
  });
});

test('ssh ca recover brings back the CA of a snapshot', async () => {
  const before = (await run('ssh ca get')).stdout;
  const stdout = outputOf(await run('api secrets POST sys/storage/raft/snapshot --field data.snapshot_id'));
  await run('ssh ca delete --yes');
  expect((await run('ssh ca get')).code).toBe(3);
  const id = stdout.trim();
  expect((await run(`ssh ca get --snapshot ${id}`)).stdout).toBe(before);
  expect((await run(`ssh ca recover --snapshot ${id} --yes`)).code).toBe(0);
  expect((await run('ssh ca get')).stdout).toBe(before);
  expect((await run(`ssh ca recover --snapshot ${id} --yes -o json`)).code).toBe(0);
  expect((await run('ssh ca recover --snapshot nope --yes')).code).toBe(3);
});
