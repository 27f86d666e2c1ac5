import { spawnSync } from 'node:child_process';
import { createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startAgent } from '../../e2e/openssh.ts';
import { expectFailure } from '../../support/command-tests.ts';
import { has } from '../../support/require.ts';
import { signing } from '../signing.ts';

const { at, run, done } = signing();
const certificate = '.ssh/id_ed25519-cert.pub';
const later = (minutes: number): Date => new Date(Date.now() + minutes * 60_000);
const rows = async (line: string, options = {}) => JSON.parse((await run(`${line} -o json`, options)).stdout);

beforeAll(async () => {
  await done('secrets mount enable ssh --path users');
  await done('ssh ca create --mount users --key-type ed25519');
  await done('ssh role put ops --mount users --allow-user-certificates --allowed-users ada --ttl 1h');
});

describe('ssh list', () => {
  test('lists certificates with what is known of them, the next to expire first, without a service', async () => {
    await done(
      'ssh sign ops --mount users --principals ada --key .ssh/id_ed25519.pub --out .ssh/ops-cert.pub',
    );
    await done('ssh sign deploy');
    const env = { LANYARD_SECRETS_ADDR: '', LANYARD_SECRETS_TOKEN: '' };
    const found = await rows('ssh list', { env });
    expect(found).toMatchObject([
      {
        file: at.file(certificate),
        inAgent: false,
        status: 'valid',
        role: 'deploy',
        mount: 'ssh',
        principals: ['ubuntu'],
      },
      { file: at.file('.ssh/ops-cert.pub'), role: 'ops', mount: 'users', revoked: null, profile: null },
    ]);
    expect(found[0].signingCa.fingerprint).toMatch(/^SHA256:/);
    const text = (await run('ssh list', { env })).stdout.split('\n');
    expect(text[0]).toMatch(/^~\/\.ssh\/id_ed25519-cert\.pub\texpires in \d+ minutes\tuser: ubuntu\t/);
    expect(text[0]).toMatch(/\tssh\/deploy$/);
  });

  test('marks expired certificates, and lists named files', async () => {
    await done('ssh sign deploy --out elsewhere.pub');
    expect(await rows('ssh list elsewhere.pub', { now: later(40) })).toMatchObject([
      { file: at.file('elsewhere.pub'), status: 'expired' },
    ]);
    expect((await run('ssh list elsewhere.pub', { now: later(40) })).stdout).toContain('\texpired ');
    expectFailure(await run('ssh list nowhere.pub'), 2, 'nowhere.pub');
    expectFailure(await run('ssh list .ssh/id_ed25519.pub'), 2, 'is a public key; expected a certificate');
  });

  test('warns about damaged files in ~/.ssh and lists the others', async () => {
    await done('ssh sign deploy');
    at.write('.ssh/torn-cert.pub', 'ssh-ed25519-cert-v01@openssh.com AAAA torn');
    const ran = await run('ssh list -o json');
    expect(JSON.parse(ran.stdout)).toHaveLength(1);
    expect(ran.stderr + ran.stdout).toBeTruthy();
    expect((await run('ssh list')).stderr).toContain('torn-cert.pub');
  });

  test('says how to get a certificate if there is none', async () => {
    expect((await run('ssh list', { columns: 80 })).stdout).toContain(
      'No certificates. Run `lanyard ssh sign ROLE`',
    );
    expect(await rows('ssh list')).toEqual([]);
  });

  test('marks revoked certificates with the list of the settings, and works if it cannot be read', async () => {
    await done('ssh sign deploy');
    const list = at.file('revoked.krl');
    const env = { LANYARD_SSH_REVOKED: list };
    expect((await run('ssh list', { env })).stderr).toContain(
      `the revocation list at ${list} does not exist`,
    );
    await done(`ssh revoke ${certificate} --list ${list} --yes`);
    expect(await rows('ssh list', { env })).toMatchObject([{ status: 'revoked', revoked: true }]);
    const away = { LANYARD_SSH_REVOKED: 'registry:ssh/revoked', LANYARD_REGISTRY_ADDR: 'http://127.0.0.1:1' };
    const ran = await run('ssh list', { env: away });
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain('cannot check for revoked certificates');
  });

  test('escapes the key ID of a hostile certificate on a terminal', async () => {
    if (!has('ssh-keygen')) return;
    const keygen = (...args: string[]) => spawnSync('ssh-keygen', args, { cwd: at.path, encoding: 'utf8' });
    at.clear('ca');
    at.clear('ca.pub');
    keygen('-q', '-t', 'ed25519', '-N', '', '-f', 'ca');
    keygen('-q', '-s', 'ca', '-I', 'evil\u001b[2J\u202eid', '-n', 'root', '.ssh/id_ed25519.pub');
    const ran = await run('ssh list', { columns: 200 });
    expect(ran.code, ran.stderr).toBe(0);
    for (const hidden of ['\u001b[2J', '\u202e']) expect(ran.stdout).not.toContain(hidden);
    expect(ran.stdout).toContain('evil');
  });
});

