import { describe, expect, test } from 'vitest';
import { emptyKrl, withEntries } from '../../../src/ssh/krl/krl.ts';
import { readKrl } from '../../../src/ssh/krl/read.ts';
import { writeKrl } from '../../../src/ssh/krl/write.ts';
import { expectFailure, quietOutputOf } from '../../support/command-tests.ts';
import { pausingProxy } from '../pausing-proxy.ts';
import { makeKey, signing } from '../signing.ts';

const { at, services, run, done } = signing();
let number = 0;
const stores = ['registry', 'secrets', 'file'] as const;
/** A location that no other test uses. */
const location = (store: (typeof stores)[number] = 'file'): string => {
  number += 1;
  return {
    registry: `registry:ssh/r${number}`,
    secrets: `secrets:secret/ssh/r${number}`,
    file: `r${number}.krl`,
  }[store];
};
/** Signs a new key; gives the file of its certificate. */
async function certificate(name: string): Promise<string> {
  makeKey(at, name, 'ed25519');
  await done(`ssh sign deploy --key ${name}.pub --out ${name}-cert.pub`);
  return `${name}-cert.pub`;
}
const read = async (list: string) => JSON.parse(await done(`ssh revoked list --list ${list} -o json`));
const check = (files: string, list: string) => run(`ssh revoked check ${files} --list ${list}`);
const serialOf = async (file: string): Promise<string> =>
  done(`ssh inspect ${file} --field serial`).then((text) => text.trim());

describe.each(stores)('a list in a place of kind %s', (store) => {
  test('revokes a certificate by its serial and a key by itself, once', async () => {
    const list = location(store);
    const [cert, other] = [await certificate('a'), await certificate('b')];
    const text = await done(`ssh revoke ${cert} --list ${list} --yes`);
    expect(text).toContain(`Revoked serial ${await serialOf(cert)} of CA SHA256:`);
    expect(text).toContain(`Created the list ${list}.`);
    expect(text).toContain(
      'Hosts apply version 1 of the list at their next lanyard ssh trust --revoked FILE.',
    );
    expect(await check(`${cert}`, list)).toMatchObject({ code: 1, stderr: '' });
    expect(await check(`${other} a.pub b.pub`, list)).toMatchObject({ code: 0, stderr: '' });
    expect(await done(`ssh revoke b.pub ${cert} --list ${list} --yes`)).toContain('Already revoked: serial');
    const both = await check(`${other} a.pub b.pub`, list);
    expect(both).toMatchObject({ code: 1 });
    expect(both.stdout.split('\n').map((line) => line.split('\t')[1])).toEqual([
      'revoked',
      'not revoked',
      'revoked',
      undefined,
    ]);
    expect(await done(`ssh revoke ${cert} --list ${list}`)).toContain('Already revoked');
    expect(await read(list)).toMatchObject({ version: '2', entries: [{ by: 'serial' }, { by: 'key' }] });
  });

  test('two people who each revoke 20 serials at the same time lose nothing', async () => {
    const list = location(store);
    const person = async (first: number): Promise<void> => {
      for (let serial = first; serial < first + 40; serial += 2)
        await done(`ssh revoke --serial ${serial} --ca any --list ${list} --yes`);
    };
    await Promise.all([person(1), person(2)]);
    expect(await read(list)).toMatchObject({ version: '40', entries: [{ by: 'serial', value: '1-40' }] });
  });

  test('removes entries again, and the version does not go back', async () => {
    const list = location(store);
    const cert = await certificate('c');
    await done(`ssh revoke ${cert} --serial 10-20 --list ${list} --yes`);
    expect(await done(`ssh revoked remove ${cert} --list ${list} --yes`)).toContain('Removed serial');
    expect(await done(`ssh revoked remove ${cert} --list ${list} --yes`)).toContain(
      'Not in the list: serial',
    );
    await done(`ssh revoked remove --serial 12 --list ${list} --yes`);
    const { version, entries } = await read(list);
    expect([version, entries.map(({ value }: { value: string }) => value)]).toEqual([
      '3',
      ['10-11', '13-20'],
    ]);
    await done(`ssh revoked remove --serial 1-100 --list ${list} --yes`);
    expect(await read(list)).toMatchObject({ version: '4', entries: [] });
  });

  test('a dry run shows what it would revoke and writes nothing', async () => {
    const list = location(store);
    const ran = await run(`ssh revoke --serial 7 --list ${list} --dry-run`);
    expect(quietOutputOf(ran)).toContain('Would revoke serial 7 of CA SHA256:');
    expect(await run(`ssh revoked list --list ${list}`)).toMatchObject({ code: 3 });
  });

  test('without a list, reads are not found and name the location', async () => {
    const list = location(store);
    makeKey(at, 'k', 'ed25519');
    for (const line of ['ssh revoked list', 'ssh revoked check k.pub', 'ssh trust --revoked installed'])
      expectFailure(await run(`${line} --list ${list}`), 3, `no revocation list exists at ${list}`);
    expect(at.list()).not.toContain('installed');
  });
});

