import type { KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import { rsaPair } from './keys.ts';
import { type Home, home } from './run.ts';
import { services } from './services.ts';

/** A registry with two datacenters, whose objects have the same names and different contents. */
export interface TwoDatacenters {
  readonly at: Home;
  readonly address: string;
  /** Sends a request with the management token. */
  ask(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ readonly status: number; readonly json: never }>;
  /** What a datacenter has of its own, as one text. */
  own(dc: string): Promise<string>;
  /** What all datacenters share: that of the primary one. */
  shared(): Promise<string>;
  /** IDs of objects in `dc2` which have no name. */
  readonly ids: { readonly [name: string]: string };
  readonly jwt: string;
  close(): Promise<void>;
}

const accessor = (last: string): string => `7e000000-0000-4000-8000-00000000000${last}`;
export const globalToken = accessor('1');

/** Where the registry and its settings are from. */
interface Engine {
  readonly address: string;
  readonly token: string;
  close(): Promise<void>;
}

/**
 * The embedded registry, or the one that the variables of the environment name. A Consul needs a higher
 * `limits.http_max_conns_per_client` than the default of 200: each command of the test opens connections.
 */
async function engine(at: Home): Promise<Engine> {
  const { TWO_DATACENTERS_ADDR: address, TWO_DATACENTERS_TOKEN: token } = process.env;
  if (address && token) {
    at.env.LANYARD_REGISTRY_ADDR = address;
    return { address, token, close: async () => undefined };
  }
  const running = await services(at, { datacenters: ['dc1', 'dc2'] });
  const { stdout } = await at.run(['acl', 'bootstrap', '-o', 'json']);
  return {
    address: running.addresses.registry,
    token: JSON.parse(stdout).SecretID,
    close: () => running.close(),
  };
}

const key = rsaPair();
const pem = key.publicKey.export({ format: 'pem', type: 'spki' }).toString();
const signed = (privateKey: KeyObject): Promise<string> =>
  new SignJWT({ team: 'ops' })
    .setProtectedHeader({ alg: 'RS256' })
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(privateKey);

/** Lists of what each datacenter has of its own. */
const ownPaths = [
  ...['kv/?recurse', 'acl/auth-methods', 'acl/binding-rules', 'query', 'session/list', 'catalog/nodes'],
  ...['catalog/services', 'catalog/service/web', 'health/state/any'],
];
const sharedPaths = ['acl/policies', 'acl/roles', 'config/service-defaults'];

type Ask = TwoDatacenters['ask'];

/** Deletes what an earlier federation left in a registry that is not started for the test. */
async function clear(ask: Ask): Promise<void> {
  const all = async (path: string) =>
    ((await ask('GET', path)).json ?? []) as readonly { readonly [name: string]: string }[];
  for (const dc of ['dc1', 'dc2']) {
    const where = `?dc=${dc}`;
    await ask('DELETE', `kv/?recurse&dc=${dc}`);
    for (const { Name } of await all(`acl/auth-methods${where}`))
      await ask('DELETE', `acl/auth-method/${Name}${where}`);
    for (const { ID } of await all(`query${where}`)) await ask('DELETE', `query/${ID}${where}`);
    for (const { ID } of await all(`session/list${where}`)) await ask('PUT', `session/destroy/${ID}${where}`);
    await ask('PUT', 'catalog/deregister', { Datacenter: dc, Node: `n-${dc}` });
  }
  for (const { ID, Name } of await all('acl/policies'))
    if (!/global/.test(String(Name))) await ask('DELETE', `acl/policy/${ID}`);
  for (const { ID } of await all('acl/roles')) await ask('DELETE', `acl/role/${ID}`);
  for (const { AccessorID, Description } of await all('acl/tokens'))
    if (!/Initial|Anonymous|Bootstrap/.test(String(Description)))
      await ask('DELETE', `acl/token/${AccessorID}`);
  for (const { Name } of await all('config/service-defaults'))
    await ask('DELETE', `config/service-defaults/${Name}`);
}

export async function twoDatacenters(): Promise<TwoDatacenters> {
  const at = home();
  const { address, token, close } = await engine(at);
  at.env.LANYARD_REGISTRY_TOKEN = token;
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${address}/v1/${path}`, {
      method,
      headers: { 'X-Consul-Token': token },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, json: parsed(text) as never };
  };
  const must = async (method: string, path: string, body?: unknown) => {
    for (let tries = 0; ; tries++) {
      const { status, json } = await ask(method, path, body);
      if (status === 200) return json as { readonly [name: string]: string };
      if (tries === 100) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(json)}`);
    }
  };
  if (process.env.TWO_DATACENTERS_ADDR !== undefined) await clear(ask);
  const jwt = await signed(key.privateKey);
  const ids: Record<string, string> = {};
  await must('PUT', 'acl/policy', { Name: 'p', Rules: 'key_prefix "" { policy = "read" }' });
  await must('PUT', 'acl/role', { Name: 'r', Policies: [{ Name: 'p' }] });
  await must('PUT', 'acl/token', { AccessorID: globalToken, Policies: [{ Name: 'p' }] });
  await must('PUT', 'config', { Kind: 'service-defaults', Name: 'web', Protocol: 'http' });
  for (const dc of ['dc1', 'dc2']) {
    const mark = `mark-${dc}`;
    const where = `?dc=${dc}`;
    for (const name of ['app/name', 'app/other']) await must('PUT', `kv/${name}${where}`, mark);
    const method = { Name: 'login', Type: 'jwt', DisplayName: mark, Config: { JWTValidationPubKeys: [pem] } };
    await must('PUT', `acl/auth-method${where}`, method);
    const rule = { AuthMethod: 'login', BindType: 'service', BindName: mark };
    const ruleId = (await must('PUT', `acl/binding-rule${where}`, rule)).ID;
    const Node = `n-${dc}`;
    await must('PUT', `catalog/register${where}`, {
      Datacenter: dc,
      Node,
      Address: '10.0.0.1',
      Service: { Service: 'web', Tags: [mark] },
      Check: { CheckID: 'serfHealth', Name: 'serf', Status: 'passing' },
    });
    const query = { Name: 'q', Service: { Service: 'web', Tags: [mark] } };
    const Template = { Type: 'name_prefix_match' };
    await must('POST', `query${where}`, { Name: 't-', Template, Service: { Service: mark } });
    const queryId = (await must('POST', `query${where}`, query)).ID;
    const sessionId = (await must('PUT', `session/create${where}`, { Name: mark, Node })).ID;
    const login = await must('POST', `acl/login${where}`, { AuthMethod: 'login', BearerToken: jwt });
    Object.assign(ids, { rule: ruleId, query: queryId, session: sessionId, local: login.AccessorID });
    ids.secret = String(login.SecretID);
  }
  const corp = {
    Name: 'corp',
    Type: 'jwt',
    Config: { JWTValidationPubKeys: [pem], BoundIssuer: 'https://corp.example.com' },
  };
  await must('PUT', 'acl/auth-method?dc=dc2', corp);
  await must('PUT', 'kv/only/here?dc=dc2', 'x');
  await must('PUT', 'catalog/register?dc=dc2', {
    Datacenter: 'dc2',
    Node: 'n-dc2',
    Address: '10.0.0.1',
    Service: { Service: 'only' },
  });
  const listed = async (paths: readonly string[], dc: string) =>
    Promise.all(
      paths.map(async (path) => [
        path,
        (await ask('GET', `${path}${path.includes('?') ? '&' : '?'}dc=${dc}`)).json,
      ]),
    );
  const tokens = async (dc: string, local: boolean) =>
    ((await ask('GET', `acl/tokens?dc=${dc}`)).json as readonly { readonly Local: boolean }[]).filter(
      ({ Local }) => Local === local,
    );
  /** Changes with a lock too, which leaves no key. */
  async function kvIndex(dc: string): Promise<string | null> {
    const response = await fetch(`${address}/v1/kv/locks?recurse&dc=${dc}`, {
      headers: { 'X-Consul-Token': token },
    });
    await response.text();
    return response.headers.get('x-consul-index');
  }

  return {
    at,
    address,
    ask,
    ids,
    jwt,
    async own(dc) {
      const found = [await listed(ownPaths, dc), await tokens(dc, true), await kvIndex(dc)];
      return JSON.stringify(found, null, 1);
    },
    shared: async () =>
      JSON.stringify([await listed(sharedPaths, 'dc1'), await tokens('dc1', false)], null, 1),
    async close() {
      await close();
      at.remove();
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
