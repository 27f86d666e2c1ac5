import { chmodSync, mkdirSync, statSync, utimesSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { expectExit } from '../../support/command-tests.ts';
import { serve } from '../../unit/api/support.ts';
import { signing } from '../signing.ts';

const { at, run, done } = signing();
const certificate = '.ssh/id_ed25519-cert.pub';
const retry = `${certificate}.retry`;
const silence = { code: 0, stdout: '', stderr: '' };
const start = Date.now();
/** The certificate is valid for 30 minutes, and due after 20 at the latest. */
const later = (minutes: number): Date => new Date(start + minutes * 60_000);
/** The least delays, and no pauses between attempts of one call. */
const random = (length: number) => new Uint8Array(length);
/** The line that ssh runs (the fast path), and the command itself. */
const fast = `ssh sign deploy --if-needed --quiet --key ${at.file('.ssh/id_ed25519.pub')}`;
const slow = 'ssh sign deploy --if-needed';

/** A service that is unavailable, and counts requests. */
const unavailable = () =>
  serve((_seen, response) =>
    response.writeHead(503, { 'Content-Type': 'application/json' }).end('{"errors":["sealed"]}'),
  );

describe.each([fast, slow])('%s, after a failed renewal', (line) => {
  test('sends nothing until the next attempt, and warns once', async () => {
    await done(slow, { now: later(0) });
    const service = await unavailable();
    const away = { random, env: { LANYARD_SECRETS_ADDR: service.url } };
    const first = await run(line, { ...away, now: later(21) });
    expect(first).toMatchObject({ code: 0, stdout: '' });
    expect(first.stderr).toMatch(
      /^warning: cannot renew the certificate, which is valid until .* UTC: .*; next attempt after \S+ \S+ UTC$/m,
    );
    const sent = service.seen.length;
    expect(sent).toBeGreaterThan(0);
    // 9 minutes remain: the delay is the least, half of a 16th of the validity period, 58 seconds.
    for (const seconds of [1, 20, 56]) {
      const ran = await run(line, { ...away, now: later(21 + seconds / 60) });
      expect(ran).toMatchObject({ code: 0, stdout: '' });
      expect(ran.stderr).not.toContain('warning');
    }
    expect(service.seen).toHaveLength(sent);
    expect((await run(line, { ...away, now: later(22) })).stderr).toMatch(/^warning: cannot renew/m);
    expect(service.seen.length).toBeGreaterThan(sent);
    expect(JSON.parse(at.read(retry))).toMatchObject({ version: 1, failures: 2 });
  });

  test('renews after it, and removes what was stored', async () => {
    await done(slow, { now: later(0) });
    const before = at.read(certificate);
    await run(`${line} --address http://127.0.0.1:1`, { random, now: later(21) });
    expect(statSync(at.file(retry)).mode & 0o777).toBe(0o600);
    expect(await run(line, { now: later(23) })).toMatchObject({ code: 0, stderr: '' });
    expect(at.read(certificate)).not.toBe(before);
    expect(at.list('.ssh')).not.toContain(retry);
  });

  test.each([
    ['empty', ''],
    ['cut short', '{'],
    ['binary', '\0\u0001'],
    ['incomplete', '{"version":1}'],
    ['too long', 'x'.repeat(5000)],
  ])('renews when the file is damaged: %s', async (_what, content) => {
    await done(slow, { now: later(0) });
    await run(`${line} --address http://127.0.0.1:1`, { random, now: later(21) });
    at.write(retry, content);
    const before = at.read(certificate);
    expect(await run(line, { now: later(21) })).toMatchObject({ code: 0, stderr: '' });
    expect(at.read(certificate)).not.toBe(before);
  });

  test('renews when the clock was set back, and when the file is about another certificate', async () => {
    await done(slow, { now: later(0) });
    await run(`${line} --address http://127.0.0.1:1`, { random, now: later(22) });
    const stored = at.read(retry);
    const before = at.read(certificate);
    await run(line, { now: later(21) });
    const renewed = at.read(certificate);
    expect(renewed).not.toBe(before);
    at.write(retry, stored);
    await run(line, { now: later(22 + 1 / 60) });
    // It is due as well, because the service has the real time.
    expect(at.read(certificate)).not.toBe(renewed);
  });

  test('always tries in the last tenth of the validity period', async () => {
    await done(slow, { now: later(0) });
    const service = await unavailable();
    const away = { random, env: { LANYARD_SECRETS_ADDR: service.url } };
    for (const seconds of [0, 1, 2]) {
      const sent = service.seen.length;
      expect((await run(line, { ...away, now: later(28 + seconds / 60) })).stderr).toMatch(
        /^warning: cannot renew the certificate, which is valid until .* UTC: .*; the next call tries again$/m,
      );
      expect(service.seen.length).toBeGreaterThan(sent);
    }
  });
});

test('prints a note, except with --quiet; without --if-needed the command signs', async () => {
  await done(slow, { now: later(0) });
  await run(`${slow} --address http://127.0.0.1:1`, { random, now: later(21) });
  expect((await run(slow, { now: later(21) })).stderr).toMatch(
    /^Kept the certificate, which is due for renewal: the service was unavailable\. Next attempt after .* UTC; without --if-needed it is renewed now\.$/m,
  );
  const shown = JSON.parse((await run(`${slow} -o json --quiet`, { now: later(21) })).stdout);
  expect(shown.status).toBe('fresh');
  expect(await run(`${slow} --quiet`, { now: later(21) })).toEqual(silence);
  const before = at.read(certificate);
  expect(await done('ssh sign deploy', { now: later(21) })).toContain('Wrote ');
  expect(at.read(certificate)).not.toBe(before);
  expect(at.list('.ssh')).not.toContain(retry);
});

test('other principals are requested immediately', async () => {
  await done(slow, { now: later(0) });
  await run(`${slow} --address http://127.0.0.1:1`, { random, now: later(21) });
  expect(await done(`${slow} --principals admin`, { now: later(21) })).toContain('Wrote ');
});

test('a dry run shows the request, and stores nothing', async () => {
  await done(slow, { now: later(0) });
  const shown = await run(`${slow} --dry-run --address http://127.0.0.1:1`, { now: later(21) });
  expect(shown.stdout).toContain('/v1/ssh/sign/deploy');
  expect(at.list('.ssh')).not.toContain(retry);
  await run(`${slow} --address http://127.0.0.1:1`, { random, now: later(21) });
  const stored = at.read(retry);
  expect((await run(`${slow} --dry-run`, { now: later(21) })).stdout).toContain('/v1/ssh/sign/deploy');
  expect(at.read(retry)).toBe(stored);
});

test('a batch keeps to it for each key', async () => {
  const batch = 'ssh sign deploy --batch .ssh --if-needed -o json';
  expect(await run(batch, { now: later(0) })).toMatchObject({ code: 0 });
  const service = await unavailable();
  const away = { random, env: { LANYARD_SECRETS_ADDR: service.url } };
  expect(await run(batch, { ...away, now: later(21) })).toMatchObject({ code: 0 });
  const sent = service.seen.length;
  expect((await run(batch, { ...away, now: later(21) })).stderr).not.toContain('warning');
  expect(service.seen).toHaveLength(sent);
});

test('ssh proxy keeps to it without a word', async () => {
  await done(slow, { now: later(0) });
  await run(`${slow} --address http://127.0.0.1:1`, { random, now: later(21) });
  const stored = at.read(retry);
  const ran = await run('ssh proxy 127.0.0.1 1 --role deploy', { now: later(21) });
  expect(ran.stderr).not.toContain('renew');
  expect(at.read(retry)).toBe(stored);
});

describe('what cannot be stored', () => {
  test('a directory in its place: the certificate stays in use, and each login tries', async () => {
    await done(slow, { now: later(0) });
    mkdirSync(at.file(retry));
    for (const line of [fast, slow]) {
      const ran = await run(`${line} --address http://127.0.0.1:1`, { random, now: later(21) });
      expect(ran).toMatchObject({ code: 0, stdout: '' });
      expect(ran.stderr).toMatch(/^warning: cannot renew the certificate.*; the next call tries again$/m);
    }
    // A new certificate is written anyway.
    expect(await done(slow, { now: later(21) })).toContain('Wrote ');
    at.clear(retry);
  });

  test.skipIf(process.getuid?.() === 0)('a folder without write permission', async () => {
    await done(slow, { now: later(0) });
    chmodSync(at.file('.ssh'), 0o500);
    try {
      const ran = await run(`${fast} --address http://127.0.0.1:1`, { random, now: later(21) });
      expectExit(ran, 0, '; the next call tries again\n');
    } finally {
      chmodSync(at.file('.ssh'), 0o700);
    }
  });
});

test('the time of the file does not matter', async () => {
  await done(slow, { now: later(0) });
  await run(`${slow} --address http://127.0.0.1:1`, { random, now: later(21) });
  utimesSync(at.file(retry), 0, 0);
  expect(await run(`${slow} --quiet`, { now: later(21) })).toEqual(silence);
});