describe('what is revoked', () => {
  test('a CA with all of its certificates, by its public key', async () => {
    const list = location();
    const cert = await certificate('d');
    at.write('ca.pub', await done('ssh ca public-key'));
    await done(`ssh revoke ca.pub --list ${list} --yes`);
    expect((await check(cert, list)).stdout).toContain('its CA: key SHA256:');
  });

  test('a key with its certificates, by fingerprint', async () => {
    const list = location();
    const cert = await certificate('e');
    const fingerprint = (await done('ssh inspect e.pub --field fingerprint')).trim();
    await done(`ssh revoke --fingerprint ${fingerprint} --list ${list} --yes`);
    for (const file of [cert, 'e.pub']) expect(await check(file, list)).toMatchObject({ code: 1 });
  });

  test('serials and key IDs of the CA of the mount, of a CA by file or fingerprint, or of any', async () => {
    const list = location();
    const cert = await certificate('f');
    const serial = await serialOf(cert);
    const { signingCa } = JSON.parse(await done(`ssh inspect ${cert} -o json`));
    makeKey(at, 'other', 'ed25519');
    await done(`ssh revoke --serial ${serial} --ca other.pub --list ${list} --yes`);
    expect(await check(cert, list)).toMatchObject({ code: 0 });
    for (const flags of [`--ca ${signingCa.fingerprint}`, '--ca any', '']) {
      const each = location();
      await done(`ssh revoke --serial 0x${BigInt(serial).toString(16)} ${flags} --list ${each} --yes`);
      expect(await check(cert, each)).toMatchObject({ code: 1 });
    }
    const byId = location();
    await at.run(['ssh', 'revoke', '--key-id', 'root', '--list', byId, '--yes']);
    expect((await check(cert, byId)).stdout).toContain('key ID "root" of CA SHA256:');
  });

  test('the CA of the mount is read without a token', async () => {
    const env = { LANYARD_SECRETS_TOKEN: '' };
    expect(await run(`ssh revoke --serial 5 --list ${location()} --yes`, { env })).toMatchObject({ code: 0 });
  });

  test.each([
    ['', 'nothing selected'],
    ['--ca any', '--ca requires --serial or --key-id'],
    ['--serial 0', 'sshd ignores the serial 0'],
    ['--serial 5-4', 'in order'],
    ['--serial 3f2a', 'expected a number or a range'],
    ['--serial 18446744073709551616', 'from 1 to 18446744073709551615'],
    ['--fingerprint SHA256:abc', 'invalid fingerprint'],
    [
      '--serial 5 --ca SHA256:ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs',
      'no CA of ssh/ has the fingerprint',
    ],
    ['.ssh/id_ed25519', 'is a private key'],
    ['missing.pub', 'no such file'],
  ])('ssh revoke %s is a usage error, and nothing is written', async (line, message) => {
    const list = location();
    expectFailure(await run(`ssh revoke ${line} --list ${list} --yes`), 2, message);
    expect(at.list()).not.toContain(list);
  });

  test('a certificate with an invalid signature is rejected', async () => {
    const cert = await certificate('g');
    const [type, blob = ''] = at.read(cert).split(' ');
    const bytes = Buffer.from(blob, 'base64');
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
    at.write('forged', `${type} ${bytes.toString('base64')}\n`);
    expectFailure(await run(`ssh revoke forged --list ${location()} --yes`), 2, 'invalid signature');
  });

  test('asks first: "no" changes nothing, and without a terminal --yes is required', async () => {
    const list = location();
    expectFailure(await run(`ssh revoke --serial 5 --list ${list}`), 2, 'cannot prompt for confirmation');
    const ran = await run(`ssh revoke --serial 5 --list ${list}`, { typed: 'n\n', columns: 200 });
    expect(ran).toMatchObject({ code: 1 });
    expect(at.list()).not.toContain(list);
  });
});

