import { beforeEach, describe, expect, test } from 'vitest';
import { makeKey, signing } from '../signing.ts';

const { at, services, run, done, key } = signing();
const location = 'registry:ssh/record';
const recorded = async (flags = `--record ${location}`) =>
  JSON.parse(await done(`ssh history ${flags} -o json`)) as readonly Record<string, unknown>[];
const serialOf = async (file: string): Promise<string> =>
  JSON.parse(await done(`ssh inspect ${file} -o json`)).serial;

/** The environment of a token with a policy. */
async function tokenWith(policy: string, flags = ''): Promise<Record<string, string>> {
  const { stdout } = await run(`secrets token create --policy ${policy}${flags} --field client_token`);
  return { LANYARD_SECRETS_TOKEN: stdout.trim() };
}

beforeEach(async () => {
  await run('registry kv delete ssh/ --recursive --yes');
});

describe('record of signed certificates', () => {
  test('has who, role, principals, serial, key ID, fingerprints and validity of a signed key', async () => {
    await done(`ssh sign deploy --principals ubuntu --ttl 10m --record ${location}`);
    const inspected = JSON.parse(await done('ssh inspect .ssh/id_ed25519-cert.pub -o json'));
    const entries = await recorded();
    expect(entries).toEqual([
      {
        version: 1,
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        user: 'root',
        userFrom: 'token',
        client: expect.stringMatching(/^.+@.+$/),
        service: services.addresses.secrets,
        mount: 'ssh',
        role: 'deploy',
        kind: 'user',
        principals: ['ubuntu'],
        serial: inspected.serial,
        keyId: inspected.keyId,
        fingerprint: inspected.key.fingerprint,
        caFingerprint: inspected.signingCa.fingerprint,
        validAfter: inspected.validAfter,
        validBefore: inspected.validBefore,
      },
    ]);
    // Neither a token nor a private key.
    const stored = await done('registry kv export ssh/record');
    const text = Buffer.from(JSON.parse(stored)[0].value, 'base64').toString();
    expect(text).not.toContain(services.rootToken);
    expect(text).not.toContain(key.privatePem.split('\n')[1]);
    const day = new Date(String(entries[0]?.time)).toISOString().slice(0, 10);
    expect(JSON.parse(stored)[0].key).toMatch(
      new RegExp(`^ssh/record/${day}/\\d{6}\\.\\d{3}Z-${inspected.serial}$`),
    );
  });

  test('is written by issue and batch, but not by a dry run', async () => {
    await done(`ssh issue deploy --key-type ed25519 --out issued --force --record ${location}`);
    makeKey(at, 'keys/a', 'ed25519');
    makeKey(at, 'keys/b', 'ed25519');
    expect(await run(`ssh sign deploy --batch keys --record ${location}`)).toMatchObject({ code: 0 });
    expect(await recorded()).toHaveLength(3);
    await done(`ssh sign deploy --dry-run --record ${location}`);
    expect(await recorded()).toHaveLength(3);
    const serials = (await recorded()).map(({ serial }) => serial);
    for (const file of ['issued-cert.pub', 'keys/a-cert.pub', 'keys/b-cert.pub'])
      expect(serials).toContain(await serialOf(file));
  });

  test('is a part of the line that ssh config writes, because logins have no other settings', async () => {
    const line = '--if-needed --for-login --key';
    const written = await done(`ssh config web --role deploy --record ${location} --dry-run`);
    expect(written).toContain(line);
    expect(written).toContain(` --record ${location} `);
    const env = { LANYARD_SSH_RECORD: 'secrets:secret/signed' };
    expect(await done('ssh config web --role deploy --dry-run', { env })).toContain(
      ' --record secrets:secret/signed ',
    );
    expect(await done('ssh config web --role deploy --dry-run')).not.toContain('--record');
    // Such a line does not use the variable.
    await done(`ssh sign deploy ${line} .ssh/id_ed25519.pub --address ${services.addresses.secrets}`, {
      env,
    });
    expect(JSON.parse(await done('ssh history --record secrets:secret/signed -o json'))).toEqual([]);
  });

  test('is not written when a certificate is kept', async () => {
    await done(`ssh sign deploy --principals ubuntu --if-needed --record ${location}`);
    await done(`ssh sign deploy --principals ubuntu --if-needed --record ${location}`);
    expect(await recorded()).toHaveLength(1);
  });

  test.each(['secret/ssh-record', 'v1/ssh-record'])('is written to key-value secrets at %s', async (path) => {
    await run('secrets mount enable kv --path v1 --option version=1');
    await done(`ssh sign deploy --record secrets:${path}`);
    await done(`ssh sign deploy --ttl 5m --record secrets:${path}`);
    const entries = await recorded(`--record secrets:${path}`);
    expect(entries).toMatchObject([{ role: 'deploy' }, { role: 'deploy' }]);
    const serial = await serialOf('.ssh/id_ed25519-cert.pub');
    expect(await recorded(`--record secrets:${path} --serial ${serial}`)).toMatchObject([{ serial }]);
  });
});

