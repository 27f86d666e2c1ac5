import { describe, expect, onTestFinished, test } from 'vitest';
import { State } from '../../../../src/services/core/state/state.ts';
import type { TableName } from '../../../../src/services/registry/model/tables.ts';
import { Replicator } from '../../../../src/services/registry/replication/replicator.ts';
import { TokenBucket } from '../../../../src/services/registry/replication/token-bucket.ts';
import { eventually } from '../../../support/eventually.ts';
import { memoryStorage } from '../../../support/memory-storage.ts';
import { folder } from '../support.ts';
import { guarded, registry } from './support.ts';

const two = () => guarded({ datacenters: ['dc1', 'dc2'] });

describe('replication', () => {
  test('makes tokens of the primary datacenter and their policies valid in the others', async () => {
    const { manage, root, send, withToken } = await two();
    await eventually(async () => expect(await root('PUT', 'kv/a?dc=dc2', '1')).toBe('200 true'));
    expect(await send.status('GET', 'kv/a?dc=dc2')).toBe(403);
    await manage('PUT', 'acl/policy', { Name: 'a', Rules: 'key "a" { policy = "read" }' });
    const token = await manage('PUT', 'acl/token', { Policies: [{ Name: 'a' }] });
    const own = withToken(token.SecretID);
    await eventually(async () => expect(await own('GET', 'kv/a?raw&dc=dc2')).toBe('200 1'));
    expect(await own.status('PUT', 'kv/a?dc=dc2', '2')).toBe(403);
    await manage('DELETE', `acl/token/${token.AccessorID}`);
    await eventually(async () => expect(await own('GET', 'kv/a?raw&dc=dc2')).toBe('403 ACL not found'));
  });

  test('leaves local tokens where they were made', async () => {
    const { withToken, manage } = await two();
    const here = await manage('PUT', 'acl/token', { Local: true, Description: 'here' });
    // As in Consul: the datacenter of such a request is ignored, and the agent creates the token in its own.
    const second = await manage('PUT', 'acl/token?dc=dc2', { Local: true, Description: 'second' });
    const self = (token: typeof here, dc: string) =>
      withToken(token.SecretID).status('GET', `acl/token/self?dc=${dc}`);
    for (const token of [here, second])
      expect([await self(token, 'dc1'), await self(token, 'dc2')]).toEqual([200, 403]);
    const changed = { Description: 'new', Local: true };
    const path = `acl/token/${second.AccessorID}`;
    expect(await manage('PUT', `${path}?dc=none`, changed)).toMatchObject(changed);
    await manage('DELETE', `${path}?dc=dc2`);
    expect(await self(second, 'dc1')).toBe(403);
  });

  test('writes policies in the primary datacenter whatever the request says, and forwards config entries', async () => {
    const { manage, root } = await two();
    const policy = await manage('PUT', 'acl/policy?dc=dc2', { Name: 'p' });
    const path = `acl/policy/${policy.ID}`;
    expect(await manage('GET', path)).toEqual(policy);
    await eventually(async () => expect(await root('GET', `${path}?dc=dc2`)).toMatch(/^200 .*"Name":"p"/));
    await manage('PUT', 'config?dc=dc2', { Kind: 'service-defaults', Name: 'web', Protocol: 'http' });
    const entry = 'config/service-defaults/web';
    for (const dc of ['dc1', 'dc2'])
      await eventually(async () =>
        expect(await root('GET', `${entry}?dc=${dc}`)).toMatch(/^200 .*"Protocol":"http"/),
      );
    await manage('DELETE', `${entry}?dc=dc2`);
    await eventually(async () => expect(await root.status('GET', `${entry}?dc=dc2`)).toBe(404));
    expect(await root.status('PUT', 'acl/token?dc=dc2', { Local: 1 })).toBe(400);
  });

  test('reports its progress; in the primary datacenter there is none', async () => {
    const { manage, ask, rootHeaders: headers } = await two();
    expect(await manage('GET', 'acl/replication')).toEqual({
      Enabled: false,
      Running: false,
      SourceDatacenter: '',
      ReplicationType: '',
      ReplicatedIndex: 0,
      ReplicatedRoleIndex: 0,
      ReplicatedTokenIndex: 0,
      LastSuccess: '0001-01-01T00:00:00Z',
      LastError: '0001-01-01T00:00:00Z',
      LastErrorMessage: '',
    });
    await manage('PUT', 'acl/policy?dc=dc2', { Name: 'p' });
    const indexOf = async (path: string) => {
      const reply = await ask('GET', path, { headers });
      return Number(reply.headers['x-registry-index']);
    };
    const index = await indexOf('acl/policies');
    const expected = {
      Enabled: true,
      Running: true,
      SourceDatacenter: 'dc1',
      ReplicationType: 'tokens',
      ReplicatedIndex: index,
      ReplicatedRoleIndex: 1,
      ReplicatedTokenIndex: await indexOf('acl/tokens'),
      LastSuccess: '2026-01-02T12:00:00Z',
      LastError: '0001-01-01T00:00:00Z',
      LastErrorMessage: '',
    };
    await eventually(async () => expect(await manage('GET', 'acl/replication?dc=dc2')).toEqual(expected));
  });

  test('lags behind many writes, and catches up with all of them', async () => {
    const { manage } = await two();
    const count = async (dc: string) => Number((await manage('GET', `acl/policies?dc=${dc}`)).length);
    let lagging = 0;
    for (let at = 0; at < 30; at++) {
      await manage('PUT', 'acl/policy?dc=dc2', { Name: `p${at}` });
      // A round may come at any moment, but not after each write.
      const there = await count('dc2');
      if (there < at + 2) lagging++;
    }
    expect(lagging).toBeGreaterThan(0);
    expect(await count('dc1')).toBe(32);
    await eventually(async () => expect(await count('dc2')).toBe(32));
  });

  test('resumes after a restart, and does not change equal entries', async () => {
    const data = await folder();
    const first = await guarded({ dataDirectory: data, datacenters: ['dc1', 'dc2'] });
    const policy = await first.manage('PUT', 'acl/policy?dc=dc2', { Name: 'p' });
    const path = `acl/policy/${policy.ID}?dc=dc2`;
    await eventually(async () => expect(await first.root.status('GET', path)).toBe(200));
    const before = await first.manage('GET', path);
    await first.close();
    const again = await registry({ dataDirectory: data, datacenters: ['dc1', 'dc2'] });
    const { json } = await again.ask('GET', path, { headers: first.rootHeaders });
    expect(json).toEqual(before);
  });
});

