import { mkdirSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { serviceNames } from '../../../src/wire/services.ts';
import { embeddedTargets } from '../../conformance/embedded.ts';
import { type Run, runScenario } from '../../conformance/run.ts';
import { scenario } from '../../conformance/scenario.ts';
import { embeddedForAll, expectFailure, outputOf } from '../../support/command-tests.ts';
import { tokenProxy } from '../../support/token-proxy.ts';

// Agents and proxies with auto-auth add a token to the requests: Lanyard itself has none.

const { at, running } = embeddedForAll();

beforeAll(() => {
  for (const service of serviceNames) {
    delete at.env[`LANYARD_${service.toUpperCase()}_ADDR`];
    delete at.env[`LANYARD_${service.toUpperCase()}_TOKEN`];
  }
});

const run = (line: string, env: Readonly<Record<string, string>>, stdin?: string) =>
  at.run(line.split(' '), { env, ...(stdin === undefined ? {} : { stdin }) });

test('every command of the secrets service works through a proxy that adds the token', async () => {
  // Steps that expect no token to be there fail as they should only without the proxy.
  const steps = scenario.filter(
    ({ service, as, code }) => service === 'secrets' && as !== 'anonymous' && !(as === 'login' && code === 4),
  );
  const runAt = async (secretsOf: (address: string, token: string) => Promise<Parameters<typeof target>>) => {
    const running = await embeddedTargets();
    const { address, token = '' } = running.targets.secrets;
    try {
      const secrets = target(...(await secretsOf(address, token)));
      return await runScenario(steps, { targets: { secrets }, write: true, noPauses: true });
    } finally {
      await running.close();
    }
  };
  let added: readonly string[] = [];
  const direct = await runAt(async (address, token) => [address, token]);
  const proxied = await runAt(async (address, token) => {
    const proxy = await tokenProxy(address, 'x-vault-token', token);
    added = proxy.added;
    return [proxy.address];
  });

  expect(codes(proxied)).toEqual(codes(direct));
  expect(new Set(codes(proxied).map(([, command]) => command)).size).toBeGreaterThan(60);
  expect(added.length).toBeGreaterThan(200);
});

const target = (address: string, token?: string) => ({
  address,
  product: 'lanyard',
  ...(token === undefined ? {} : { token }),
});

/** The steps that ran, with their command and exit code. */
const codes = ({ outcomes }: Run) =>
  outcomes.map(({ step, code }) => [step.name, step.command, code] as const);

describe('through a proxy that adds the token', () => {
  const proxied = async () => {
    const { address, added } = await tokenProxy(
      running.addresses.secrets,
      'x-vault-token',
      running.rootToken,
    );
    return { env: { LANYARD_SECRETS_ADDR: address }, added };
  };

  test('run --kv passes the values', async () => {
    const { env } = await proxied();
    expect(await run('kv put secret/agent user=ada', env)).toMatchObject({ code: 0 });
    const line = ['run', '--kv', 'secret/agent', '--', 'sh', '-c', 'test "$user" = ada'];
    expect(await at.run(line, { env })).toMatchObject({ code: 0 });
  });

  test('names are completed', async () => {
    const { env } = await proxied();
    await run('kv put secret/completed user=ada', env);
    const argv = ['__complete', 'zsh', '=secret/comp', '--', 'kv', 'get'];
    expect(outputOf(await at.run(argv, { env }))).toContain('secret/completed');
  });

  test('the service counts as ready, with a token that it does not show', async () => {
    const { env } = await proxied();
    expect(await run('status --check', env)).toMatchObject({ code: 0 });
  });

  test('export, plan and apply work', async () => {
    const { env } = await proxied();
    await run('secrets policy put agent -', env, 'path "secret/*" { capabilities = ["read"] }');
    expect(await run('export agent-set --no-targets', env)).toMatchObject({ code: 0 });
    mkdirSync(at.file('agent-set/.lanyard'), { recursive: true });
    expect(await run('plan agent-set', env)).toMatchObject({ code: 0 });
    expect(await run('apply agent-set --yes --adopt', env)).toMatchObject({ code: 0 });
    expect(await run('plan agent-set', env)).toMatchObject({ code: 0 });
  });

  test('VAULT_AGENT_ADDR and BAO_AGENT_ADDR name it, before the address of the service', async () => {
    const { env, added } = await proxied();
    const agent = env.LANYARD_SECRETS_ADDR;
    const nowhere = { VAULT_ADDR: 'http://127.0.0.1:1', BAO_ADDR: 'http://127.0.0.1:1' };
    for (const [name, others] of [
      ['VAULT_AGENT_ADDR', {}],
      ['VAULT_AGENT_ADDR', nowhere],
      ['BAO_AGENT_ADDR', { ...nowhere, VAULT_AGENT_ADDR: 'http://127.0.0.1:1' }],
    ] as const) {
      const before = added.length;
      expect(await run('secrets policy list', { ...others, [name]: agent })).toMatchObject({
        code: 0,
        stderr: '',
      });
      expect(added.length).toBe(before + 1);
    }
  });
});

describe('without a token', () => {
  const { running: other } = embeddedForAll();

  test.each([
    ['secrets', 'kv get secret/app', 'cannot find the mount: permission denied: no token was sent (403)'],
    ['secrets', 'secrets policy list', 'cannot list policies: permission denied: no token was sent (403)'],
    ['secrets', 'secrets write secret/data/app --in -', 'cannot write: permission denied: no token was sent'],
    ['box', 'box create dev/one', 'no token was sent (401)'],
  ] as const)('the %s service decides: %s', async (service, line, text) => {
    const env = { [`LANYARD_${service.toUpperCase()}_ADDR`]: other.addresses[service] };
    const ran = await run(line, env, '{}');
    expectFailure(ran, 4, text, /^hint: .*\blanyard (secrets login|box token create)\b/m);
  });
});
