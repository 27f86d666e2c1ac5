import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { accountsOperations } from '../../src/api/accounts.ts';
import { boxOperations } from '../../src/api/box.ts';
import { registryOperations } from '../../src/api/registry.ts';
import { schedulerOperations } from '../../src/api/scheduler.ts';
import { secretsOperations } from '../../src/api/secrets.ts';
import {
  accounts,
  type ClientOptions,
  type EmbeddedServices,
  formatJson,
  LanyardError,
  type LogMessage,
  registry,
  scheduler,
  secrets,
  startServices,
} from '../../src/library/index.ts';
import { methodName } from '../../src/library/method-names.ts';
import { folderForTest } from '../support/folders.ts';
import { serve } from '../unit/api/support.ts';

const tables = {
  secrets: secretsOperations,
  registry: registryOperations,
  box: boxOperations,
  scheduler: schedulerOperations,
  accounts: accountsOperations,
};

let services: EmbeddedServices;
beforeAll(async () => {
  services = await startServices();
});
afterAll(() => services.stop());

/** The error of a call that fails. */
const failureOf = (call: Promise<unknown>): Promise<LanyardError> =>
  call.then(
    () => expect.unreachable('the call succeeded'),
    (error: unknown) => {
      expect(error).toBeInstanceOf(LanyardError);
      return error as LanyardError;
    },
  );

/** A configuration directory with a profile. */
async function configuration(profile: object): Promise<string> {
  const directory = folderForTest();
  const text = JSON.stringify({ active: 'team', profiles: { team: profile } });
  await writeFile(join(directory, 'config.json'), text, { mode: 0o600 });
  return directory;
}

const only = (options: ClientOptions): ClientOptions => ({ env: {}, profile: false, ...options });

describe('operations', () => {
  test('of the secrets service: key-value secrets and SSH certificates', async () => {
    const client = services.secrets.client();
    await client.putKv({ mount: 'secret', path: 'app/db', data: { user: 'app' }, options: {} });
    const { body, status, headers } = await client.getKv({ mount: 'secret', path: 'app/db' });
    expect([status, headers['content-type'], body.data.data]).toEqual([
      200,
      'application/json',
      { user: 'app' },
    ]);
    await client.createCa({ mount: 'ssh', generate_signing_key: true, key_type: 'ed25519' });
    await client.putRole({
      mount: 'ssh',
      role: 'team',
      key_type: 'ca',
      allow_user_certificates: true,
      allowed_users: '*',
    });
    const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl';
    const signed = await client.signKey({
      mount: 'ssh',
      role: 'team',
      public_key: key,
      valid_principals: 'app',
    });
    expect(signed.body.data.signed_key).toMatch(/^ssh-ed25519-cert-v01@openssh\.com /);
  });

  test('of the registry, with exact integers', async () => {
    const client = services.registry.client();
    const { body } = await client.putKey({
      key: 'a',
      content: new Uint8Array([1]),
      flags: '18446744073709551615',
    });
    expect(body).toBe(true);
    const [entry] = (await client.getKey({ key: 'a' })).body;
    expect(entry?.Flags).toBe(18446744073709551615n);
    expect(formatJson({ flags: entry?.Flags })).toBe('{"flags":18446744073709551615}');
  });

  test('of the scheduler: a conflict has kind, exit code, status and the service', async () => {
    const client = services.scheduler.client();
    await client.putVariable({ path: 'app', Items: { a: '1' } });
    const error = await failureOf(client.putVariable({ path: 'app', Items: { a: '2' }, cas: '0' }));
    expect([error.kind, error.exitCode, error.status, error.service]).toEqual([
      'conflict',
      6,
      409,
      'scheduler',
    ]);
    expect(error.message).toBe('cannot write variable: conflict (409): PUT /v1/var/app');
  });

  test('that fail name the request, without its query', async () => {
    const missing = await failureOf(services.registry.client().getKey({ key: 'a/no b', dc: 'dc1' }));
    expect(missing.message).toBe('cannot read key: not found (404): GET /v1/kv/a/no b');
    expect(inspect(missing)).toMatch(/^LanyardError: cannot read key/);
    const empty = await failureOf(services.secrets.client().listRoles({ mount: 'ssh-2' }));
    expect(empty.message).toMatch(/: LIST ssh-2\/roles\/$/);
    const { box } = services;
    const upload = box.client().confirmUpload({ callback: `${box.address}/api/v2/box/uploads/secret-id` });
    expect((await failureOf(upload)).message).not.toContain('secret-id');
  });

  test('of the box registry and of the account service', async () => {
    const error = await failureOf(services.box.client().getBox({ username: 'dev', name: 'missing' }));
    expect([error.kind, error.exitCode]).toEqual(['not_found', 3]);
    const client = services.accounts.client();
    const { body: methods } = await client.listAuthMethods({ scope_id: 'global' });
    const { body } = await client.listAccounts({ auth_method_id: methods.items?.[0]?.id ?? '' });
    expect(body.items?.map(({ attributes }) => attributes?.login_name)).toEqual(['admin']);
  });

  test('without required fields take no argument', async () => {
    expect((await services.secrets.client().health()).body.initialized).toBe(true);
  });

  test('that do not exist are undefined', () => {
    for (const name of ['readAll', 'then', 'toJSON', 'nodeType', '$$typeof', '__proto__'])
      expect(typeof (services.secrets.client() as never)[name], name).not.toBe('function');
  });

  test('of every client are its methods', async () => {
    for (const [name, operations] of Object.entries(tables)) {
      const client: object = services[name as keyof typeof tables].client();
      expect(Object.getOwnPropertyNames(Object.getPrototypeOf(client)).sort()).toEqual(
        Object.keys(operations).map(methodName).sort(),
      );
    }
  });
});