describe('an agent that sends anything', () => {
  let server: Server;
  const socket = at.file('hostile.sock');
  let reply: Buffer;
  const message = (body: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(body.length);
    return Buffer.concat([length, body]);
  };
  beforeAll(async () => {
    server = createServer((connection) => connection.on('data', () => connection.end(message(reply))));
    await new Promise<void>((resolve) => server.listen(socket, resolve));
  });
  afterAll(() => server.close());

  test.each([
    ['a count without keys', Buffer.from([12, 0xff, 0xff, 0xff, 0xff])],
    ['a string beyond the end', Buffer.from([12, 0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff, 1])],
    [
      'a type of control characters',
      Buffer.from([12, 0, 0, 0, 1, 0, 0, 0, 6, 0, 0, 0, 2, 27, 91, 0, 0, 0, 0]),
    ],
    ['another message', Buffer.from([5])],
  ])('sends %s: a warning, and the files are listed', async (_what, body) => {
    reply = body;
    await done('ssh sign deploy');
    const ran = await run('ssh list', { env: { SSH_AUTH_SOCK: socket } });
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('id_ed25519-cert.pub');
    expect(ran.stderr).toMatch(/^warning: cannot use ssh-agent: /);
    expect(ran.stderr).not.toContain('\u001b[');
  });

  test('sends a damaged certificate: it is counted', async () => {
    const type = Buffer.from('ssh-ed25519-cert-v01@openssh.com');
    const text = (bytes: Buffer) => message(bytes);
    const blob = text(Buffer.concat([text(type), Buffer.from('junk')]));
    reply = Buffer.concat([Buffer.from([12, 0, 0, 0, 1]), blob, text(Buffer.from('\u001b[2J'))]);
    const ran = await run('ssh list', { env: { SSH_AUTH_SOCK: socket } });
    expect(ran).toMatchObject({ code: 0, stderr: 'warning: the ssh-agent has 1 damaged certificate\n' });
  });
});

