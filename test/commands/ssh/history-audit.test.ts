import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { homeForAll, servicesForAll } from '../../support/command-tests.ts';
import { keyPair } from '../../support/keys.ts';
import { writeKey } from '../signing.ts';

const at = homeForAll();
servicesForAll(at, { auditLog: { path: at.file('audit.log') } });
const run = (line: string, options: Parameters<typeof at.run>[1] = {}) => at.run(line.split(' '), options);
const done = async (line: string, options: Parameters<typeof at.run>[1] = {}): Promise<string> => {
  const ran = await run(line, options);
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
  return ran.stdout;
};
const history = async (flags: string, stdin?: string | Uint8Array) => {
  const ran = await run(`ssh history ${flags} -o json`, stdin === undefined ? {} : { stdin });
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
  return { rows: JSON.parse(ran.stdout) as Record<string, unknown>[], stderr: ran.stderr };
};

const password = 'correct-horse-battery';
let token = '';

beforeAll(async () => {
  writeKey(at, '.ssh/id_ed25519', keyPair('ed25519'));
  await done('ssh ca create --key-type ed25519');
  await done(
    'ssh role put deploy --allow-user-certificates --allowed-users ubuntu,admin --default-user ubuntu --ttl 30m',
  );
  await done('secrets auth enable userpass');
  await done('secrets policy put signer -', { stdin: 'path "ssh/sign/*" { capabilities = ["update"] }' });
  await done('secrets write auth/userpass/users/ada password=- token_policies=signer', { stdin: password });
  const login = 'secrets login --method userpass --username ada --password - --no-store --field token';
  token = (await done(login, { stdin: password })).trim();
});

const sign = (flags = '') =>
  run(`ssh sign deploy --principals ubuntu${flags}`, { env: { LANYARD_SECRETS_TOKEN: token } });