describe('deleteKeys', () => {
  test.each([[undefined], [{}], [{ prefix: undefined }], [{ prefix: null }], [{ prefix: ['a'] }]])(
    '%j deletes nothing',
    async (input) => {
      const client = services.registry.client();
      await client.putKey({ key: 'kept/a', content: 'a' });
      const error = await failureOf(client.deleteKeys(input as never));
      expect([error.kind, error.message]).toEqual([
        'usage',
        expect.stringMatching(
          /^invalid input of registry\.deleteKeys: (missing prefix$|prefix must be a string$|expected an object$)/,
        ),
      ]);
      expect((await client.listKeys({ prefix: 'kept/' })).body).toEqual(['kept/a']);
    },
  );

  test('deletes all keys if the prefix is an empty string', async () => {
    const { registry: own, stop } = await startServices({ registry: true });
    onTestFinished(stop);
    await own.client().putKey({ key: 'a', content: 'a' });
    await own.client().deleteKeys({ prefix: '' });
    expect((await failureOf(own.client().listKeys({ prefix: '' }))).kind).toBe('not_found');
  });
});

test.each([[null], ['secret/a'], [['a']]])('the input %j of an operation is a usage error', async (input) => {
  const error = await failureOf(services.secrets.client().getKv(input as never));
  expect([error.kind, error.message]).toEqual([
    'usage',
    'invalid input of secrets.getKv: expected an object',
  ]);
});

