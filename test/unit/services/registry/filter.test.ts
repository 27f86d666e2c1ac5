import { describe, expect, test } from 'vitest';
import { guarded, registry } from './support.ts';

const web = {
  Node: 'n1',
  Address: '10.0.0.1',
  NodeMeta: { zone: 'a' },
  Service: { Service: 'web', Tags: ['v1'], Port: 80, Meta: { env: 'prod' } },
  Check: { Name: 'alive', Status: 'passing', ServiceID: 'web', ServiceName: 'web' },
};
const other = {
  Node: 'n2',
  Address: '10.0.0.2',
  Service: { Service: 'web', Tags: ['v2'], Port: 81 },
  Check: { Name: 'alive', Status: 'critical', ServiceID: 'web', ServiceName: 'web' },
};

async function withServices() {
  const all = await registry();
  for (const each of [web, other]) await all.json('PUT', 'catalog/register', each);
  /** The nodes that are answered. */
  const nodes = async (path: string, filter: string) => {
    const found = await all.json('GET', `${path}?filter=${encodeURIComponent(filter)}`);
    return found.map(({ Node }) => (typeof Node === 'string' ? Node : (Node as { Node: string }).Node));
  };
  return { ...all, nodes };
}

describe('a filter selects from the response', () => {
  test.each([
    ['catalog/nodes', 'Meta.zone == a', ['n1']],
    ['catalog/nodes', 'Node matches "^n[0-9]$" and zone not in Meta', ['n2']],
    ['catalog/service/web', 'v2 in ServiceTags', ['n2']],
    ['catalog/service/web', 'ServiceMeta.env == prod and ServicePort == 80', ['n1']],
    ['catalog/service/web', 'ServicePort == 82', []],
    ['health/service/web', 'Service.Tags contains v1 or Node.Meta.zone == b', ['n1']],
    ['health/checks/web', 'Status != passing', ['n2']],
    ['health/node/n1', 'Name == alive', ['n1']],
    ['health/state/any', 'ServiceName == web and Status == critical', ['n2']],
  ])('of %s: %s', async (path, filter, expected) => {
    const { nodes } = await withServices();
    expect(await nodes(path, filter)).toEqual(expected);
  });

  test('of the services of a node', async () => {
    const { ask } = await withServices();
    const { json } = await ask('GET', 'catalog/node/n1?filter=Port==81');
    expect(json).toMatchObject({ Node: { Node: 'n1' }, Services: {} });
  });

  test('and is rejected if it is invalid, or unsupported here', async () => {
    const { said } = await withServices();
    expect(await said('GET', 'catalog/nodes?filter=Node=')).toEqual([
      400,
      'Invalid filter: unexpected character at 5',
    ]);
    expect(await said('GET', 'health/service/web?filter=(')).toEqual([
      400,
      expect.stringMatching(/^Invalid filter/),
    ]);
    expect((await said('GET', 'catalog/services?filter=a==b'))[0]).toBe(400);
  });

  test('and sees nothing that the caller may not see', async () => {
    const { manage, holder, ask } = await guarded();
    await manage('PUT', 'catalog/register', { Node: 'n1', Address: '10.0.0.1' });
    const { secret } = await holder('node "lanyard" { policy = "read" }');
    const headers = { 'X-Registry-Token': secret };
    const seen = async (filter: string) => {
      const answer = await ask('GET', `catalog/nodes?filter=${filter}`, { headers });
      return [answer.text, answer.headers['x-registry-results-filtered-by-acls']];
    };
    // Whether it is there or not, the answer is the same.
    expect(await seen('Node==n1')).toEqual(['[]', 'true']);
    expect(await seen('Node==n9')).toEqual(['[]', 'true']);
  });
});