describe('ssh history --audit-log', () => {
  test('shows who, when, mount and role, and says which fields the log has only hashes of', async () => {
    await sign();
    const { rows, stderr } = await history('--audit-log audit.log');
    expect(rows).toEqual([
      {
        time: expect.stringMatching(/^\d{4}-/),
        user: 'userpass-ada',
        userFrom: 'token',
        username: 'ada',
        entityId: expect.any(String),
        client: '127.0.0.1',
        mount: 'ssh',
        role: 'deploy',
      },
    ]);
    expect(stderr).toContain('certificates without a serial number, of which the log has only the hash: 1');
    expect(stderr).toContain('--audit-non-hmac-response-keys serial_number,signed_key');
    // A failed request is not a certificate, nor is a certificate of another engine.
    expect(await run('ssh sign deploy --principals root')).toMatchObject({ code: 1 });
    expect((await history('--audit-log audit.log')).rows).toHaveLength(1);
    const undecided = await history('--audit-log audit.log --valid');
    expect(undecided.rows).toEqual([]);
    expect(undecided.stderr).toContain('certificates that may match, but lack a field to compare: 1');
  });

  test('shows the certificate if the mount does not hash it', async () => {
    await done('secrets mount tune ssh --audit-non-hmac-response-keys serial_number');
    await sign();
    const serial = JSON.parse(await done('ssh inspect .ssh/id_ed25519-cert.pub -o json')).serial;
    const [, second] = (await history('--audit-log audit.log')).rows;
    expect(second).toMatchObject({ user: 'userpass-ada', serial });
    expect(second).not.toHaveProperty('validBefore');

    await done('secrets mount tune ssh --audit-non-hmac-response-keys serial_number,signed_key');
    await sign();
    const certificate = JSON.parse(await done('ssh inspect .ssh/id_ed25519-cert.pub -o json'));
    const { rows, stderr } = await history('--audit-log audit.log --valid --user ada');
    expect(rows).toMatchObject([
      {
        serial: certificate.serial,
        keyId: certificate.keyId,
        kind: 'user',
        principals: ['ubuntu'],
        fingerprint: certificate.key.fingerprint,
        caFingerprint: certificate.signingCa.fingerprint,
        validBefore: certificate.validBefore,
      },
    ]);
    expect(stderr).toContain('lack a field to compare: 2');
    // The private key of "ssh issue" is still hashed.
    await done('ssh issue deploy --key-type ed25519 --out issued');
    const issued = (await history('--audit-log audit.log --limit 1')).rows;
    expect(issued).toMatchObject([{ role: 'deploy', user: 'root', kind: 'user' }]);
    expect(at.read('audit.log')).not.toContain('PRIVATE KEY');
  });

  test('reads standard input and rotated, compressed files, in the given order', async () => {
    const log = at.read('audit.log');
    const expected = (await history('--audit-log audit.log')).rows;
    expect((await history('--audit-log -', log)).rows).toEqual(expected);
    at.write('audit.log.1.gz', gzipSync(log));
    expect((await history('--audit-log audit.log.1.gz')).rows).toEqual(expected);
    expect((await history('--audit-log audit.log.1.gz --audit-log audit.log')).rows).toEqual([
      ...expected,
      ...expected,
    ]);
    at.write('torn.gz', gzipSync(log).subarray(0, 200));
    expect(await run('ssh history --audit-log torn.gz -o json')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('cannot read'),
    });
  });

  test('counts damaged lines with their places, and shows the others', async () => {
    const lines = at.read('audit.log').trimEnd().split('\n');
    const expected = (await history('--audit-log audit.log')).rows;
    const torn = lines.at(-1)?.slice(0, 200) ?? '';
    at.write(
      'damaged.log',
      [torn, 'not JSON', ...lines, '', '{"type":"response","path":"/sign/"x}', 'end'].join('\n'),
    );
    const { rows, stderr } = await history('--audit-log damaged.log');
    expect(rows).toEqual(expected);
    const last = lines.length + 4;
    expect(stderr).toContain(
      `damaged lines: 4, such as ${[1, 2, last]
        .map((number) => at.file(`damaged.log:${number}`))
        .map((path) => path.split('/').at(-1))
        .join(', ')}`,
    );
  });

  test('reads a log with a prefix, and one with raw values', async () => {
    const signed = at.read('.ssh/id_ed25519-cert.pub');
    const line = {
      time: '2026-11-27T08:00:00.123456789Z',
      type: 'response',
      auth: { display_name: 'oidc-ada@example.com', entity_id: 'e-1', metadata: { role: 'default' } },
      request: {
        path: 'team/ssh/sign/deploy',
        mount_type: 'ssh',
        namespace: { id: 'x', path: 'team/' },
        data: { valid_principals: 'ubuntu,admin', cert_type: 'user', public_key: 'hmac-sha256:00' },
        remote_address: '10.0.0.1',
      },
      response: { data: { serial_number: 'ff', signed_key: 'hmac-sha256:00' } },
    };
    const raw = { ...line, response: { data: { serial_number: 'ff', signed_key: signed } } };
    const wrapped = { ...line, response: { wrap_info: { token: 'hmac-sha256:00', ttl: 60 } } };
    const pki = { ...line, response: { data: { certificate: 'hmac-sha256:00', serial_number: 'ff' } } };
    const text = [line, raw, wrapped, pki].map((each) => `@cee: ${JSON.stringify(each)}\n`).join('');
    const { rows } = await history('--audit-log -', text);
    const common = {
      time: '2026-11-27T08:00:00.123456789Z',
      user: 'oidc-ada@example.com',
      entityId: 'e-1',
      client: '10.0.0.1',
      namespace: 'team',
      mount: 'ssh',
      role: 'deploy',
    };
    const certificate = JSON.parse(await done('ssh inspect .ssh/id_ed25519-cert.pub -o json'));
    expect(rows).toMatchObject([
      { ...common, serial: '255', principals: ['ubuntu', 'admin'] },
      { ...common, serial: certificate.serial, principals: ['ubuntu'] },
      { ...common, principals: ['ubuntu', 'admin'] },
    ]);
    expect(rows).toHaveLength(3);
    expect(rows[2]).not.toHaveProperty('serial');
  });

  test('needs memory only for what it shows', async () => {
    const line = at.read('audit.log').split('\n')[0] ?? '';
    const filler = `${line}\n`.repeat(20_000);
    const start = process.memoryUsage.rss();
    at.write('large.log', filler.repeat(5));
    expect((await history('--audit-log large.log')).rows).toEqual([]);
    expect(process.memoryUsage.rss() - start).toBeLessThan(400 * 1024 * 1024);
  }, 60_000);
});