describe('settings', () => {
  const addressOf = async (options: ClientOptions): Promise<string | undefined> =>
    (await registry(options).getAgent()).address;

  test('come from the options, then LANYARD_*, the named profile, the products and the active profile', async () => {
    const unused = 'http://127.0.0.1:1';
    const { address } = services.registry;
    const directory = await configuration({ registry: { address } });
    const env = { LANYARD_CONFIG_DIR: directory };
    expect(await addressOf({ env })).toBe(address);
    expect(await addressOf({ env: { ...env, CONSUL_HTTP_ADDR: unused }, profile: 'team' })).toBe(address);
    expect(await addressOf({ env: { ...env, CONSUL_HTTP_ADDR: unused, LANYARD_PROFILE: 'team' } })).toBe(
      address,
    );
    expect(await addressOf({ env: { CONSUL_HTTP_ADDR: unused, LANYARD_REGISTRY_ADDR: address } })).toBe(
      address,
    );
    expect(await addressOf({ env: { LANYARD_REGISTRY_ADDR: unused }, address })).toBe(address);
    const other = await failureOf(addressOf({ env: { ...env, CONSUL_HTTP_ADDR: unused }, maxRetries: 0 }));
    expect(other.kind).toBe('unreachable');
  });

  test('of profiles are ignored with profile: false', async () => {
    const directory = await configuration({ registry: { address: services.registry.address } });
    const env = { LANYARD_CONFIG_DIR: directory, LANYARD_PROFILE: 'team' };
    const error = await failureOf(addressOf({ env, profile: false }));
    expect([error.kind, error.message]).toEqual(['usage', 'no address for the service registry']);
  });

  test('of a profile include its stored token, for the addresses of the profile only', async () => {
    const { address, token } = services.secrets;
    const directory = await configuration({ secrets: { address, token: 'stored' } });
    const tokens = { team: { secrets: { where: 'file', token } } };
    await writeFile(join(directory, 'credentials.json'), JSON.stringify({ tokens }), { mode: 0o600 });
    const env = { LANYARD_CONFIG_DIR: directory };
    expect((await secrets({ env }).lookupSelf()).status).toBe(200);
    const other = await startServices({ secrets: { token } });
    onTestFinished(() => other.stop());
    const error = await failureOf(secrets({ env, address: other.secrets.address }).lookupSelf());
    expect(error.kind).toBe('unauthenticated');
  });

  test('with several servers of a cluster use the one that responds', async () => {
    const { address } = services.registry;
    expect(await addressOf(only({ address: `http://127.0.0.1:1,${address}` }))).toBe(address);
  });

  test('that are invalid are usage errors, and can be corrected', async () => {
    const messages = await Promise.all(
      [
        secrets(only({ region: 'eu', address: 'http://127.0.0.1:1' })).health(),
        accounts(only({ namespace: 'a', address: 'http://127.0.0.1:1' })).listAuthMethods({
          scope_id: 'global',
        }),
        secrets(only({ address: 'ftp://host' })).health(),
        secrets(only({ address: 'http://127.0.0.1:1', timeoutMs: 0 })).health(),
        secrets(only({ address: 'http://127.0.0.1:1', maxRetries: -1 })).health(),
        secrets(only({ address: 'http://127.0.0.1:1', token: 5 as never })).health(),
        secrets({ env: {}, profile: 'none' }).health(),
      ].map(async (call) => (await failureOf(call)).message),
    );
    expect(messages).toEqual([
      'invalid option region: the secrets service has no region',
      'invalid option namespace: the accounts service has no namespace',
      'invalid address from option address: expected an http or https URL',
      'invalid option timeoutMs: expected an integer from 1 to 2147483647',
      'invalid option maxRetries: expected a number from 0 to 999',
      'invalid option token: expected a string or a function',
      'profile "none" not found',
    ]);
    const env: Record<string, string> = {};
    const client = registry({ env, profile: false });
    expect((await failureOf(client.getAgent())).kind).toBe('usage');
    env.CONSUL_HTTP_ADDR = services.registry.address;
    expect((await client.getAgent()).status).toBe(200);
  });
});

