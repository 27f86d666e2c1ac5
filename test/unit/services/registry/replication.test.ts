import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { State } from '../../../../src/services/core/state/state.ts';
import type { TableName } from '../../../../src/services/registry/model/tables.ts';
import { Replicator } from '../../../../src/services/registry/replication/replicator.ts';
import { TokenBucket } from '../../../../src/services/registry/replication/token-bucket.ts';
import { memoryStorage } from '../../../support/memory-storage.ts';
import { folder } from '../support.ts';
import { registry } from './support.ts';

/** Two datacenters whose access control is bootstrapped. */
async function two(options: Parameters<typeof registry>[0] = {}) {
  const open = await registry({ datacenters: ['dc1', 'dc2'], ...options });
  const root = String((await open.ask('PUT', 'acl/bootstrap')).json?.SecretID);
  const as = (token: string) => async (method: string, path: string, body?: unknown) => {
    const { status, text } = await open.ask(method, path, { body, headers: { 'X-Registry-Token': token } });
    return [status, text] as const;
  };
  const manage = async (method: string, path: string, body?: unknown) => {
    const [status, text] = await as(root)(method, path, body);
    expect(status, text).toBe(200);
    return JSON.parse(text);
  };
  return { ...open, root, as, manage };
}

/** What was asked of a secondary datacenter may take a round. */
async function soon<Value>(ask: () => Promise<Value>, good: (value: Value) => boolean): Promise<Value> {
  for (let tries = 0; ; tries++) {
    const value = await ask();
    if (good(value) || tries === 1_000) return value;
    await pause(30);
  }
}

