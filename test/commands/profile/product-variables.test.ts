import { beforeEach, expect, test } from 'vitest';
import { embeddedForAll, expectExit, expectFailure, words } from '../../support/command-tests.ts';
import { unknownHost } from '../../support/ports.ts';

const { at, running } = embeddedForAll({ accounts: { password: 'a long password' } });

beforeEach(() => at.clear('config'));

/** Only variables of the products; empty ones count as unset. */
const products = () => ({
  ...Object.fromEntries(
    Object.keys(at.env).flatMap((name) => (/^LANYARD_.*_(ADDR|TOKEN)$/.test(name) ? [[name, '']] : [])),
  ),
  VAULT_ADDR: running.addresses.secrets,
  CONSUL_HTTP_ADDR: running.addresses.registry,
  BOUNDARY_ADDR: running.addresses.accounts,
});

test.each([
  ['consul', ['registry']],
  ['vault', ['secrets']],
  ['prod', ['secrets', 'registry', 'accounts']],
])('profile import %s imports %j', async (name, expected) => {
  expectExit(await at.run(words(`profile import ${name} -o json`), { env: products() }), 0);
  const { profiles } = JSON.parse(at.read('config/config.json'));
  expect(Object.keys(profiles[name])).toEqual(expected);
});

test('profile import of a product without an address is an error', async () => {
  const ran = await at.run(words('profile import nomad'), { env: products() });
  expectFailure(ran, 2, 'no address of the scheduler service');
});

test.each([
  [
    'account login --auth-method ampw_1234567890 --login-name admin --password env://PASSWORD',
    'accounts',
    { login: { method: 'ampw_1234567890', username: 'admin', source: 'env://PASSWORD' } },
  ],
  ['acl bootstrap --store', 'registry', {}],
])('%s creates profile default for the address of the product', async (line, service, remembered) => {
  const ran = await at.run(words(line), { env: { ...products(), PASSWORD: 'a long password' } });
  expectExit(ran, 0, 'Created profile "default" for ');
  const { active, profiles } = JSON.parse(at.read('config/config.json'));
  expect(active).toBe('default');
  expect(profiles.default).toEqual({
    [service]: { address: running.addresses[service as 'registry'], token: 'stored', ...remembered },
  });
});

test('plain http to another machine needs consent, by a variable that the hint names', async () => {
  const line = words('query create q --service web --dry-run');
  const env = { ...products(), CONSUL_HTTP_ADDR: `http://${unknownHost}` };
  const rejected = await at.run(words('registry kv put a b'), { env });
  expect(rejected).toMatchObject({ code: 2, stdout: '' });
  const consent = 'LANYARD_REGISTRY_ALLOW_PLAIN_HTTP';
  expect(rejected.stderr).toContain(
    `hint: Use https. To allow it, run \`export ${consent}=true\`, or \`lanyard profile put `,
  );
  for (const [value, code] of [
    ['true', 0],
    ['false', 2],
    ['maybe', 2],
  ] as const)
    expect((await at.run(line, { env: { ...env, [consent]: value } })).code, value).toBe(code);
  // That of another service does not count.
  expect((await at.run(line, { env: { ...env, LANYARD_SECRETS_ALLOW_PLAIN_HTTP: 'true' } })).code).toBe(2);
});
