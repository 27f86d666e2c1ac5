import { afterEach, describe, expect, test } from 'vitest';
import { embeddedForAll, expectExit } from '../support/command-tests.ts';
import { freePort } from '../support/ports.ts';

const { at, running } = embeddedForAll();
afterEach(() => {
  for (const service of ['secrets', 'registry', 'scheduler'] as const)
    running.embedded.conditions.resume(service);
});
/** Without pauses between the attempts. */
const run = (line: string, env: Readonly<Record<string, string>> = {}) =>
  at.run(line.split(' '), { env, random: (length) => new Uint8Array(length) });

const cases = [
  ['secrets', 500, 'kv put secret/election a=1', 'kv get secret/election --field a', '1\n'],
  ['secrets', 503, 'kv put secret/election a=2', 'kv get secret/election --field a', '2\n'],
  ['registry', 500, 'registry kv put election 1', 'registry kv get election', '1'],
  ['scheduler', 500, 'var put election a=1', 'var get election --field a', '1\n'],
] as const;

describe.each(cases)('%s without a leader (%i)', (service, status, write, read, value) => {
  test('writes once it has one, exactly once', async () => {
    const { conditions } = running.embedded;
    conditions.interrupt(service, { status, requests: 12 });
    expectExit(await run(write), 0, 'retrying for some seconds');
    conditions.interrupt(service, { status, requests: 12 });
    expect(await run(read)).toMatchObject({ code: 0, stdout: value });
  });

  test('ends after some seconds', async () => {
    running.embedded.conditions.interrupt(service, { status });
    const { code } = await run(write);
    expect([1, 8]).toContain(code);
  });
});

test.each([
  ['registry', 'registry kv put restored 1'],
  ['scheduler', 'var put restored a=1'],
] as const)('%s that denies access for some requests after an election', async (service, write) => {
  const { conditions } = running.embedded;
  conditions.interrupt(service, { status: 403, requests: 8 });
  expect(await run(write), 'without an election').toMatchObject({ code: 4 });
  conditions.interrupt(service, { status: 500 });
  const deny = (): void => conditions.interrupt(service, { status: 403, requests: 8 });
  const random = (length: number) => new Uint8Array(length);
  expect(await at.run(write.split(' '), { random, onStderr: deny })).toMatchObject({ code: 0 });
});

test('a list of addresses where nothing listens is tried for some seconds', async () => {
  const ports = [await freePort(), await freePort()];
  const ran = await run('registry kv put back 1', {
    LANYARD_REGISTRY_ADDR: ports.map((port) => `http://127.0.0.1:${port}`).join(','),
  });
  expect(ran).toMatchObject({ code: 7, stderr: expect.stringContaining('retrying for some seconds') });
});

test('one address where nothing listens is not tried for seconds', async () => {
  const ran = await run('registry kv put back 1', {
    LANYARD_REGISTRY_ADDR: `http://127.0.0.1:${await freePort()}`,
  });
  expect(ran).toMatchObject({ code: 7, stderr: expect.not.stringContaining('for some seconds') });
});
