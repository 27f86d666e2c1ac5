import type { Json } from '../../../../src/wire/json.ts';
import type { ServiceName } from '../../../../src/wire/services.ts';
import type { Ask, Running } from './support.ts';

/** A kind of objects, with what creates the n-th of them. */
export interface Kind {
  readonly name: string;
  readonly service: ServiceName;
  /** Requests before the first object. */
  readonly before?: (running: Running) => Promise<void>;
  readonly create: (at: number) => Ask;
  /** How many objects one request creates. */
  readonly width?: number;
  /** At most so many, because each is a part of the service with tables of its own. */
  readonly most?: number;
}

const id = (at: number): string => String(at).padStart(6, '0');
const uuid = (at: number): string => `11111111-2222-3333-4444-${String(at).padStart(12, '0')}`;
const width = 64;

/** A transaction with an operation on each of the next objects. */
const transaction =
  (operation: (at: number) => Json): Kind['create'] =>
  (at) => ['PUT', '/v1/txn', Array.from({ length: width }, (_, each) => operation(at + each))];

const check = (at: number) => ({ Node: 'n', CheckID: `c${id(at)}`, Name: 'c', Status: 'passing' });
const service = (at: number) => ({ ID: `s${id(at)}`, Service: 'web', Port: 80, Tags: ['a'] });

const registry: readonly Omit<Kind, 'service'>[] = [
  {
    name: 'keys',
    width,
    create: transaction((at) => ({ KV: { Verb: 'set', Key: `k/${id(at)}`, Value: 'dmFsdWU=' } })),
  },
  {
    name: 'nodes',
    width,
    create: transaction((at) => ({
      Node: { Verb: 'set', Node: { Node: `n${id(at)}`, Address: '10.0.0.1', ID: uuid(at) } },
    })),
  },
  {
    name: 'instances of a service',
    width,
    before: async (running) => {
      await running.load('registry', ['PUT', '/v1/catalog/register', { Node: 'n', Address: '10.0.0.2' }]);
    },
    create: transaction((at) => ({ Service: { Verb: 'set', Node: 'n', Service: service(at) } })),
  },
  {
    name: 'services',
    width,
    create: transaction((at) => ({
      Service: {
        Verb: 'set',
        Node: 'n',
        Service: { ...service(at), ID: `t${id(at)}`, Service: `t${id(at)}` },
      },
    })),
  },
  {
    name: 'checks',
    width,
    create: transaction((at) => ({
      Check: { Verb: 'set', Check: { ...check(at), ServiceID: `s${id(at)}` } },
    })),
  },
  {
    name: 'services of the agent',
    create: (at) => ['PUT', '/v1/agent/service/register', { Name: `a${id(at)}`, Port: 1 }],
  },
  {
    name: 'checks of the agent',
    create: (at) => ['PUT', '/v1/agent/check/register', { Name: `a${id(at)}`, TTL: '24h' }],
  },
  {
    name: 'sessions',
    create: () => ['PUT', '/v1/session/create', { LockDelay: '0s', Behavior: 'delete' }],
  },
  { name: 'policies', create: (at) => ['PUT', '/v1/acl/policy', { Name: `p${id(at)}`, Rules: '' }] },
  { name: 'roles', create: (at) => ['PUT', '/v1/acl/role', { Name: `r${id(at)}` }] },
  { name: 'tokens', create: (at) => ['PUT', '/v1/acl/token', { AccessorID: uuid(at) }] },
  {
    name: 'config entries',
    create: (at) => ['PUT', '/v1/config', { Kind: 'service-defaults', Name: `d${id(at)}` }],
  },
  {
    name: 'queries',
    create: (at) => ['POST', '/v1/query', { Name: `q${id(at)}`, Service: { Service: 'web' } }],
  },
];

const scheduler: readonly Omit<Kind, 'service'>[] = [
  { name: 'variables', create: (at) => ['PUT', `/v1/var/v/${id(at)}`, { Items: { a: 'b' } }] },
  { name: 'namespaces', create: (at) => ['PUT', '/v1/namespace', { Name: `n${id(at)}` }] },
  {
    name: 'policies',
    create: (at) => ['PUT', `/v1/acl/policy/p${id(at)}`, { Rules: 'node { policy = "read" }' }],
  },
  { name: 'tokens', create: () => ['PUT', '/v1/acl/token', { Type: 'management' }] },
];

