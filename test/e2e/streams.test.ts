import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeKey } from '../commands/signing.ts';
import { expectExit, expectFailure, homeForAll, servicesForAll, words } from '../support/command-tests.ts';
import { lanyard, lanyardProcess, shell, start } from '../support/process.ts';
import { serveSocket } from '../unit/api/support.ts';

const at = homeForAll();
servicesForAll(at);
beforeAll(async () => {
  await at.run(words('ssh ca create --key-type ed25519'));
  await at.run(words('ssh role put deploy --allow-user-certificates --allowed-users u --default-user u'));
  makeKey(at, '.ssh/id_ed25519', 'ed25519');
});

describe('a reader that goes away', () => {
  test('ends the command quietly, with code 0', async () => {
    for (const argv of [
      'ssh role get deploy -o json',
      'status',
      '--help',
      'api secrets GET sys/health -o json',
    ]) {
      const ended = await shell(at, `set -o pipefail; ${lanyard} ${argv} | head -1`, {}, 'bash');
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      expect(ended.stdout.split('\n')).toHaveLength(2);
    }
  });

  test('before the first byte, too', async () => {
    const ended = await shell(
      at,
      `set -o pipefail; ${lanyard} ssh role get deploy -o json | true`,
      {},
      'bash',
    );
    expect(ended).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  test('does not stop what a command does: the certificate is written', async () => {
    at.clear('.ssh/id_ed25519-cert.pub');
    await shell(at, `${lanyard} ssh sign deploy | true`, {}, 'bash');
    expect(existsSync(at.file('.ssh/id_ed25519-cert.pub'))).toBe(true);
  });

  test('of stderr does not change the result', async () => {
    const ended = await shell(at, `${lanyard} ssh role list --verbose 2>&-`);
    expect(ended).toMatchObject({ code: 0, stdout: 'deploy\tca\n' });
  });
});

describe.skipIf(!existsSync('/dev/full'))('a full device', () => {
  test('is a failure with a message', async () => {
    for (const argv of [
      'ssh role get deploy -o json',
      'status',
      '--help',
      '--version',
      'ssh sign deploy --out -',
    ]) {
      const ended = await shell(at, `${lanyard} ${argv} > /dev/full`);
      expectFailure(ended, 1, 'cannot write to standard output: no space left on device');
    }
  });

  test('for stderr leaves the exit code, which is all that can be told', async () => {
    expect((await shell(at, `${lanyard} ssh role get missing 2> /dev/full`)).code).toBe(3);
  });

  test('for both, too', async () => {
    expect((await shell(at, `${lanyard} ssh role list > /dev/full 2>&1`)).code).toBe(1);
  });
});

test('a large response passes a slow pipe completely', async () => {
  const big = JSON.stringify({ data: 'x'.repeat(3_000_000) });
  const server = await serveSocket((socket) =>
    socket.end(
      `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${big.length}\r\n\r\n${big}`,
    ),
  );
  const ended = await shell(
    at,
    `${lanyard} api secrets GET x --address ${server.url} --field data | (sleep 0.3; wc -c)`,
  );
  expect(ended.stdout.trim()).toBe('3000001');
});

describe('an interrupt', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)(
    '(%s) during a call without a response ends with %i, with nothing written',
    async (signal, code) => {
      at.clear('.ssh/id_ed25519-cert.pub');
      const before = at.list();
      const server = await serveSocket(() => {});
      const begun = start(at, words(`ssh sign deploy --timeout 1h --address ${server.url}`));
      while (server.seen.length === 0) await sleep(5);
      begun.child.kill(signal);
      const ended = await begun.ended;
      expect(ended).toMatchObject({ code, signal: null, stdout: '' });
      expect(ended.stderr).toMatch(/^error: sign SSH key: interrupted\n/);
      expect(at.list()).toEqual(before);
    },
  );

  test('during a write says that its outcome is not known', async () => {
    const server = await serveSocket((socket, request) => {
      // The role is read first; it does not exist.
      if (request.startsWith('GET')) socket.end('HTTP/1.1 404 x\r\nContent-Length: 0\r\n\r\n');
    });
    const begun = start(at, words(`ssh role put r --allow-user-certificates --address ${server.url}`));
    while (!server.seen.some(({ method }) => method === 'POST')) await sleep(5);
    begun.child.kill('SIGINT');
    const ended = await begun.ended;
    expectExit(ended, 130, 'The request was sent; whether "write SSH role" took effect is not known.');
  });

  test('between two attempts ends the waiting', async () => {
    const server = await serveSocket((socket) =>
      socket.end('HTTP/1.1 503 x\r\nRetry-After: 15\r\nContent-Length: 0\r\n\r\n'),
    );
    const begun = start(at, words(`ssh sign deploy --address ${server.url}`));
    while (!begun.stderr().includes('retrying')) await sleep(5);
    begun.child.kill('SIGINT');
    // Long before the 15 s are over that the service asks for.
    const waited = sleep(10_000, undefined, { ref: false });
    expect(await Promise.race([begun.ended, waited])).toMatchObject({ code: 130 });
    expect(server.seen).toHaveLength(1);
  });

  test('is one JSON object with -o json', async () => {
    const server = await serveSocket(() => {});
    const begun = start(at, words(`ssh sign deploy -o json --address ${server.url}`));
    while (server.seen.length === 0) await sleep(5);
    begun.child.kill('SIGINT');
    const { stderr, stdout } = await begun.ended;
    expect(stdout).toBe('');
    expect(JSON.parse(stderr).error).toMatchObject({ code: 130, kind: 'interrupted' });
  });
});

test('a child that never reads does not delay the end of the program', async () => {
  // The service keeps a connection for a minute.
  const kept = sleep(60_000, undefined, { ref: false });
  expect(await Promise.race([lanyardProcess(at, words('ssh role list')), kept])).toMatchObject({ code: 0 });
});