describe('replication', () => {
  test('makes tokens of the primary datacenter and their policies valid in the others', async () => {
    const { as, manage, root, said } = await two();
    const ok = ([status]: readonly [number, string]) => status === 200;
    expect(await soon(() => as(root)('PUT', 'kv/a?dc=dc2', '1'), ok)).toEqual([200, 'true']);
    expect((await said('GET', 'kv/a?dc=dc2'))[0]).toBe(403);
    await manage('PUT', 'acl/policy', { Name: 'a', Rules: 'key "a" { policy = "read" }' });
    const token = await manage('PUT', 'acl/token', { Policies: [{ Name: 'a' }] });
    const own = as(token.SecretID);
    expect(await soon(() => own('GET', 'kv/a?raw&dc=dc2'), ok)).toEqual([200, '1']);
    expect((await own('PUT', 'kv/a?dc=dc2', '2'))[0]).toBe(403);
    await manage('DELETE', `acl/token/${token.AccessorID}`);
    const gone = await soon(
      () => own('GET', 'kv/a?raw&dc=dc2'),
      ([status]) => status === 403,
    );
    expect(gone).toEqual([403, 'ACL not found']);
  });

  test('leaves local tokens where they were made', async () => {
    const { as, manage } = await two();
    const here = await manage('PUT', 'acl/token', { Local: true, Description: 'here' });
    // As in Consul: the datacenter of such a request is ignored, and the agent creates the token in its own.
    const second = await manage('PUT', 'acl/token?dc=dc2', { Local: true, Description: 'second' });
    const self = async (token: { SecretID: string }, dc: string) =>
      (await as(token.SecretID)('GET', `acl/token/self?dc=${dc}`))[0];
    for (const token of [here, second])
      expect([await self(token, 'dc1'), await self(token, 'dc2')]).toEqual([200, 403]);
    const changed = await manage('PUT', `acl/token/${second.AccessorID}?dc=none`, {
      Description: 'new',
      Local: true,
    });
    expect(changed).toMatchObject({ Local: true, Description: 'new' });
    await manage('DELETE', `acl/token/${second.AccessorID}?dc=dc2`);
    expect(await self(second, 'dc1')).toBe(403);
  });

  test('writes policies in the primary datacenter whatever the request says, and forwards config entries', async () => {
    const { manage, as, root } = await two();
    const policy = await manage('PUT', 'acl/policy?dc=dc2', { Name: 'p' });
    expect(await manage('GET', `acl/policy/${policy.ID}`)).toEqual(policy);
    expect(
      await soon(
        () => as(root)('GET', `acl/policy/${policy.ID}?dc=dc2`),
        ([status]) => status === 200,
      ),
    ).toMatchObject([200, expect.stringContaining('"Name":"p"')]);
    await manage('PUT', 'config?dc=dc2', { Kind: 'service-defaults', Name: 'web', Protocol: 'http' });
    const statusOf = (dc: string) =>
      as(root)('GET', `config/service-defaults/web?dc=${dc}`).then(([status]) => status);
    for (const dc of ['dc1', 'dc2']) {
      expect(
        await soon(
          () => statusOf(dc),
          (status) => status === 200,
        ),
      ).toBe(200);
      expect(await manage('GET', `config/service-defaults/web?dc=${dc}`)).toMatchObject({ Protocol: 'http' });
    }
    await manage('DELETE', 'config/service-defaults/web?dc=dc2');
    expect(
      await soon(
        () => statusOf('dc2'),
        (status) => status === 404,
      ),
    ).toBe(404);
    expect((await as(root)('PUT', 'acl/token?dc=dc2', { Local: 1 }))[0]).toBe(400);
  });

  test('reports its progress; in the primary datacenter there is none', async () => {
    const { manage, ask, root } = await two();
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
      const { headers } = await ask('GET', path, { headers: { 'X-Registry-Token': root } });
      return Number(headers['x-registry-index']);
    };
    const index = await indexOf('acl/policies');
    const status = () => manage('GET', 'acl/replication?dc=dc2');
    expect(await soon(status, ({ ReplicatedIndex }) => ReplicatedIndex === index)).toEqual({
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
    });
  });

  test('lags behind many writes, and catches up with all of them', async () => {
    const { manage } = await two();
    const count = async (dc: string) => (await manage('GET', `acl/policies?dc=${dc}`)).length;
    let lagging = 0;
    for (let at = 0; at < 30; at++) {
      await manage('PUT', 'acl/policy?dc=dc2', { Name: `p${at}` });
      // A round may come at any moment, but not after each write.
      const there = await count('dc2');
      if (there < at + 2) lagging++;
    }
    expect(lagging).toBeGreaterThan(0);
    expect(await count('dc1')).toBe(32);
    expect(
      await soon(
        () => count('dc2'),
        (all) => all === 32,
      ),
    ).toBe(32);
  });

  test('resumes after a restart, and does not change equal entries', async () => {
    const data = await folder();
    const first = await two({ dataDirectory: data });
    const policy = await first.manage('PUT', 'acl/policy?dc=dc2', { Name: 'p' });
    const read = () => first.as(first.root)('GET', `acl/policy/${policy.ID}?dc=dc2`);
    const before = JSON.parse((await soon(read, ([status]) => status === 200))[1]);
    await first.close();
    const again = await registry({ dataDirectory: data, datacenters: ['dc1', 'dc2'] });
    const { json } = await again.ask('GET', `acl/policy/${policy.ID}?dc=dc2`, {
      headers: { 'X-Registry-Token': first.root },
    });
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
  const failed = await soon(
    async () => replicator.status,
    ({ LastErrorMessage }) => LastErrorMessage !== '',
  );
  expect(failed).toMatchObject({ LastError: '2026-01-02T12:00:00Z', LastErrorMessage: 'the disk is full' });
  expect(failures.length).toBeGreaterThan(0);
  broken = false;
  await put('b');
  const keys = await soon(
    async () => own.view.keys('config/'),
    (all) => all.length === 3,
  );
  expect(keys).toEqual(['config/a', 'config/b', 'config/first']);
});

test('a token bucket permits a burst, then one in each interval, and saves at most a burst', () => {
  const pace = new TokenBucket(2, 1000, 0);
  expect([pace.take(0), pace.take(0), pace.take(0)]).toEqual([0, 0, 1000]);
  expect(pace.take(1000)).toBe(1000);
  expect([pace.take(60_000), pace.take(60_000), pace.take(60_000)]).toEqual([0, 0, 1000]);
});
