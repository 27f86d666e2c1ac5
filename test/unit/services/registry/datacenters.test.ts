import { describe, expect, test } from 'vitest';
import { nearestFirst } from '../../../../src/services/registry/federation.ts';
import type { EmbeddedOptions } from '../../../../src/services/start-services.ts';
import { folder } from '../support.ts';
import { registry } from './support.ts';

const three: Partial<EmbeddedOptions> = { datacenters: ['east', 'north', 'west'] };

describe('several datacenters', () => {
  test('keep keys, sessions, nodes and services apart', async () => {
    const { send, json } = await registry(three);
    expect(await send('PUT', 'kv/a?dc=north', 'n')).toBe('200 true');
    expect(await send('GET', 'kv/a?raw&dc=north')).toBe('200 n');
    expect(await send.status('GET', 'kv/a')).toBe(404);
    expect(await send.status('GET', 'kv/a?dc=west')).toBe(404);
    const { ID } = await json('PUT', 'session/create?dc=west', { Node: 'lanyard-west' });
    expect(await json('GET', `session/info/${ID}?dc=west`)).toHaveLength(1);
    expect(await json('GET', `session/info/${ID}`)).toHaveLength(0);
    const web = { Node: 'n', Address: '10.0.0.1', Service: { Service: 'web' } };
    await json('PUT', 'catalog/register?dc=west', web);
    expect(await json('GET', 'health/service/web?dc=west')).toHaveLength(1);
    expect(await json('GET', 'health/service/web')).toHaveLength(0);
    const results = await send.text('PUT', 'txn?dc=north', [
      { Node: { Verb: 'set', Node: { Node: 'made', Datacenter: 'elsewhere', Address: '10.0.0.2' } } },
    ]);
    expect(results).toContain('"Datacenter":"north"');
  });

  test('each have an agent with its health and its name', async () => {
    const { json, send } = await registry(three);
    for (const [name, nodeName] of [
      ['east', 'lanyard'],
      ['north', 'lanyard-north'],
      ['west', 'lanyard-west'],
    ]) {
      const [[node], [check]] = [
        await json('GET', `catalog/nodes?dc=${name}`),
        await json('GET', `health/node/${nodeName}?dc=${name}`),
      ];
      expect(node).toMatchObject({ Node: nodeName, Datacenter: name });
      expect(check).toMatchObject({ CheckID: 'serfHealth', Status: 'passing' });
    }
    // A request to an agent has no datacenter: it is about the agent that receives it.
    for (const query of ['', '?dc=north', '?dc=south'])
      expect(await json('GET', `agent/self${query}`)).toMatchObject({
        Config: { Datacenter: 'east', PrimaryDatacenter: 'east' },
        Member: { Tags: { dc: 'east' } },
      });
    expect(await json('GET', 'status/peers')).not.toEqual(await json('GET', 'status/peers?dc=north'));
    expect(await send('GET', 'kv/a?dc=south')).toBe('500 No path to datacenter');
    expect(await send.status('GET', 'status/leader?dc=WEST')).toBe(200);
  });

  test('have no node of the agent, whose name a session has by default', async () => {
    const { json, send } = await registry(three);
    const missing = '500 apply failed: Missing node registration';
    expect(await send('PUT', 'session/create?dc=west', {})).toEqual(missing);
    expect(await send.status('PUT', 'session/create?dc=east', {})).toBe(200);
    // The default is a name: a node that has it is enough.
    await json('PUT', 'catalog/register?dc=west', { Node: 'lanyard', Address: '10.0.0.1' });
    expect(await send.status('PUT', 'session/create?dc=west', { NodeChecks: [] })).toBe(200);
  });

  test('accept a registration for the datacenter of the body, and remove it there', async () => {
    const { json, send } = await registry(three);
    const names = async (dc: string) => (await json('GET', `catalog/nodes?dc=${dc}`)).map(({ Node }) => Node);
    const node = { Node: 'n', Address: '10.0.0.1', Datacenter: 'West' };
    expect(await send('PUT', 'catalog/register', node)).toBe('200 true');
    expect([await names('east'), await names('west')]).toEqual([['lanyard'], ['lanyard-west', 'n']]);
    expect((await json('GET', 'catalog/service/none?dc=west')).length).toBe(0);
    expect(await send('PUT', 'catalog/deregister', { Node: 'n', Datacenter: 'west' })).toBe('200 true');
    expect(await names('west')).toEqual(['lanyard-west']);
    expect(await send('PUT', 'catalog/register', { ...node, Datacenter: 'x' })).toBe(
      '500 No path to datacenter',
    );
  });

  test('are listed from the nearest to the farthest', async () => {
    const { send, close } = await registry(three);
    expect(await send('GET', 'catalog/datacenters')).toBe('200 ["east","north","west"]');
    expect(await send('GET', 'catalog/datacenters?dc=west')).toBe('200 ["west","north","east"]');
    await close();
    const near = await registry({ ...three, roundTrips: [{ between: ['west', 'east'], milliseconds: 2 }] });
    expect(await near.send('GET', 'catalog/datacenters')).toBe('200 ["east","west","north"]');
    expect(await near.send('GET', 'catalog/datacenters?dc=west')).toBe('200 ["west","east","north"]');
  });

  test('as far from here are listed by name, and this one is always the first', () => {
    const federation = {
      primary: 'b',
      datacenters: ['b', 'd', 'c', 'a'],
      registryOf: () => undefined,
      roundTrip: (from: string, to: string) => (from === to || to === 'd' ? 0 : 5),
    };
    expect(nearestFirst({ datacenter: 'b', federation })).toEqual(['b', 'd', 'a', 'c']);
  });

  test('compile chains for where they are, of the primary one’s entries', async () => {
    const { json } = await registry(three);
    await json('PUT', 'config', { Kind: 'service-resolver', Name: 'web', ConnectTimeout: '7s' });
    const targets = async (query: string) =>
      Object.keys(((await json('GET', `discovery-chain/web?${query}`)) as unknown as Chain).Chain.Targets);
    expect(await targets('dc=west')).toEqual(['web.default.west']);
    expect(await targets('')).toEqual(['web.default.east']);
    expect(await targets('compile-dc=north')).toEqual(['web.default.north']);
    const sni = async (dc: string) =>
      Object.values(
        ((await json('GET', `discovery-chain/web?compile-dc=x&dc=${dc}`)) as unknown as Chain).Chain.Targets,
      )[0]?.SNI;
    expect(await sni('west')).toBe(await sni('east'));
  });

  test('are stored in one folder; a single one is the first of several later', async () => {
    const data = await folder();
    const first = await registry({ dataDirectory: data });
    await first.json('PUT', 'kv/a', '1');
    await first.close();
    const more = await registry({ dataDirectory: data, datacenters: ['dc1', 'dc2'] });
    await more.json('PUT', 'kv/b?dc=dc2', '2');
    expect(await more.send.text('GET', 'kv/a?raw')).toBe('1');
    await more.close();
    const again = await registry({ dataDirectory: data, datacenters: ['dc1', 'dc2'] });
    expect(await again.send('GET', 'kv/?keys&dc=dc2')).toBe('200 ["b"]');
    expect(await again.send('GET', 'kv/?keys')).toBe('200 ["a"]');
    await again.close();
    await expect(registry({ dataDirectory: data, datacenters: ['dc2', 'dc1'] })).rejects.toThrow(
      /is of the datacenter "dc1", not of "dc2"/,
    );
  });
});

interface Chain {
  readonly Chain: { readonly Targets: Readonly<Record<string, { readonly SNI: string }>> };
}
