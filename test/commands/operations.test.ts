import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { client } from '../../src/api/client.ts';
import { transport } from '../../src/api/http/client.ts';
import { registryOperations } from '../../src/api/registry.ts';
import { schedulerOperations } from '../../src/api/scheduler.ts';
import { secretsOperations } from '../../src/api/secrets.ts';
import { LanyardError } from '../../src/errors.ts';
import { home } from '../support/run.ts';
import { services, type TestServices } from '../support/services.ts';
import { endpointOf, optionsOf } from '../unit/api/support.ts';

const names = Object.keys(secretsOperations) as (keyof typeof secretsOperations)[];
const registryNames = Object.keys(registryOperations) as (keyof typeof registryOperations)[];
const schedulerNames = Object.keys(schedulerOperations) as (keyof typeof schedulerOperations)[];

/** Members enough for every operation; each takes its own, and what else goes into a body is ignored. */
const anything = {
  mount: 'ssh',
  role: 'r',
  public_key: 'x',
  ip: '10.0.0.1',
  otp: 'x',
  roles: 'r',
  snapshot: 'x',
  path: 'secret/metadata/x',
  content: '{}',
  username: 'u',
  password: 'x',
  role_id: 'x',
  jwt: 'x',
  migration_id: 'x',
  prefix: 'x',
  name: 'x',
  id: 's.chosen-for-this',
  paths: ['x'],
  policy: '',
  lease_id: 'x',
  token: 'x',
  accessor: 'x',
  namespace: 'team',
  versions: [1],
  data: { a: 'b' },
  options: {},
  issuer: 'x',
  default: 'x',
};

/** Operations of OpenBao that the embedded service does not have. */
const unsupported: readonly string[] = [
  ...['listIssuers', 'readIssuer', 'importIssuer', 'importNamedIssuer', 'setDefaultIssuer', 'deleteIssuer'],
];

/** Logins go to the auth method of their name. */
const methodOf = (name: string): { mount?: string } => {
  const method = /^login(.+)/.exec(name)?.[1]?.toLowerCase();
  return method === undefined ? {} : { mount: method };
};

describe('each operation of the secrets service', () => {
  const at = home();
  let running: TestServices;
  beforeAll(async () => {
    running = await services(at);
    await at.run(['api', 'secrets', 'POST', 'sys/namespaces/team']);
    for (const type of ['userpass', 'approle', 'jwt'])
      await at.run(['api', 'secrets', 'POST', `sys/auth/${type}`, '--data', '-'], {
        stdin: `{"type":"${type}"}`,
      });
  });
  afterAll(async () => {
    await running.close();
    at.remove();
  });

  test.each(names)('%s is reached by a route of the embedded service', async (name) => {
    const send = transport(
      endpointOf(running.addresses.secrets, { token: async () => running.rootToken }),
      optionsOf(),
    );
    const operation = client(secretsOperations, send)[name] as (input: object) => Promise<{ status: number }>;
    const input = { ...anything, ...(/Kv/.test(name) ? { mount: 'secret' } : {}), ...methodOf(name) };
    const answer = await operation(input).catch((error: unknown) => {
      if (error instanceof LanyardError) return error;
      throw error;
    });
    const messages = answer instanceof LanyardError ? answer.details.join() : '';
    expect(answer.status).toBeDefined();
    expect(answer.status).not.toBe(405);
    if (unsupported.includes(name)) expect(messages).toBe('unsupported path');
    else expect(messages).not.toMatch(/unsupported|no handler/);
  });
});

/** Members enough for every operation of the registry; a token of nobody, and a proof that nobody gave. */
const nonsense = {
  content: '[]',
  service_name: 'web',
  key: 'k',
  prefix: 'k',
  session: '4f1b0b5c-2c66-4c44-8f76-1f0a2c4d6c11',
  node: 'n',
  kind: 'service-defaults',
  id: '4f1b0b5c-2c66-4c44-8f76-1f0a2c4d6c11',
  name: 'web',
  template: 'web',
  accessor_id: '0b8f1f6e-9f5b-4f2f-8f0e-2f8f0f8f0f8f',
  AuthMethod: 'm',
  BearerToken: 'x',
  State: 's',
  Code: 'c',
  RedirectURI: 'http://localhost/',
  BootstrapSecret: '0b8f1f6e-9f5b-4f2f-8f0e-2f8f0f8f0f8f',
  query: 'q',
  Name: 'q',
  Service: { Service: 'web' },
};

describe('each operation of the service registry', () => {
  const at = home();
  let running: TestServices;
  let token: string;
  beforeAll(async () => {
    running = await services(at);
    token = (await at.run(['acl', 'bootstrap', '--field', 'SecretID'])).stdout.trim();
  });
  afterAll(async () => {
    await running.close();
    at.remove();
  });

  test.each(registryNames)('%s is reached by a route of the embedded service', async (name) => {
    const send = transport(
      endpointOf(running.addresses.registry, { service: 'registry', token: async () => token }),
      optionsOf(),
    );
    const operation = client(registryOperations, send)[name] as (
      input: object,
    ) => Promise<{ status: number }>;
    const answer = await operation(nonsense).catch((error: unknown) => {
      if (error instanceof LanyardError) return error;
      throw error;
    });
    expect(answer.status).toBeDefined();
    expect(answer instanceof LanyardError ? answer.details.join() : '').not.toMatch(
      /not a recognized HTTP API endpoint|method \w+ not allowed/,
    );
  });
});

/** Members enough for every operation of the scheduler. */
const enough = { namespace: 'default', Name: 'default', path: 'app/db', Items: { a: 'b' } };

describe('each operation of the scheduler', () => {
  const at = home();
  let running: TestServices;
  let token: string;
  beforeAll(async () => {
    running = await services(at);
    const line = ['api', 'scheduler', 'PUT', 'acl/bootstrap', '--field', 'SecretID'];
    token = (await at.run(line)).stdout.trim();
  });
  afterAll(async () => {
    await running.close();
    at.remove();
  });

  test.each(schedulerNames)('%s is reached by a route of the embedded service', async (name) => {
    const send = transport(
      endpointOf(running.addresses.scheduler, {
        service: 'scheduler',
        headerPrefixes: ['X-Scheduler'],
        token: async () => token,
      }),
      optionsOf(),
    );
    const operation = client(schedulerOperations, send)[name] as (
      input: object,
    ) => Promise<{ status: number }>;
    const answer = await operation(enough).catch((error: unknown) => {
      if (error instanceof LanyardError) return error;
      throw error;
    });
    expect(answer.status).toBeDefined();
    // An unknown path is a 404 without a body.
    const message = answer instanceof LanyardError ? answer.details.join() : 'no error';
    expect(message).not.toMatch(/^$|Invalid method/);
  });
});
