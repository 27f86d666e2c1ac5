import { beforeEach, describe, expect, test } from 'vitest';
import { embeddedForEach, expectExit, expectFailure } from '../support/command-tests.ts';
import type { RunOptions } from '../support/run.ts';
import { pausingProxy } from './pausing-proxy.ts';

const { at, running, run } = embeddedForEach();
let limited: RunOptions;
const anonymous: RunOptions = { env: { LANYARD_SCHEDULER_TOKEN: '', LANYARD_REGISTRY_TOKEN: '' } };

async function enableAccessControl(): Promise<void> {
  at.env.LANYARD_SCHEDULER_TOKEN = JSON.parse(
    (await run('api scheduler POST acl/bootstrap')).stdout,
  ).SecretID;
  at.env.LANYARD_REGISTRY_TOKEN = JSON.parse((await run('acl bootstrap -o json')).stdout).SecretID;
  await run('var put app/db k=v');
  await run('var put other/db k=v');
  await run('registry kv put app/db v');
  const Rules = 'namespace "default" { variables { path "app/*" { capabilities = ["list", "read"] } } }';
  const policy = JSON.stringify({ Name: 'app', Rules });
  await run('api scheduler POST acl/policy/app --data -', { stdin: policy });
  const token = JSON.stringify({ Name: 'a', Type: 'client', Policies: ['app'] });
  const created = await run('api scheduler POST acl/token --data -', { stdin: token });
  limited = { env: { LANYARD_SCHEDULER_TOKEN: JSON.parse(created.stdout).SecretID } };
}

const noToken = 'shows anonymous callers only what they may read';

describe('with access control on', () => {
  beforeEach(enableAccessControl);

  test.each([
    ['registry kv list', 'list keys'],
    ['registry service list', 'list services'],
  ])('%s without a token says what the registry says, once', async (line, name) => {
    const stderr = `warning: ${name}: some results were omitted: no token was sent\n`;
    expect(await run(line, anonymous)).toMatchObject({ code: 0, stderr });
  });

  test.each([
    ['var list', 'scheduler'],
    ['var list --all', 'scheduler'],
    ['namespace list', 'scheduler'],
    ['query list', 'service registry'],
  ])('%s without a token says that the list may be incomplete', async (line, title) => {
    const ran = await run(line, anonymous);
    expect(ran).toMatchObject({ code: 0, stderr: `no token was sent, and the ${title} ${noToken}\n` });
  });

  test('warns that an empty list may be incomplete if the token is not a management token', async () => {
    expectExit(await run('var list --prefix other/', limited), 0, /^the list may be incomplete: /);
    expect(await run('var list --prefix app/', limited)).toMatchObject({ code: 0, stderr: '' });
    expect(await run('var list --prefix none/')).toMatchObject({ code: 0, stderr: '' });
  });

  test.each(['var export out --force', 'var diff --with out', 'var diff --with-namespace default'])(
    '%s says what a limited token may not list',
    async (line) => {
      at.write('out/app/db.json', '{"k":"v"}');
      expect(await run(line, limited)).toMatchObject({
        code: 0,
        stderr: expect.stringContaining(
          'variables that the token, which is not a management token, may not list are missing\n',
        ),
      });
      expectFailure(await run(line, anonymous), 4, 'error: cannot list variables: no token was sent');
      expect((await run(line)).stderr).toBe('');
    },
  );

  test('status --check without a token fails', async () => {
    const flags = 'status --check';
    const without = await run(flags, anonymous);
    expect(without.stdout).toContain(`scheduler: no token was sent, and the scheduler ${noToken}`);
    expect(without.stdout).toContain(`registry: no token was sent, and the service registry ${noToken}`);
    expect(without.code).toBe(4);
    expect(await run('status', anonymous)).toMatchObject({ code: 0 });
    expect(await run(flags, limited)).toMatchObject({ code: 0 });
  });
});

test('with access control off nothing is said', async () => {
  for (const line of ['var list', 'var export out', 'registry kv list', 'query list'])
    expect(await run(line)).toMatchObject({ code: 0, stderr: '' });
  expect((await run('status --check')).stdout).not.toContain(noToken);
});

test('looks up the caller once, and only for an empty list', async () => {
  await enableAccessControl();
  const proxy = await pausingProxy(running.addresses.scheduler, async () => true);
  await run(`var list --all --address ${proxy.address}`, limited);
  expect(proxy.requests).toHaveLength(1);
  await run(`var list --prefix x --all --address ${proxy.address}`, limited);
  expect(proxy.requests).toHaveLength(3);
  await run(`var export out --address ${proxy.address}`, limited);
  expect(proxy.requests.filter((each) => each.includes('acl/token/self'))).toHaveLength(2);
});
