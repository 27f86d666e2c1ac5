import { beforeEach, describe, expect, test } from 'vitest';
import { confirmingIdentity } from '../../src/api/confirming-identity.ts';
import { transport } from '../../src/api/http/client.ts';
import { schedulerOperations } from '../../src/api/scheduler.ts';
import { expectFailure, homeForEach } from '../support/command-tests.ts';
import type { Ran } from '../support/run.ts';
import { services } from '../support/services.ts';
import {
  endpointOf,
  errorOf,
  type Handler,
  json,
  optionsOf,
  serve,
  type TestServer,
} from '../unit/api/support.ts';
import { consul, consulToken, nomad, nomadToken } from './product-servers.ts';
import { words } from './signing.ts';

const at = homeForEach();
let registry: TestServer;
let scheduler: TestServer;
const run = (line: string, env: Record<string, string> = {}): Promise<Ran> =>
  at.run(words(line), { env: { REGISTRY: consulToken, SCHEDULER: nomadToken, ...env } });
const asked = ({ seen }: TestServer): string[] => seen.map(({ url }) => url.split('?')[0] ?? '');

beforeEach(async () => {
  registry = await serve(consul);
  scheduler = await serve(nomad);
  await run(`profile put real registry.address=${registry.url} registry.token=env://REGISTRY`);
  await run(`profile put real scheduler.address=${scheduler.url} scheduler.token=env://SCHEDULER`);
  await run('profile put wrong registry.header-prefix=X-Registry scheduler.header-prefix=X-Scheduler');
  await run(`profile put wrong registry.address=${registry.url} registry.token=env://REGISTRY`);
  await run(`profile put wrong scheduler.address=${scheduler.url} scheduler.token=env://SCHEDULER`);
});

describe('a call with a token that the service did not read', () => {
  test.each([
    ['query list', 'list prepared queries', 'the service registry does not know the token'],
    ['query get web', 'list prepared queries', 'the service registry does not know the token'],
    ['query exec web', 'execute prepared query', 'the service registry does not know the token'],
    [
      'api registry GET catalog/services',
      'GET catalog/services',
      'the service registry does not know the token',
    ],
    ['namespace list', 'list namespaces', 'the scheduler treats the caller as anonymous'],
    ['var list', 'list variables', 'the scheduler treats the caller as anonymous'],
    ['var export out', 'list variables', 'the scheduler treats the caller as anonymous'],
    ['api scheduler GET vars', 'GET vars', 'the scheduler treats the caller as anonymous'],
    ['api scheduler GET job/none', 'GET job/none', 'the scheduler treats the caller as anonymous'],
  ])('%s is not authenticated, and shows nothing', async (line, name, problem) => {
    const ran = await run(`${line} -p wrong`);
    expectFailure(ran, 4, `error: cannot ${name}: ${problem}\n`);
    const header = problem.includes('registry') ? 'X-Registry-Token' : 'X-Scheduler-Token';
    expect(ran.stderr).toContain(`The token was sent as ${header}.`);
    expect(ran.stderr).toContain('hint: Remove header-prefix from the profile to send both header names');
    expect(ran.stderr).not.toContain(consulToken);
  });

  test('is one object on standard error with -o json', async () => {
    const ran = await run('var list -p wrong -o json');
    expect(ran).toMatchObject({ code: 4, stdout: '' });
    expect(JSON.parse(ran.stderr)).toMatchObject({
      error: { kind: 'unauthenticated', service: 'scheduler' },
    });
  });
});

