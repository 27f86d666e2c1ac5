import type { Json } from '../../../src/wire/json.ts';

/** A request of a sequence. `{N}` in its path or body is the ID in the response to request N of the sequence. */
export interface NamedRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  readonly path: string;
  readonly sent?: Json;
}

/** A generator of numbers from 0 to 1: the same ones for the same seed (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** All names of a sequence begin with this, in any case. */
export const prefixOf = (seed: number): string => `s${seed}-`;

/** Of no use to anybody. */
const publicKey = `-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEPYS6ZwAyKwF6GRu1jAnd9gkwE94v
6XYhCswpXi3Plw0RRiuZSBTEvhIit1Z6v1tr1pLl+x2YOjFeSXWnlYlaHg==
-----END PUBLIC KEY-----
`;
const addresses = ['10.0.0.1', '10.0.0.2'];
const kinds = ['service-defaults', 'service-resolver'];
const metadata: readonly Json[] = [
  { a: 'b' },
  { 'co:lon': 'x' },
  { '': 'x' },
  { é: 'x' },
  { 'consul-x': 'x' },
  { ['k'.repeat(128)]: 'x' },
  { ['k'.repeat(129)]: 'x' },
  { v: 'x'.repeat(512) },
  { v: 'x'.repeat(513) },
  { v: 'é'.repeat(257) },
  Object.fromEntries(Array.from({ length: 64 }, (_, index) => [`k${index}`, ''])),
  Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`k${index}`, ''])),
];

/** Requests with few names in random case, so that most of them meet a name that exists in another case. */
export function sequence(seed: number, length: number): NamedRequest[] {
  const next = numbers(seed);
  const below = (bound: number): number => Math.floor(next() * bound);
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  const cased = (text: string): string =>
    pick([
      text,
      text.toUpperCase(),
      text.replace(/[a-z]/g, (letter) => (below(2) === 0 ? letter : letter.toUpperCase())),
    ]);
  const name = (...words: readonly string[]): string => cased(prefixOf(seed) + pick(words));
  const node = () => name('foo', 'bar');
  const service = () => name('web', 'api');
  const check = () => name('ping', 'disk');
  const query = () => name('q', 'qq', 'q-long');
  const grant = () => name('ops', 'dev');
  const maybe = (fields: { readonly [name: string]: Json }): object => (below(3) === 0 ? fields : {});
  const requests: NamedRequest[] = [];
  const created = { queries: [] as number[], grants: [] as number[] };
  const add = (method: NamedRequest['method'], path: string, sent?: Json) =>
    requests.push({ method, path, ...(sent !== undefined && { sent }) });
  const status = () => pick(['passing', 'warning', 'critical']);
  const serviceBody = (): Json => ({
    Service: service(),
    ...maybe({ ID: service() }),
    Port: below(3),
    ...(below(6) === 0 && { Meta: pick(metadata) }),
  });
  const checkBody = (at: string): Json => ({
    Node: pick([at, node()]),
    CheckID: check(),
    Name: 'check',
    Status: status(),
    ...maybe({ ServiceID: service() }),
  });
  const queryBody = (): Json => ({
    Name: query(),
    Service: { Service: service(), ...(below(6) === 0 && { NodeMeta: pick(metadata) }) },
    ...maybe({ Template: { Type: 'name_prefix_match' } }),
  });
  const registration = (): Json => {
    const at = node();
    return {
      Node: at,
      ...(below(5) > 0 && { Address: pick(addresses) }),
      ...maybe({ SkipNodeUpdate: true }),
      ...(below(2) === 0 && { Service: serviceBody() }),
      ...maybe({ Check: checkBody(at) }),
      ...(below(10) === 0 && { NodeMeta: pick(metadata) }),
    };
  };
  const operation = (): Json => {
    const Verb = pick(['set', 'set', 'get', 'delete']);
    switch (below(4)) {
      case 0:
        return { Node: { Verb, Node: { Node: node(), Address: pick(addresses) } } };
      case 1:
        return { Service: { Verb, Node: node(), Service: serviceBody() } };
      case 2:
        return { Check: { Verb, Check: checkBody(node()) } };
      default:
        return { KV: { Verb, Key: name('key'), Value: 'MQ==' } };
    }
  };
  const writes = [
    () => add('PUT', 'catalog/register', registration()),
    () => add('PUT', 'catalog/register', registration()),
    () => add('PUT', 'catalog/register', registration()),
    () =>
      add('PUT', 'catalog/deregister', {
        Node: node(),
        ...maybe({ ServiceID: service() }),
        ...maybe({ CheckID: check() }),
      }),
    () => add('PUT', 'txn', [operation(), ...(below(2) === 0 ? [operation()] : [])]),
    () => add('PUT', 'txn', [operation(), ...(below(2) === 0 ? [operation()] : [])]),
    () =>
      add('PUT', 'session/create', {
        Node: node(),
        Name: 'lock',
        NodeChecks: below(2) === 0 ? [] : [check()],
      }),
    () => created.queries.push(add('POST', 'query', queryBody()) - 1),
    () => created.queries.length > 0 && add('PUT', `query/{${pick(created.queries)}}`, queryBody()),
    () => created.queries.length > 0 && add('DELETE', `query/{${pick(created.queries)}}`),
    () => add('PUT', 'config', { Kind: pick(kinds), Name: service(), ...maybe({ Meta: { a: 'b' } }) }),
    () => add('DELETE', `config/${pick(kinds)}/${service()}`),
    () => add('PUT', `kv/${name('key', 'other')}`, cased('value')),
    () => add('DELETE', `kv/${name('key', 'other')}`),
    () => created.grants.push(add('PUT', `acl/${pick(['policy', 'role'])}`, { Name: grant() }) - 1),
    () =>
      add('PUT', 'acl/auth-method', {
        Name: grant(),
        Type: 'jwt',
        Config: { JWTValidationPubKeys: [publicKey] },
        ...maybe({ Description: cased('text') }),
      }),
    () => add('DELETE', `acl/auth-method/${grant()}`),
    () => add('PUT', 'acl/binding-rule', { AuthMethod: grant(), BindType: 'service', BindName: 'web' }),
  ];
  const reads = [
    () => add('GET', 'catalog/nodes'),
    () => add('GET', 'catalog/services'),
    () => add('GET', `catalog/node/${node()}`),
    () => add('GET', `catalog/node-services/${node()}`),
    () => add('GET', `catalog/service/${service()}`),
    () => add('GET', `health/service/${service()}`),
    () => add('GET', `health/node/${node()}`),
    () => add('GET', `health/checks/${service()}`),
    () => add('GET', `health/state/${cased(status())}`),
    () => add('GET', `session/node/${node()}`),
    () => add('GET', 'query'),
    () => add('GET', `query/${query()}/execute`),
    () => add('GET', `query/${query()}x/explain`),
    () => add('GET', `query/${query()}/explain`),
    () => add('GET', `config/${pick(kinds)}`),
    () => add('GET', `config/${pick(kinds)}/${service()}`),
    () => add('GET', `kv/${name('key', 'other')}?raw`),
    () => add('GET', `acl/policy/name/${grant()}`),
    () => add('GET', `acl/role/name/${grant()}`),
    () => add('GET', `acl/auth-method/${grant()}`),
    () => add('GET', `acl/binding-rules?authmethod=${grant()}`),
    () => add('GET', 'acl/auth-methods'),
  ];
  while (requests.length < length) pick(below(2) === 0 ? writes : reads)();
  return requests;
}