describe('a record that cannot be written', () => {
  const serial = () => serialOf('.ssh/id_ed25519-cert.pub');

  test.each([
    ['a registry that is down', { LANYARD_REGISTRY_ADDR: 'http://127.0.0.1:1' }, 'connection refused'],
    ['a registry without an address', { LANYARD_REGISTRY_ADDR: '' }, 'no address'],
  ])('is a warning with the serial number: %s', async (_name, env, cause) => {
    const ran = await run(`ssh sign deploy --record ${location}`, { env, random: (n) => new Uint8Array(n) });
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stderr).toContain(
      `warning: cannot record certificate ${await serial()} of role deploy in ${location}: `,
    );
    expect(ran.stderr).toContain(cause);
    expect(ran.stderr).toContain('The certificate is valid, but "lanyard ssh history" does not show it');
  });

  test('is one warning and a count for a batch, after which no more entries are sent', async () => {
    for (let index = 0; index < 40; index += 1) makeKey(at, `many/${index}`, 'ed25519');
    const env = { LANYARD_REGISTRY_ADDR: 'http://127.0.0.1:1' };
    const ran = await run(`ssh sign deploy --batch many --record ${location}`, {
      env,
      random: (n) => new Uint8Array(n),
    });
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stderr.match(/cannot record/g)).toHaveLength(1);
    expect(ran.stderr).toContain('warning: 40 certificates not recorded');
  });

  test('rejects an invalid location before anything is signed', async () => {
    at.clear('.ssh/id_ed25519-cert.pub');
    for (const invalid of ['ssh/record', 'registry:', 'secrets:secret', 'file:record']) {
      const ran = await run(`ssh sign deploy --record ${invalid}`);
      expect(ran).toMatchObject({ code: 2, stdout: '' });
      expect(ran.stderr).toContain(`invalid location "${invalid}" of the record`);
    }
    expect(at.list('.ssh')).not.toContain('.ssh/id_ed25519-cert.pub');
  });

  test('never replaces an entry', async () => {
    const now = new Date('2026-11-27T08:00:00Z');
    await done(`ssh sign deploy --record ${location}`, { now });
    const before = await recorded();
    const name = `2026-11-27/080000.000Z-${before[0]?.serial}`;
    expect(await run(`registry kv put ssh/record/${name} x --cas 0`)).toMatchObject({ code: 6 });
  });
});

describe('who requested a certificate', () => {
  test('is the local user, marked as such, if the token cannot be looked up', async () => {
    await done('secrets policy put only-sign -', {
      stdin: 'path "ssh/sign/deploy" { capabilities = ["update"] }',
    });
    const env = await tokenWith('only-sign', ' --no-default-policy');
    expect(await run(`ssh sign deploy --record ${location}`, { env })).toMatchObject({ code: 0, stderr: '' });
    const [entry] = await recorded();
    expect(entry).toMatchObject({ userFrom: 'local', user: entry?.client });
    const table = await run(`ssh history --record ${location}`, { columns: 160, env: { NO_COLOR: '1' } });
    expect(table.stdout).toContain(`${entry?.client} (local)`);
  });

  test('is not asked for without a record', async () => {
    const ran = await run('ssh sign deploy --debug trace');
    expect(ran).toMatchObject({ code: 0 });
    const lines = at.read('trace').trimEnd().split('\n');
    const sent = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'request');
    expect(sent.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
      expect.stringMatching(/^\w+ \/v1\/ssh\/sign\/deploy$/),
    ]);
  });
});

describe('a token that may see a part of a record', () => {
  test('is told so for secrets', async () => {
    await done('ssh sign deploy --record secrets:secret/partial');
    await done('ssh sign deploy --ttl 5m --record secrets:secret/partial');
    const before = await done('kv list --recursive secret/partial');
    await done('secrets policy put partial -', {
      stdin: `path "secret/metadata/*" { capabilities = ["list"] } path "secret/data/${before.split('\n')[0]?.replace('secret/', '')}" { capabilities = ["read"] }`,
    });
    const env = await tokenWith('partial');
    const ran = await run('ssh history --record secrets:secret/partial -o json', { env });
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    expect(JSON.parse(ran.stdout)).toHaveLength(1);
    expect(ran.stderr).toContain(
      'warning: the list is incomplete: the token has no permission to read some entries',
    );
  });
});