test('a failed round is reported, and the next one catches up', async () => {
  let broken = false;
  const storage = memoryStorage();
  const parts = {
    clock: () => new Date('2026-01-02T12:00:00.5Z'),
    random: (length: number) => new Uint8Array(length),
  };
  const primary = new State<TableName>({ ...parts, storage: memoryStorage() });
  const own = new State<TableName>({
    ...parts,
    storage: {
      ...storage,
      write: async (changes) =>
        broken ? Promise.reject(new Error('the disk is full')) : storage.write(changes),
    },
  });
  const failures: unknown[] = [];
  const replicator = new Replicator({
    primary: { datacenter: 'dc1', state: primary },
    secondary: own,
    onError: (error) => failures.push(error),
  });
  onTestFinished(() => {
    replicator.stop();
    primary.close();
  });
  const put = (key: string) =>
    primary.update((draft) => draft.write({ key: `config/${key}`, value: { Name: key } }));
  await put('first');
  await replicator.start();
  broken = true;
  await put('a');
  await eventually(() =>
    expect(replicator.status).toMatchObject({
      LastError: '2026-01-02T12:00:00Z',
      LastErrorMessage: 'the disk is full',
    }),
  );
  expect(failures.length).toBeGreaterThan(0);
  broken = false;
  await put('b');
  await eventually(() => expect(own.view.keys('config/')).toEqual(['config/a', 'config/b', 'config/first']));
});

test('a token bucket permits a burst, then one in each interval, and saves at most a burst', () => {
  const pace = new TokenBucket(2, 1000, 0);
  expect([pace.take(0), pace.take(0), pace.take(0)]).toEqual([0, 0, 1000]);
  expect(pace.take(1000)).toBe(1000);
  expect([pace.take(60_000), pace.take(60_000), pace.take(60_000)]).toEqual([0, 0, 1000]);
});
