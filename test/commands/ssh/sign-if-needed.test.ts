import { hostname } from 'node:os';
import { describe, expect, test } from 'vitest';
import { expectExit } from '../../support/command-tests.ts';
import { keyPair } from '../../support/keys.ts';
import { serve } from '../../unit/api/support.ts';
import { signing } from '../signing.ts';

const { at, run, done } = signing();
const certificate = '.ssh/id_ed25519-cert.pub';
const silence = { code: 0, stdout: '', stderr: '' };
/** Nothing listens there. */
const away = '--address http://127.0.0.1:1';
const later = (minutes: number): Date => new Date(Date.now() + minutes * 60_000);
/** Both ways of the same line: the short cut that ssh takes, and the command itself. */
const lines = [
  `ssh sign deploy --if-needed --key ${at.file('.ssh/id_ed25519.pub')}`,
  'ssh sign deploy --if-needed',
];

describe.each(lines)('%s', (line) => {
  test('signs where there is not a certificate, and then nothing is sent', async () => {
    const service = await serve((_seen, response) => response.end());
    expect(await done(line)).toContain('Wrote ');
    const first = at.read(certificate);
    for (const minutes of [0, 7]) {
      const ran = await run(line, { now: later(minutes), env: { LANYARD_SECRETS_ADDR: service.url } });
      expect(ran).toEqual(silence);
    }
    expect(service.seen).toEqual([]);
    expect(at.read(certificate)).toBe(first);
  });

  test('renews a certificate with less than a third of its life left', async () => {
    await done(line);
    const first = at.read(certificate);
    expect(await done(line, { now: later(21) })).toContain('Wrote ');
    expect(at.read(certificate)).not.toBe(first);
  });

  test('signs again for another key, other principals, and a file that is not a certificate', async () => {
    await done(line);
    const asked = `${line} --principals ubuntu,admin`;
    expect(await done(asked)).toContain('Wrote ');
    expect(await run(asked)).toEqual(silence);
    at.write('.ssh/id_ed25519.pub', keyPair('ed25519').publicLine);
    expect(await done(line)).toContain('Wrote ');
    at.write(certificate, 'ssh-ed25519-cert-v01@openssh.com torn');
    expect(await done(line)).toContain('Wrote ');
  });

  test('keeps using a valid certificate when the service is unreachable', async () => {
    await done(line);
    const ran = await run(`${line} ${away}`, { now: later(25) });
    expect(ran).toMatchObject({ code: 0, stdout: '' });
    expect(ran.stderr).toMatch(/^warning: cannot renew the certificate, which is valid until .* UTC: /m);
    expect(await run(`${line} ${away}`, { now: later(31) })).toMatchObject({ code: 7, stdout: '' });
  });
});

test('--if-needed describes the certificate in the data', async () => {
  await done('ssh sign deploy --if-needed');
  const { status, certificate: seen } = JSON.parse(await done('ssh sign deploy --if-needed -o json'));
  expect(status).toBe('fresh');
  expect(seen.principals).toEqual(['ubuntu']);
});

test('--if-needed has certificate and serial number at the same place, new or not', async () => {
  const line = 'ssh sign deploy --if-needed -o json';
  const [signed, fresh] = [JSON.parse(await done(line)), JSON.parse(await done(line))];
  expect([signed.status, fresh.status]).toEqual(['signed', 'fresh']);
  expect(fresh.data).toEqual({ serial_number: signed.data.serial_number, signed_key: at.read(certificate) });
  expect(fresh.data.signed_key).toBe(signed.data.signed_key);
  expect(await done('ssh sign deploy --if-needed --field signed_key')).toBe(at.read(certificate));
});

test.each([
  '--principals ubuntu',
  '--ttl 5m',
  '--extension permit-pty --extension permit-user-rc',
  '--extension permit-user-rc',
  '--critical-option force-command=date',
  '--key-id mine',
])('--if-needed signs again for %s, once', async (flags) => {
  await done(
    'ssh role put deploy --allow-user-certificates --allowed-users ubuntu,admin --default-user ubuntu --default-extension permit-pty --allowed-extensions * --allow-user-key-ids --ttl 30m',
  );
  await done('ssh sign deploy --principals ubuntu,admin --ttl 20m');
  for (const line of lines) {
    await done('ssh sign deploy --principals ubuntu,admin');
    expect(await done(`${line} ${flags}`)).toContain('Wrote ');
    expect(await run(`${line} ${flags}`)).toEqual(silence);
  }
  await done('ssh sign deploy --critical-option force-command=ls');
  expect(await done('ssh sign deploy --if-needed --critical-option force-command=date')).toContain('Wrote ');
});

test('--if-needed is rejected without a file', async () => {
  expect(await run('ssh sign deploy --if-needed --out -')).toMatchObject({ code: 2, stdout: '' });
});

test('--if-needed does not hide an invalid command line', async () => {
  await done('ssh sign deploy --if-needed');
  expect(await run(`${lines[0]} --nonsense`)).toMatchObject({ code: 2 });
  expect(await run(`${lines[0]} --cert-type neither`)).toMatchObject({ code: 2 });
});

test('a host certificate without principals is for the names of this machine, and reports them', async () => {
  await done('ssh role put hosts --allow-host-certificates --allowed-domains * --ttl 1h');
  const ran = await run('ssh sign hosts --cert-type host');
  expectExit(ran, 0, `Using the host names of this machine: ${hostname().toLowerCase()}`);
  const { kind, principals } = JSON.parse(await done(`ssh inspect ${certificate} -o json`));
  expect(kind).toBe('host');
  expect(principals).toContain(hostname().toLowerCase());
  expect(await run('ssh sign hosts --cert-type host --if-needed')).toMatchObject({ code: 0, stdout: '' });
});

test('--for-login exits with 1 under ssh connect, and otherwise as --if-needed does', async () => {
  const line = 'ssh sign deploy --if-needed --for-login --key .ssh/id_ed25519.pub';
  await done(line);
  const before = at.read(certificate);
  expect(await run(line, { env: { LANYARD_SSH_CONNECT: '1' } })).toEqual({ code: 1, stdout: '', stderr: '' });
  expect(await run(line)).toMatchObject({ code: 0, stderr: '' });
  expect(at.read(certificate)).toBe(before);
  expect((await run('ssh sign deploy --for-login')).stderr).toContain('--for-login requires --if-needed');
});