describe('where the list is', () => {
  test('--list, then LANYARD_SSH_REVOKED, then the profile', async () => {
    expectFailure(await run('ssh revoked list'), 2, 'no location of the revocation list is set');
    const [one, two] = [location(), location()];
    await done(`ssh revoke --serial 1 --ca any --list ${one} --yes`);
    await done(`ssh revoke --serial 2 --ca any --list file:${two} --yes`);
    const env = { LANYARD_SSH_REVOKED: one };
    expect(quietOutputOf(await run('ssh revoked list', { env }))).toContain(`list\t${one}\n`);
    expect(quietOutputOf(await run(`ssh revoked list --list ${two}`, { env }))).toContain(`list\t${two}\n`);
    expectFailure(await run('ssh revoked list --list consul:x'), 2, 'invalid location "consul:x"');
  });

  test('other fields of the secret are kept, and a deleted secret is not replaced by an empty list', async () => {
    const list = location('secrets');
    const path = list.slice('secrets:'.length);
    await done(`kv put ${path} note=ours`);
    await done(`ssh revoke --serial 1 --ca any --list ${list} --yes`);
    expect(JSON.parse(await done(`kv get ${path} -o json`)).data.data).toMatchObject({ note: 'ours' });
    await run(`kv delete ${path} --yes`);
    expectFailure(await run(`ssh revoke --serial 2 --ca any --list ${list} --yes`), 3, 'was deleted');
  });

  test('a key-value engine of version 1 is rejected: it has no check-and-set', async () => {
    await done('secrets mount enable kv --path one');
    const ran = await run('ssh revoke --serial 1 --ca any --list secrets:one/revoked --yes');
    expectFailure(ran, 2, 'a key-value engine of version 1 without check-and-set');
  });

  test('a list that does not fit into a key of the registry is an error before anything is written', async () => {
    const entries = Array.from({ length: 49_140 }, (_, index) => {
      const serial = BigInt(index) * 1000n + 1n;
      return { by: 'serial' as const, ca: '', from: serial, to: serial };
    });
    at.write('large', writeKrl(withEntries(emptyKrl, entries)).toString('base64'));
    await done('registry kv put ssh/large @large');
    const before = await done('registry kv get ssh/large --field ModifyIndex');
    const serials = Array.from({ length: 20 }, (_, index) => `--serial ${index + 2}000000007`).join(' ');
    const ran = await run(`ssh revoke ${serials} --ca any --list registry:ssh/large --yes`);
    expectFailure(ran, 2, 'the registry accepts at most 524288');
    expect(await done('registry kv get ssh/large --field ModifyIndex')).toBe(before);
  });

  test('a damaged list is an error, and it is left in place', async () => {
    const list = location();
    await done(`ssh revoke --serial 1-9 --ca any --list ${list} --yes`);
    at.write(list, at.bytes(list).subarray(0, -3));
    const damaged = at.bytes(list);
    expectFailure(await run(`ssh revoke --serial 20 --ca any --list ${list} --yes`), 2, 'is damaged');
    expect(at.bytes(list)).toEqual(damaged);
  });

  test.each(['registry', 'secrets'] as const)(
    'a lost response of the %s is settled by reading back',
    async (store) => {
      const list = location(store);
      const path = list.slice(list.indexOf(':') + 1);
      let lost = 0;
      const isWrite = (url: string, method: string): boolean => {
        if (method === 'GET' || !url.includes(path.split('/').at(-1) ?? '')) return false;
        lost += 1;
        return lost === 1;
      };
      const proxy = await pausingProxy(services.addresses[store], async () => true, isWrite);
      const env = { [`LANYARD_${store.toUpperCase()}_ADDR`]: proxy.address };
      expect(await run(`ssh revoke --serial 1 --ca any --list ${list} --yes`, { env })).toMatchObject({
        code: 0,
      });
      expect(lost).toBe(1);
      expect(await read(list)).toMatchObject({ version: '1', entries: [{ value: '1' }] });
    },
  );
});

test('ssh revoked list shows version, date and entries, and cuts no value on a narrow terminal', async () => {
  const list = location();
  const now = new Date('2026-11-27T10:00:00Z');
  await run(`ssh revoke .ssh/id_ed25519.pub --serial 5-9 --ca any --list ${list} --yes`, { now });
  const fingerprint = (await done('ssh inspect .ssh/id_ed25519.pub --field fingerprint')).trim();
  expect((await done(`ssh revoked list --list ${list}`)).split('\n')).toEqual([
    `list\t${list}`,
    'version\t1',
    'generated\t2026-11-27 10:00:00 UTC',
    '5-9\tserial\tany',
    `${fingerprint}\tkey\tssh-ed25519`,
    '',
  ]);
  for (const columns of [60, 80, 120]) {
    const { stdout } = await run(`ssh revoked list --list ${list} --no-color`, { columns });
    expect(stdout).toMatch(/^REVOKED +BY/m);
    expect(stdout).toContain(fingerprint);
  }
  expect((await done(`ssh revoked list --list ${list} -o jsonl`)).trim().split('\n')).toHaveLength(2);
});

test('a list of 100,000 serials is checked with one read', async () => {
  const entries = Array.from({ length: 100_000 }, (_, index) => {
    const serial = BigInt(index) * 3n + 1n;
    return { by: 'serial' as const, ca: '', from: serial, to: serial };
  });
  const list = location();
  at.write(list, writeKrl(withEntries(emptyKrl, entries)));
  expect(await check(await certificate('h'), list)).toMatchObject({ code: 0 });
  await done(`ssh revoke --serial 2-3 --ca any --list ${list} --yes`);
  expect(readKrl(at.bytes(list), list).certificates.get('')?.serials).toHaveLength(99_999);
});