describe('options', () => {
  test.each([
    [{ adress: 'http://127.0.0.1:1' }, 'unknown option adress'],
    [{ timeout: 5 }, 'unknown option timeout'],
    [{ address: new URL('http://127.0.0.1:1') }, 'invalid option address: expected a string'],
    [{ skipVerify: 'false' }, 'invalid option skipVerify: expected true or false'],
    [{ signal: {} }, 'invalid option signal: expected an AbortSignal'],
    [{ userAgent: 'a\nb' }, 'invalid option userAgent: expected printable ASCII characters'],
    [{ timeoutMs: 2 ** 31 }, 'invalid option timeoutMs: expected an integer from 1 to 2147483647'],
    [{ env: null }, 'invalid option env: expected an object'],
    [{ profile: true }, 'invalid option profile: expected a string or false'],
    [{ log: console }, 'invalid option log: expected a function'],
  ])('%j is a usage error', async (options, message) => {
    const client = services.secrets.client(options as unknown as ClientOptions);
    const error = await failureOf(client.health());
    expect([error.kind, error.message]).toEqual(['usage', message]);
  });

  test('that are missing are named by hints', async () => {
    // Without the token file of the product's own login.
    vi.stubEnv('HOME', folderForTest());
    onTestFinished(() => void vi.unstubAllEnvs());
    expect((await failureOf(secrets(only({})).health())).hint).toBe(
      'Set the option address, or LANYARD_SECRETS_ADDR or VAULT_ADDR, or an address in the profile.',
    );
    const { address } = services.secrets;
    expect((await failureOf(secrets(only({ address })).lookupSelf())).hint).toBe(
      'Set the option token, or LANYARD_SECRETS_TOKEN or VAULT_TOKEN, or a token in the profile.',
    );
  });

  test('an error of log does not change a call', async () => {
    const log = () => {
      throw new Error('closed');
    };
    const client = services.secrets.client({ log });
    expect((await client.health()).status).toBe(200);
  });
});

describe('tokens', () => {
  test('of a function that fails are an error with its cause', async () => {
    const { address } = services.secrets;
    const fail = async (token: unknown): Promise<LanyardError> =>
      failureOf(secrets(only({ address, token: token as () => string })).lookupSelf());
    const closed = new Error('the store is closed');
    const error = await fail(async () => Promise.reject(closed));
    expect([error.kind, error.message, error.cause]).toEqual([
      'failure',
      'cannot get the token for the secrets service from the option token: the store is closed',
      closed,
    ]);
    expect((await fail(() => 5)).message).toBe(
      'invalid option token: expected a function that returns a string',
    );
    expect((await fail(() => null)).kind).toBe('unauthenticated');
    const own = new LanyardError('forbidden', 'permission denied');
    expect(await fail(() => Promise.reject(own))).toBe(own);
  });

  test('of a function are read for every call', async () => {
    const tokens = [services.secrets.token, 'hvs.expired'];
    const client = secrets(only({ address: services.secrets.address, token: async () => tokens.shift() }));
    expect((await client.lookupSelf()).status).toBe(200);
    expect((await failureOf(client.lookupSelf())).kind).toBe('forbidden');
    expect((await failureOf(client.lookupSelf())).kind).toBe('unauthenticated');
  });

  test('and other secrets of a call are not in errors and messages', async () => {
    const messages: LogMessage[] = [];
    const token = 'hvs.CAESIKnvbK9s0mS3cr3tT0k3nV4lu3';
    const client = secrets(
      only({ address: services.secrets.address, token, log: (message) => messages.push(message) }),
    );
    const error = await failureOf(client.read({ path: `secret/data/${token}` }));
    expect(error.kind).toBe('unauthenticated');
    // The response says that the token is unknown: there is no lookup.
    expect(messages.filter(({ level }) => level === 'detail')).toHaveLength(2);
    const { message, details, hint, stack } = error;
    expect(JSON.stringify([message, details, hint, stack, messages])).not.toContain(token);
    expect(inspect(error, { depth: null, showHidden: true, getters: true })).not.toContain(token);
    expect(String(error)).toMatch(/^LanyardError: cannot /);
  });
});

