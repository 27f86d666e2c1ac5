// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these places are filled by the registry.
import { expect, test } from 'vitest';
import { responseContaining } from '../callers.ts';
import { guarded, registry } from './support.ts';

// As seen on Consul 1.21.4.
const template = { Type: 'name_prefix_match' };

test('$$ before { is a dollar sign in a template', async () => {
  const { json } = await registry();
  await json('POST', 'query', {
    Name: 'a-',
    Template: template,
    Service: { Service: '$${x}-${name.suffix}' },
  });
  expect(await json('GET', 'query/a-b/explain')).toMatchObject({ Query: { Service: { Service: '${x}-b' } } });
});

test.each([
  ['?connect', 200],
  ['?connect=', 200],
  ['?connect=F', 200],
  ['?connect=x', 500],
])('a query is executed with %s: %i', async (parameters, status) => {
  const { json, send } = await registry();
  await json('POST', 'query', { Name: 'q', Service: { Service: 'consul' } });
  expect(await send('GET', `query/q/execute${parameters}`)).toEqual(
    responseContaining(status, status === 200 ? '"Port":8300' : "Error parsing 'connect' value"),
  );
});

test('a failover without instances names the last peer or datacenter, and counts all', async () => {
  const { json } = await registry();
  const Targets = [{ Peer: 'p1' }, { Datacenter: 'dc9' }, { Peer: 'p2' }, { Datacenter: 'dc1' }];
  await json('POST', 'query', { Name: 'q', Service: { Service: 'none', Failover: { Targets } } });
  expect(await json('GET', 'query/q/execute')).toMatchObject({
    Nodes: [],
    Datacenter: '',
    PeerName: 'p2',
    Failovers: 2,
  });
});

test('the services of a node are null without any, and an empty list if none is selected', async () => {
  const { json } = await registry();
  await json('PUT', 'catalog/register', { Node: 'n', Address: '10.0.0.1' });
  expect(await json('GET', 'catalog/node-services/n')).toMatchObject({ Services: null });
  await json('PUT', 'catalog/register', { Node: 'n', Address: '10.0.0.1', Service: { Service: 'web' } });
  expect(await json('GET', 'catalog/node-services/n?filter=Service==api')).toMatchObject({ Services: [] });
});

test('permissions for intentions are those of the service, by default to read', async () => {
  const { ask, holder } = await guarded();
  const { secret } = await holder(`
    service "a" { policy = "write" intentions = "read" }
    service "b" { policy = "write" }
    service_prefix "d" { policy = "read" intentions = "write" }
    service "e" { policy = "deny" }
    service "f" { policy = "write" intentions = "deny" }`);
  const names = ['a', 'b', 'd1', 'e', 'f', 'zz', '*'];
  const body = names.flatMap((Segment) =>
    ['read', 'write'].map((Access) => ({ Resource: 'intention', Segment, Access })),
  );
  const { text } = await ask('POST', 'internal/acl/authorize', {
    body,
    headers: { 'X-Consul-Token': secret },
  });
  const allowed = (JSON.parse(text) as { Segment: string; Access: string; Allow: boolean }[])
    .filter(({ Allow }) => Allow)
    .map(({ Segment, Access }) => `${Segment} ${Access}`);
  expect(allowed).toEqual(['a read', 'b read', 'd1 read', 'd1 write', '* read']);
});
