import { describe, expect, test } from 'vitest';
import { routes as accountRoutes } from '../../../../src/services/accounts/routes.ts';
import { boxRoutes } from '../../../../src/services/box/routes.ts';
import { registryRoutes } from '../../../../src/services/registry/routes.ts';
import { schedulerRoutes } from '../../../../src/services/scheduler/routes.ts';
import type { ServiceName } from '../../../../src/wire/services.ts';
import { sized } from '../../../support/soak.ts';
import { fill, kinds } from './kinds.ts';
import { type Ask, Running, TurnCounter } from './support.ts';

// No request holds the event loop, however many objects there are: the work between two turns of the loop is counted in
// rows, keys and characters, and no time is measured.

/** So few objects that all of them at once would be too much work for one turn. */
const samples: Readonly<Record<ServiceName, number>> = {
  registry: 800,
  scheduler: 800,
  secrets: 1_200,
  accounts: 1_200,
  box: 800,
};
/** Units of work of a turn: a slice has 96 rows, each with what it refers to. */
const mostOf = (many: number): number => sized(6_000, many - 20);

/** Values of the parameters of paths. */
const parameters: Readonly<Record<string, string>> = {
  key: 'k/000001',
  path: 'v/000001',
  name: 'p000001',
  service: 'web',
  node: 'n',
  namespace: 'n000001',
  state: 'any',
  kind: 'service-defaults',
  username: 'dev',
  query: 'q000001',
};

/** Requests that a pattern alone does not show: queries that list, search or filter, and bodies. */
const more: Readonly<Record<ServiceName, readonly Ask[]>> = {
  registry: [
    ['GET', '/v1/kv/k?recurse'],
    ['GET', '/v1/kv/k?recurse&pretty'],
    ['GET', '/v1/kv/k?keys'],
    ['GET', '/v1/kv/?keys&separator=/'],
    ['GET', '/v1/catalog/nodes?filter=Node%20matches%20%22n.*1%22&near=n'],
    ['GET', '/v1/catalog/services?filter=ServicePort%20==%2080'],
    ['GET', '/v1/health/service/web?passing&tag=a&near=n'],
    ['GET', '/v1/acl/roles?policy=11111111-2222-3333-4444-000000000001'],
    ['GET', '/v1/acl/tokens?servicename=web'],
    ['PUT', '/v1/txn', [{ KV: { Verb: 'get-tree', Key: 'k' } }]],
    [
      'PUT',
      '/v1/txn',
      [{ KV: { Verb: 'delete-tree', Key: 'k/00' } }, { KV: { Verb: 'set', Key: 'k/0', Value: '' } }],
    ],
    ['DELETE', '/v1/kv/k?recurse'],
    [
      'PUT',
      '/v1/catalog/register',
      { Node: 'n', Address: '10.0.0.2', Check: { Node: 'n', CheckID: 'x', Name: 'x', Status: 'critical' } },
    ],
    ['PUT', '/v1/agent/maintenance?enable=true'],
    ['PUT', '/v1/catalog/deregister', { Node: 'n' }],
    ['PUT', '/v1/catalog/deregister', { Node: 'lanyard' }],
  ],
  scheduler: [
    ['GET', '/v1/vars?prefix=v&filter=Path%20contains%20%221%22'],
    ['GET', '/v1/vars?namespace=*&reverse=true&pretty'],
    ['GET', '/v1/namespaces?prefix=n'],
  ],
  secrets: [
    ['POST', '/v1/sys/capabilities-self', { paths: Array.from({ length: 5_000 }, (_, at) => `a/${at}`) }],
    ['LIST', '/v1/sys/leases/lookup/ssh/creds/otp'],
    ['POST', '/v1/sys/leases/revoke-prefix/ssh/creds'],
    ['POST', '/v1/sys/storage/raft/snapshot-force', {}],
    ['DELETE', '/v1/auth/approle/role/many'],
    ['POST', '/v1/sys/leases/revoke-prefix/auth/token/create'],
    ['DELETE', '/v1/sys/mounts/plain'],
    ['DELETE', '/v1/sys/auth/approle'],
  ],
  accounts: [
    ['GET', '/v1/scopes?scope_id=global&recursive=true'],
    ['GET', '/v1/users?scope_id=global&recursive=true&filter=%22/item/name%22%20contains%20%221%22'],
    ['GET', '/v1/accounts?auth_method_id=ampw_1234567890'],
    ['POST', '/v1/scopes', { scope_id: 'global', name: 'another' }],
    ['POST', '/v1/users', { scope_id: 'global', name: 'another' }],
  ],
  box: [
    ['GET', '/api/v2/search?q=b&limit=100'],
    ['GET', '/api/v2/user/dev'],
    ['POST', '/api/v2/authenticate', { user: { login: 'someone@example.com', password: 'x' } }],
  ],
};