describe('ssh renew', () => {
  test('renews what is due, with the role, mount and request that it was signed with', async () => {
    await done(
      'ssh sign ops --mount users --principals ada --ttl 20m --key .ssh/id_ed25519.pub --out .ssh/ops-cert.pub',
    );
    await done('ssh sign deploy');
    const before = [at.read(certificate), at.read('.ssh/ops-cert.pub')];
    expect(await rows('ssh renew')).toMatchObject([{ status: 'kept' }, { status: 'kept' }]);
    expect([at.read(certificate), at.read('.ssh/ops-cert.pub')]).toEqual(before);
    const renewed = await rows('ssh renew', { now: later(25) });
    expect(renewed).toMatchObject([
      { file: at.file(certificate), status: 'renewed', role: 'deploy', mount: 'ssh', replacedInAgent: null },
      { file: at.file('.ssh/ops-cert.pub'), status: 'renewed', role: 'ops', mount: 'users' },
    ]);
    expect(renewed[0].serialNumber).toMatch(/^[0-9a-f]+$/);
    const [data] = await rows('ssh list', {}).then((all) =>
      all.filter((each: { role: string }) => each.role === 'ops'),
    );
    expect(data.principals).toEqual(['ada']);
    // The request is recorded again.
    expect(JSON.parse(at.read('.ssh/ops-cert.pub.source')).request).toMatchObject({
      ttl: '20m',
      valid_principals: 'ada',
    });
  });

  test('renews all with --all, and the named file', async () => {
    await done('ssh sign deploy');
    const before = at.read(certificate);
    expect((await run('ssh renew --all')).stdout).toMatch(
      /^renewed \S+id_ed25519-cert\.pub: renewed with role deploy\n$/,
    );
    expect(at.read(certificate)).not.toBe(before);
    expect((await run(`ssh renew ${certificate}`)).stdout).toMatch(/^kept /);
  });

  test('skips certificates whose role is unknown; a named one is an error', async () => {
    await done('ssh sign deploy');
    at.clear(`${certificate}.source`);
    expect(await rows('ssh renew --all')).toMatchObject([{ status: 'skipped', role: null }]);
    const ran = await run(`ssh renew ${certificate} --all`);
    expect(ran).toMatchObject({ code: 2, stdout: expect.stringContaining('its role is unknown') });
  });

  test('does not renew with another cluster or namespace', async () => {
    const address = at.env.LANYARD_SECRETS_ADDR ?? '';
    const env = {
      LANYARD_SECRETS_ADDR: '',
      LANYARD_SECRETS_TOKEN: '',
      T: at.env.LANYARD_SECRETS_TOKEN ?? '',
    };
    await run(`profile put work secrets.address=${address} secrets.token=env://T --ssh-role deploy`, { env });
    await run('ssh sign', { env });
    const other = { ...env, VAULT_ADDR: 'http://127.0.0.1:1' };
    const [row] = await rows('ssh renew --all', { env: other });
    expect(row).toMatchObject({
      status: 'skipped',
      message: expect.stringContaining('run lanyard -p work ssh renew '),
    });
    expect(await rows('ssh renew --all', { env: { ...env, VAULT_NAMESPACE: 'team' } })).toMatchObject([
      { status: 'skipped' },
    ]);
    expect(await rows('-p work ssh renew --all', { env: other })).toMatchObject([{ status: 'renewed' }]);
    at.clear('config');
  });

  test('keeps the old certificate if it fails, and exits with 9 if others were renewed', async () => {
    await done('ssh sign deploy');
    await done(
      'ssh role put gone --allow-user-certificates --allowed-users ubuntu --default-user ubuntu --ttl 20m',
    );
    await done('ssh sign gone --key .ssh/id_ed25519.pub --out .ssh/gone-cert.pub');
    await done('ssh role delete gone --yes');
    const before = at.read('.ssh/gone-cert.pub');
    const ran = await run('ssh renew --all -o json');
    expect(ran.code).toBe(9);
    expect(JSON.parse(ran.stdout)).toMatchObject([
      { file: at.file('.ssh/gone-cert.pub'), status: 'failed', error: { code: 'not_found' } },
      { status: 'renewed' },
    ]);
    expect(at.read('.ssh/gone-cert.pub')).toBe(before);
    const away = await run('ssh renew --all', { env: { LANYARD_SECRETS_ADDR: 'http://127.0.0.1:1' } });
    expect(away.stdout).toMatch(/^skipped /);
  });

  test('signs and writes nothing in a dry run', async () => {
    await done('ssh sign deploy');
    const before = at.read(certificate);
    const ran = await run('ssh renew --all --dry-run -o json');
    expect(ran.stdout).toContain('/v1/ssh/sign/deploy');
    expect(at.read(certificate)).toBe(before);
  });
});

describe.skipIf(!['ssh-agent', 'ssh-add'].every(has))('certificates in the ssh-agent', () => {
  let daemon: { stop(): void };
  const socket = at.file('agent.sock');
  const env = { SSH_AUTH_SOCK: socket };
  const sshAdd = (...args: string[]) =>
    spawnSync('ssh-add', args, { env: { ...process.env, ...env }, encoding: 'utf8' });

  beforeAll(async () => {
    daemon = await startAgent(socket);
  });
  beforeEach(() => sshAdd('-q', '-D'));
  afterEach(() => sshAdd('-q', '-D'));
  afterAll(() => daemon.stop());

  test('are listed once, also without a file', async () => {
    await run('ssh sign deploy --agent', { env });
    expect(await rows('ssh list', { env })).toMatchObject([{ file: at.file(certificate), inAgent: true }]);
    at.clear(certificate);
    expect(await rows('ssh list', { env })).toMatchObject([
      { file: null, inAgent: true, status: 'valid', role: null, mount: null },
    ]);
    expect((await run('ssh list', { env })).stdout).toMatch(/^ssh-agent\t/);
  });

  test('are replaced by renewed ones', async () => {
    await run('ssh sign deploy --agent', { env });
    const before = sshAdd('-L').stdout;
    expect(await rows('ssh renew --all', { env })).toMatchObject([
      { status: 'renewed', replacedInAgent: true },
    ]);
    const after = sshAdd('-L').stdout.trim().split('\n');
    expect(after).toHaveLength(1);
    expect(after[0]).not.toBe(before.trim());
    expect(after[0]).toContain(at.read(certificate).trim().split(' ')[1]);
  });

  test('stay if the new one cannot be added: exit code 9, and the file has the new one', async () => {
    await run('ssh sign deploy --agent', { env });
    const before = at.read(certificate);
    at.clear('.ssh/id_ed25519');
    const ran = await run('ssh renew --all -o json', { env });
    expect(ran.code).toBe(9);
    expect(JSON.parse(ran.stdout)).toMatchObject([{ status: 'renewed', replacedInAgent: false }]);
    expect(at.read(certificate)).not.toBe(before);
    expect(sshAdd('-L').stdout).toContain(before.trim().split(' ')[1]);
  });
});
