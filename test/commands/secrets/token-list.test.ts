import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { embeddedForAll, expectFailure } from '../../support/command-tests.ts';

const { run, done } = embeddedForAll();
const create = async (flags: string) => JSON.parse(await done(`secrets token create ${flags} -o json`));

/** Creation times are in seconds: the next token is created in a later one than the token of the test. */
async function nextSecond(): Promise<void> {
  const created = Number(await done('secrets token self --field creation_time'));
  while (Date.now() < (created + 1) * 1000) await delay(50);
}

test('lists tokens with display name, policies and expiry, the oldest first, without the tokens', async () => {
  await nextSecond();
  const { accessor, client_token: token } = await create('--policy default --ttl 1h --display-name ci');
  const listed = await done('secrets token list');
  expect(listed).toMatch(/^\S+\troot\troot\t2\d{3}-.* UTC\tnever\n/);
  expect(listed).toContain(`${accessor}\ttoken-ci\tdefault\t`);
  const rows = JSON.parse(await done('secrets token list -o json'));
  expect(rows.at(-1)).toMatchObject({ accessor, policies: ['default'], creation_ttl: 3600 });
  expect(JSON.stringify(rows) + listed).not.toContain(token);
});

test('requires sudo for the list of accessors', async () => {
  const { client_token: token } = await create('--policy default');
  const ran = await run('secrets token list', { env: { LANYARD_SECRETS_TOKEN: token } });
  expectFailure(ran, 5, 'capabilities list and sudo for auth/token/accessors/');
});

test('shows accessors that cannot be looked up, and sends no further lookups', async () => {
  await run('secrets policy put accessors -', {
    stdin:
      'path "auth/token/accessors/" { capabilities = ["list", "sudo"] }\npath "auth/token/accessors" { capabilities = ["list", "sudo"] }',
  });
  const { client_token: token } = await create('--policy accessors');
  const ran = await run('secrets token list', { env: { LANYARD_SECRETS_TOKEN: token } });
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr).toMatch(/permission denied to look up \d+ tokens?: only accessors are shown/);
});