const secrets: readonly Omit<Kind, 'service'>[] = [
  { name: 'secrets', create: (at) => ['POST', `/v1/secret/data/k${id(at)}`, { data: { a: 'b' } }] },
  {
    name: 'secrets of version 1',
    before: async (running) => {
      await running.load('secrets', [
        'POST',
        '/v1/sys/mounts/plain',
        { type: 'kv', options: { version: '1' } },
      ]);
    },
    create: (at) => ['POST', `/v1/plain/k${id(at)}`, { a: 'b' }],
  },
  {
    name: 'policies',
    create: (at) => [
      'POST',
      `/v1/sys/policies/acl/p${id(at)}`,
      { policy: 'path "a" { capabilities = ["read"] }' },
    ],
  },
  { name: 'tokens', create: () => ['POST', '/v1/auth/token/create', { policies: ['default'] }] },
  { name: 'token roles', create: (at) => ['POST', `/v1/auth/token/roles/r${id(at)}`, {}] },
  { name: 'entities', create: (at) => ['POST', '/v1/identity/entity', { name: `e${id(at)}` }] },
  {
    name: 'roles and secret IDs of approle',
    before: async (running) => {
      await running.load('secrets', ['POST', '/v1/sys/auth/approle', { type: 'approle' }]);
      await running.load('secrets', ['POST', '/v1/auth/approle/role/many', {}]);
    },
    create: (at) =>
      at % 2 === 0
        ? ['POST', `/v1/auth/approle/role/r${id(at)}`, {}]
        : ['POST', '/v1/auth/approle/role/many/secret-id', {}],
  },
  {
    name: 'SSH roles',
    create: (at) => ['POST', `/v1/ssh/roles/r${id(at)}`, { key_type: 'ca', allow_user_certificates: true }],
  },
  {
    name: 'leases',
    before: async (running) => {
      await running.load('secrets', [
        'POST',
        '/v1/ssh/roles/otp',
        { key_type: 'otp', default_user: 'u', cidr_list: '0.0.0.0/0' },
      ]);
    },
    create: () => ['POST', '/v1/ssh/creds/otp', { ip: '10.0.0.1' }],
  },
  { name: 'own secrets', create: (at) => ['POST', `/v1/cubbyhole/c${id(at)}`, { a: 'b' }] },
  { name: 'namespaces', most: 300, create: (at) => ['POST', `/v1/sys/namespaces/n${id(at)}`, {}] },
];

const method = 'ampw_1234567890';
const accounts: readonly Omit<Kind, 'service'>[] = [
  { name: 'scopes', create: (at) => ['POST', '/v1/scopes', { scope_id: 'global', name: `o${id(at)}` }] },
  { name: 'users', create: (at) => ['POST', '/v1/users', { scope_id: 'global', name: `u${id(at)}` }] },
  {
    name: 'auth methods',
    create: (at) => [
      'POST',
      '/v1/auth-methods',
      { scope_id: 'global', type: 'password', name: `m${id(at)}` },
    ],
  },
  {
    name: 'accounts',
    create: (at) => [
      'POST',
      '/v1/accounts',
      { auth_method_id: method, attributes: { login_name: `l${id(at)}` } },
    ],
  },
];

const box: readonly Omit<Kind, 'service'>[] = [
  {
    name: 'boxes',
    create: (at) => ['POST', '/api/v2/boxes', { box: { username: 'dev', name: `b${id(at)}` } }],
  },
  {
    name: 'organizations',
    create: (at) => ['POST', '/api/v2/organizations', { organization: { username: `o${id(at)}` } }],
  },
];

const of = (name: ServiceName, kinds: readonly Omit<Kind, 'service'>[]): Kind[] =>
  kinds.map((kind) => ({ ...kind, service: name }));

/** The kinds of objects, by service. */
export const kinds: Readonly<Record<ServiceName, readonly Kind[]>> = {
  registry: of('registry', registry),
  scheduler: of('scheduler', scheduler),
  secrets: of('secrets', secrets),
  accounts: of('accounts', accounts),
  box: of('box', box),
};

/** Creates objects of a kind, from one up to another. */
export async function fill(running: Running, kind: Kind, from: number, to: number): Promise<void> {
  const end = Math.min(to, kind.most ?? to);
  for (let at = from; at < end; at += kind.width ?? 1) await running.load(kind.service, kind.create(at));
}