describe('a call', () => {
  test('ends with the signal of its client', async () => {
    const controller = new AbortController();
    const client = services.registry.client({ signal: controller.signal });
    await client.putKey({ key: 'wait', content: new Uint8Array() });
    const { headers } = await client.getKey({ key: 'wait' });
    const waiting = client.getKey({ key: 'wait', index: headers['x-consul-index'] ?? '', wait: '5m' });
    const failed = failureOf(waiting);
    controller.abort();
    const error = await failed;
    expect([error.kind, error.exitCode]).toEqual(['interrupted', 130]);
  });

  test('to an address without a server is unreachable', async () => {
    const error = await failureOf(
      scheduler(only({ address: 'http://127.0.0.1:1', maxRetries: 0 })).listNamespaces(),
    );
    expect([error.kind, error.exitCode, error.retryable]).toEqual(['unreachable', 7, true]);
    expect(error.message).toBe('cannot reach the scheduler at http://127.0.0.1:1: connection refused');
  });

  test('has the given User-Agent', async () => {
    const { seen, url } = await serve((_seen, response) => {
      response.setHeader('Content-Type', 'application/json').end('{"initialized":true,"sealed":false}');
    });
    const options = only({ address: url });
    await secrets({ ...options, userAgent: 'deploy/2' }).health();
    await secrets(options).health();
    const agents = seen.map(({ headers }) => headers['user-agent']);
    expect(agents).toEqual(['deploy/2', expect.stringMatching(/^lanyard\//)]);
  });
});

describe('startServices', () => {
  test('starts the named services, several sets at a time, and stops them', async () => {
    const one = await startServices({ secrets: { token: 'hvs.first' }, scheduler: true });
    const two = await startServices({ secrets: true });
    expect(Object.keys(one)).toEqual(['secrets', 'scheduler', 'env', 'stop']);
    expect(one.env.VAULT_TOKEN).toBe('hvs.first');
    expect(one.env.NOMAD_ADDR).toBe(one.scheduler.address);
    expect(one.env).not.toHaveProperty('CONSUL_HTTP_ADDR');
    expect(one.secrets.address).not.toBe(two.secrets.address);
    await one.secrets.client().putKv({ mount: 'secret', path: 'a', data: {}, options: {} });
    expect((await failureOf(two.secrets.client().getKv({ mount: 'secret', path: 'a' }))).kind).toBe(
      'not_found',
    );
    await Promise.all([one.stop(), one.stop(), two[Symbol.asyncDispose]()]);
    const stopped = one.secrets.client({ maxRetries: 0 }).health();
    expect((await failureOf(stopped)).kind).toBe('unreachable');
  });

  test('keeps the state in a directory, and describes what is wrong with it', async () => {
    const data = join(folderForTest(), 'data');
    const first = await startServices({ registry: true, data });
    await first.registry.client().putKey({ key: 'kept', content: new Uint8Array([65]) });
    expect((await failureOf(startServices({ registry: true, data }))).kind).toBe('failure');
    await first.stop();
    const second = await startServices({ registry: true, data });
    onTestFinished(() => second.stop());
    expect((await second.registry.client().getKey({ key: 'kept' })).body[0]?.Value).toBe('QQ==');
  });

  test('rejects a port in use and unknown options, and leaves nothing open', async () => {
    const port = Number(new URL(services.registry.address).port);
    const error = await failureOf(
      startServices({ secrets: true, registry: true, ports: { registry: port } }),
    );
    expect([error.kind, error.message]).toEqual(['failure', expect.stringContaining(String(port))]);
  });

  test.each([
    [{ vault: true }, 'unknown option vault'],
    [{ secrets: { tokn: 'x' } }, 'unknown option secrets.tokn'],
    [{ scheduler: { token: 'x' } }, 'unknown option scheduler.token'],
    [{ secrets: false }, 'invalid option secrets: expected true or an object'],
    [{ secrets: { token: '' } }, 'invalid option secrets.token: expected a string without spaces'],
    [
      { registry: { datacenters: ['a', 'a'] } },
      'invalid option registry.datacenters: expected different names of lowercase letters, digits, - and _',
    ],
    [
      { box: { users: [] } },
      'invalid option box.users: expected objects with a name of letters, digits, ., - and _',
    ],
    [{ box: { rateLimit: 0 } }, 'invalid option box.rateLimit: expected a positive integer'],
    [
      { scheduler: { rateLimit: 'boundary' } },
      'invalid option scheduler.rateLimit: expected a positive integer',
    ],
    [
      { accounts: { rateLimit: 'consul' } },
      'invalid option accounts.rateLimit: expected a positive integer or "boundary"',
    ],
    [{ accounts: { token: 'x' } }, 'invalid option accounts.token: expected at_ID_SECRET'],
    [{ accounts: { password: 'short' } }, 'invalid option accounts.password: expected at least 8 characters'],
    [{ ports: { secrets: 65_536 } }, 'invalid option ports.secrets: expected an integer from 0 to 65535'],
    [{ ports: { vault: 0 } }, 'unknown option ports.vault'],
    [{ clock: new Date(0) }, 'invalid option clock: expected a function'],
  ])('rejects %j', async (options, message) => {
    const error = await failureOf(startServices(options as object));
    expect([error.kind, error.message]).toEqual(['usage', message]);
  });

  test('takes the time from a clock', async () => {
    let now = new Date('2030-01-01T00:00:00Z');
    const started = await startServices({ secrets: true, clock: () => now });
    onTestFinished(() => started.stop());
    const client = started.secrets.client();
    const { body } = await client.createToken({ ttl: '1h', policies: ['default'] });
    const token = body.auth?.client_token;
    const own = started.secrets.client({ token });
    // Each denial is looked up: the first one is a missing permission, which the default policy lacks.
    expect((await failureOf(own.read({ path: 'secret/data/a' }))).kind).toBe('forbidden');
    expect((await own.lookupSelf()).body.data.expire_time).toMatch(/^2030-01-01T01:00:00/);
    now = new Date('2030-01-01T02:00:00Z');
    const denials = [await failureOf(own.lookupSelf()), await failureOf(own.read({ path: 'secret/data/a' }))];
    expect(denials.map(({ kind, message }) => [kind, message.replace(/^cannot [^:]*/, '')])).toEqual(
      Array(2).fill([
        'unauthenticated',
        ': the token is not valid: it has expired, was revoked or belongs to another cluster (403)',
      ]),
    );
  });

  test('limits the requests to services', async () => {
    const started = await startServices({ accounts: { rateLimit: 'boundary' }, scheduler: { rateLimit: 1 } });
    onTestFinished(() => started.stop());
    const { status, headers } = await fetch(`${started.accounts.address}/v1/scopes?scope_id=global`);
    expect([status, headers.get('ratelimit')]).toEqual([200, 'limit=150, remaining=149, reset=30']);
    const scheduler = started.scheduler.client({ maxRetries: 0 });
    const results = await Promise.allSettled([scheduler.listNamespaces({}), scheduler.listNamespaces({})]);
    expect(
      results.map((result) => (result.status === 'rejected' ? result.reason.status : 200)).sort(),
    ).toEqual([200, 429]);
  });

  test('passes options to the services', async () => {
    const started = await startServices({
      secrets: { uninitialized: true },
      registry: { datacenters: ['here', 'there'] },
      box: { token: 'box-token', users: [{ name: 'sam' }] },
      accounts: { password: 'long-enough-password' },
    });
    onTestFinished(() => started.stop());
    expect((await started.secrets.client().health()).body.initialized).toBe(false);
    expect(started.secrets.token).toBeUndefined();
    expect(
      (
        await started.registry
          .client()
          .listKeys({ prefix: '', dc: 'there' })
          .catch((error) => error)
      ).kind,
    ).toBe('not_found');
    expect((await started.box.client().getOrganization({ username: 'sam' })).body.username).toBe('sam');
    expect([started.box.token, started.accounts.password]).toEqual(['box-token', 'long-enough-password']);
  });
});
