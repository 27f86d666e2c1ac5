import { beforeEach, describe, expect, test } from 'vitest';
import { makeKey, signing } from '../signing.ts';

const { at, services, run, done, key } = signing();
const location = 'registry:ssh/record';
const recorded = async (flags = `--record ${location}`) =>
  JSON.parse(await done(`ssh history ${flags} -o json`)) as readonly Record<string, unknown>[];
const serialOf = async (file: string): Promise<string> =>
  JSON.parse(await done(`ssh inspect ${file} -o json`)).serial;

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

  test('is written by issue, batch and proxy, but not by a dry run', async () => {
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