const ask = (method: string, path: string): Ask => (method === 'GET' ? [method, path] : [method, path, {}]);

const requestsOf = (patterns: readonly string[]): Ask[] =>
  patterns.flatMap((route) => {
    const [verbs = '', pattern = ''] = route.split(' ');
    const path = `/${pattern}`.replace(/[:*](\w+)/g, (_, name: string) => parameters[name] ?? 'x');
    return verbs.split('|').map((verb) => ask(verb === '*' ? 'GET' : verb, path));
  });

/** Those that end the service, or that every other request depends on. */
const isExcluded = ([method, path]: Ask): boolean =>
  /sys\/(seal|step-down|init|unseal|rekey)|revoke-self|acl\/bootstrap/.test(path) ||
  (method === 'DELETE' && /\/v1\/(sys\/(mounts|auth)|accounts|auth-methods|scopes|users)\/?$/.test(path));

/** The paths of the secrets service, from the description of each of its mounts. */
async function secretsRequests(running: Running): Promise<Ask[]> {
  const mounts = ['sys', 'auth/token', 'identity', 'cubbyhole', 'secret', 'plain', 'ssh', 'auth/approle'];
  const all: Ask[] = [];
  for (const mount of mounts) {
    const { openapi } = (await running.load('secrets', ['GET', `/v1/${mount}?help=1`])) as {
      openapi: { paths: Record<string, Record<string, unknown>> };
    };
    for (const [path, item] of Object.entries(openapi.paths)) {
      const full = `/v1/${mount}${path}`.replace(/\{\w+\}/g, 'r000000').replace(/\/$/, '');
      for (const method of ['get', 'post', 'patch', 'delete'])
        if (method in item) all.push(ask(method.toUpperCase(), full));
      all.push(['LIST', full], ['SCAN', full]);
    }
  }
  return all;
}

const isRemoval = ([method, path]: Ask): boolean =>
  method === 'DELETE' || /revoke|destroy|deregister|tidy/.test(path);

async function requests(service: ServiceName, running: Running): Promise<Ask[]> {
  const patterns: Partial<Record<ServiceName, readonly string[]>> = {
    registry: registryRoutes().routes,
    scheduler: schedulerRoutes().routes,
    accounts: accountRoutes.routes,
    box: boxRoutes().routes,
  };
  const generated = patterns[service];
  const all = generated ? requestsOf(generated) : await secretsRequests(running);
  const asked = [...all, ...more[service]].filter((each) => !isExcluded(each));
  return [...asked.filter((each) => !isRemoval(each)), ...asked.filter(isRemoval)];
}

describe('no request does more than a slice of work in a turn of the event loop', () => {
  test.each(Object.keys(kinds) as ServiceName[])('%s', async (service) => {
    const many = sized(50_000, samples[service]);
    const most = mostOf(many);
    const running = await Running.start();
    for (const kind of kinds[service]) {
      await kind.before?.(running);
      await fill(running, kind, 0, many);
    }
    const counter = new TurnCounter();
    const tooLong: string[] = [];
    for (const asked of await requests(service, running)) {
      let status = 0;
      const longest = await counter.longestOf(async () => {
        status = await running.ask(service, asked);
      });
      const [method, path] = asked;
      if (longest > most) tooLong.push(`${longest} in ${method} ${path} (${status})`);
    }
    expect(running.faults).toEqual([]);
    expect(tooLong.sort((a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10))).toEqual([]);
  });
});