describe('an empty list', () => {
  test.each(['query list', 'var list', 'namespace list', 'api registry GET catalog/services'])(
    'of %s is shown if the service knows the token, which is looked up once',
    async (line) => {
      expect(await run(`${line} -p real`)).toMatchObject({ code: 0, stderr: '' });
      const seen = [...asked(registry), ...asked(scheduler)];
      expect(seen).toHaveLength(2);
      expect(seen[1]).toBe('/v1/acl/token/self');
    },
  );

  test('of several calls is confirmed once', async () => {
    const token = async () => nomadToken;
    const endpoint = endpointOf(scheduler.url, { service: 'scheduler', headerPrefixes: ['X-Nomad'], token });
    const send = confirmingIdentity(transport(endpoint, optionsOf()), endpoint);
    await Promise.all([1, 2, 3].map(() => send(schedulerOperations.listVariables, {})));
    await errorOf(send(schedulerOperations.readVariable, { path: 'none' }));
    expect(asked(scheduler).filter((path) => path === '/v1/acl/token/self')).toHaveLength(1);
  });

  test('of the scheduler without a token is reported as the view of anonymous callers', async () => {
    await run(`profile put open scheduler.address=${scheduler.url}`);
    const ran = await run('var list -p open');
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stderr).toBe(
      'no token was sent, and the scheduler shows anonymous callers only what they may read\n',
    );
    expect(asked(scheduler)).toEqual(['/v1/vars', '/v1/acl/token/self']);
  });

  test('without a token is reported as the view of anonymous callers, if the service denies by default', async () => {
    await run(`profile put open registry.address=${registry.url}`);
    const ran = await run('query list -p open');
    expect(ran).toMatchObject({ code: 0, stdout: '' });
    expect(ran.stderr).toBe(
      'no token was sent, and the service registry shows anonymous callers only what they may read\n',
    );
    expect(asked(registry)).toEqual(['/v1/query']);
  });

  test('is confirmed in the datacenter of the request', async () => {
    await run('query list --dc dc2 -p real');
    expect(registry.seen.map(({ url }) => url)).toEqual(['/v1/query?dc=dc2', '/v1/acl/token/self?dc=dc2']);
  });

  test('is not looked up with --curl and --dry-run', async () => {
    expect((await run('var list -p wrong --curl')).stdout).toContain('/v1/vars');
    expect(asked(scheduler)).toEqual([]);
    const ran = await run('query delete web -p wrong --dry-run');
    expect(ran.stdout + ran.stderr).not.toContain(consulToken);
    expect(registry.seen.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test.each<[string, Handler]>([
    ['access control is off', (_seen, response) => response.writeHead(400).end('ACL support disabled')],
    ['the token cannot be looked up', (_seen, response) => response.writeHead(404).end()],
    ['the check fails', (_seen, response) => response.writeHead(500).end('rpc error')],
    ['a gateway forbids it', (_seen, response) => response.writeHead(403).end('blocked by gateway policy')],
    ['a gateway asks for a login', (_seen, response) => response.writeHead(401).end('Unauthorized')],
  ])('stays where %s', async (_name, self) => {
    const server = await serve((seen, response, count) =>
      seen.url === '/v1/acl/token/self' ? self(seen, response, count) : json(response, []),
    );
    await run(`profile put real scheduler.address=${server.url}`);
    expect(await run('var list -p real')).toMatchObject({ code: 0, stdout: '' });
  });
});

describe('an empty list of a scheduler', () => {
  const listed = async (token: string, status: number, said: string) => {
    const server = await serve(({ url }, response) =>
      url === '/v1/acl/token/self' ? response.writeHead(status).end(said) : json(response, []),
    );
    await run(`profile put real scheduler.address=${server.url}`);
    return run('var list -p real', { SCHEDULER: token });
  };
  const ofWorkload = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ3ZWIifQ.c2lnbmF0dXJl';

  // Nomad before 1.10.1 says so of both.
  test('is one for a workload without a stored token', async () => {
    expect(await listed(ofWorkload, 404, 'ACL token not found')).toMatchObject({ code: 0, stdout: '' });
  });

  // Nomad 1.9.3.
  test('is one for a workload whose token is looked up as a UUID', async () => {
    expect(await listed(ofWorkload, 500, 'UUID must be 36 characters')).toMatchObject({
      code: 0,
      stdout: '',
    });
  });

  test.each([
    [403, 'Permission denied'],
    [403, 'ACL token not found'],
    [404, 'ACL token not found'],
  ])('is missing with an unknown token (%i %s)', async (status, said) => {
    const ran = await listed(nomadToken, status, said);
    expectFailure(ran, 4, `the scheduler does not accept the token (${status})`);
  });
});

describe('a response that shows something', () => {
  test('is not looked up', async () => {
    const server = await serve((_seen, response) => json(response, [{ Name: 'default' }]));
    await run(`profile put real scheduler.address=${server.url}`);
    expect((await run('namespace list -p real')).code).toBe(0);
    expect(server.seen).toHaveLength(1);
  });
});

describe('the embedded services', () => {
  test.each([
    ['X-Registry', 'X-Scheduler'],
    ['X-Consul', 'X-Nomad'],
  ])('confirm the token under %s and %s', async (first, second) => {
    const running = await services(at);
    const { registry: r, scheduler: s } = running.addresses;
    delete at.env.LANYARD_REGISTRY_ADDR;
    delete at.env.LANYARD_SCHEDULER_ADDR;
    const bootstrap = async (service: string, address: string) =>
      (await run(`api ${service} PUT acl/bootstrap --address ${address} --field SecretID`)).stdout.trim();
    const env = { REGISTRY: await bootstrap('registry', r), SCHEDULER: await bootstrap('scheduler', s) };
    await run(`profile put real registry.address=${r} registry.header-prefix=${first}`);
    await run(`profile put real scheduler.address=${s} scheduler.header-prefix=${second}`);
    expect(await run('query list -p real', env)).toMatchObject({ code: 0, stderr: '' });
    expect(await run('var list -p real', env)).toMatchObject({ code: 0, stderr: '' });
    await run('profile put real registry.header-prefix=X-Other scheduler.header-prefix=X-Other');
    expect(await run('query list -p real', env)).toMatchObject({ code: 4, stdout: '' });
    expect(await run('var list -p real', env)).toMatchObject({ code: 4, stdout: '' });
    await running.close();
  });
});
