import { expect, test } from 'vitest';
import { sized } from '../../../support/soak.ts';
import { killedOften, type Load } from '../killing.ts';
import { call, folder, type Reply } from '../support.ts';

// The registry is killed, as by a power cut, while many write transactions. One that was answered is kept whole;
// one that was not is there whole or not at all.

/** Data directories at once; each is killed so many times. */
const lanes = 2;
const kills = sized(12, 4);

/** Keys that one transaction writes. */
const width = 20;

/** Asks the registry that runs now; rejects when it is killed before it answers. */
type Ask = (method: string, path: string, body?: unknown) => Promise<Reply>;

interface Entry {
  readonly Key: string;
  readonly Value: string | null;
  readonly Session?: string;
  readonly LockIndex: number;
  readonly ModifyIndex: number;
}

const numbers = Array.from({ length: width }, (_, at) => at);
const encode = (n: number): string => Buffer.from(`${n}`).toString('base64');
const set = (Key: string, n: number): object => ({ KV: { Verb: 'set', Key, Value: encode(n) } });

async function transact(ask: Ask, operations: readonly object[]): Promise<readonly object[]> {
  const { status, text, json } = await ask('PUT', 'txn', operations);
  expect(status, text).toBe(200);
  return (json as unknown as { readonly Results: readonly object[] }).Results;
}

async function entries(ask: Ask, prefix: string): Promise<readonly Entry[]> {
  const { json } = await ask('GET', `kv/${prefix}?recurse`);
  return (json ?? []) as unknown as readonly Entry[];
}

/** The index of the last write of all that is there. */
async function lastIndex(ask: Ask): Promise<number> {
  const { json } = await ask('PUT', 'txn', [{ KV: { Verb: 'get-tree', Key: 'none' } }]);
  return Number(json?.Index);
}

/** A number written to many keys, a node, its service and its check at once; and to a key of its own, which stays. */
function copies(name: string): Load<Ask> {
  let sent = 0;
  let kept = 0;
  let index = 0;
  return {
    async write(ask) {
      const n = kept + 1;
      sent = n;
      const results = await transact(ask, [
        ...numbers.map((at) => set(`${name}/copy/${at}`, n)),
        set(`${name}/log/${n}`, n),
        { Node: { Verb: 'set', Node: { Node: name, Address: '10.0.0.1', Meta: { n: `${n}` } } } },
        { Service: { Verb: 'set', Node: name, Service: { ID: 's', Service: name, Port: n } } },
        {
          Check: {
            Verb: 'set',
            Check: { Node: name, CheckID: 'c', Name: 'c', Status: 'passing', Output: `${n}` },
          },
        },
      ]);
      const { KV } = results[0] as { readonly KV: Entry };
      expect(KV.ModifyIndex).toBeGreaterThan(index);
      index = KV.ModifyIndex;
      kept = n;
    },
    async check(ask) {
      const copied = await entries(ask, `${name}/copy/`);
      const n = copied.length === 0 ? 0 : Number(Buffer.from(copied[0]?.Value ?? '', 'base64'));
      expect([kept, sent]).toContain(n);
      kept = n;
      if (n === 0) return;
      const seen = new Set(copied.map(({ Value, ModifyIndex }) => `${Value} ${ModifyIndex}`));
      expect([copied.length, seen.size]).toEqual([width, 1]);
      expect(await entries(ask, `${name}/log/`)).toHaveLength(n);
      const { json } = await ask('GET', `health/service/${name}`);
      expect(json).toMatchObject([
        { Node: { Meta: { n: `${n}` } }, Service: { Port: n }, Checks: [{ Output: `${n}` }] },
      ]);
      index = Math.max(index, copied[0]?.ModifyIndex ?? 0);
      expect(await lastIndex(ask)).toBeGreaterThanOrEqual(index);
    },
  };
}

/** One thing that moves from key to key: it is always at one place. */
function moves(name: string): Load<Ask> {
  let sent = 0;
  let kept = 0;
  return {
    async write(ask) {
      sent = kept + 1;
      const from = { KV: { Verb: 'delete', Key: `${name}/at/${kept}` } };
      await transact(ask, [from, set(`${name}/at/${sent}`, sent)]);
      kept = sent;
    },
    async check(ask) {
      const places = (await entries(ask, `${name}/at/`)).map(({ Key }) => Number(Key.split('/').at(-1)));
      if (sent === 0 || (places.length === 0 && kept === 0)) return;
      expect(places).toHaveLength(1);
      expect([kept, sent]).toContain(places[0]);
      kept = places[0] ?? 0;
    },
  };
}

/** Sessions that lock two keys at once; every second one is then destroyed. */
function locks(name: string): Load<Ask> {
  const held = new Map<string, 'held' | 'ended' | 'unknown'>();
  return {
    async write(ask) {
      const { json } = await ask('PUT', 'session/create', { LockDelay: '0s', Name: name });
      const id = String(json?.ID);
      held.set(id, 'unknown');
      const lock = (key: string) => ({
        KV: { Verb: 'lock', Key: `${name}/${id}/${key}`, Value: encode(1), Session: id },
      });
      await transact(ask, [lock('a'), lock('b')]);
      held.set(id, 'held');
      if (held.size % 2 > 0) return;
      held.set(id, 'unknown');
      expect((await ask('PUT', `session/destroy/${id}`)).text).toBe('true');
      held.set(id, 'ended');
    },
    async check(ask) {
      for (const [id, state] of held) {
        const { json } = await ask('GET', `session/info/${id}`);
        const lives = (json as unknown as readonly object[]).length === 1;
        const locked = await entries(ask, `${name}/${id}/`);
        const holders = new Set(locked.map(({ Session }) => Session));
        expect([0, 2]).toContain(locked.length);
        expect(holders.size).toBeLessThanOrEqual(1);
        expect([undefined, id]).toContain([...holders][0]);
        if (state === 'unknown') continue;
        expect([lives, locked.length, holders.has(id)]).toEqual([state === 'held', 2, state === 'held']);
      }
      held.clear();
    },
  };
}

/** Readers of the indexes, who never see one that is gone after the next start. */
function readers(): Load<Ask> {
  const look = async (ask: Ask) => {
    const { headers } = await ask('GET', 'kv/none');
    return { all: await lastIndex(ask), keys: Number(headers['x-registry-index']) };
  };
  let seen = { all: 0, keys: 0 };
  return {
    async write(ask) {
      seen = await look(ask);
    },
    async check(ask) {
      const { all, keys } = await look(ask);
      expect([all >= seen.all, keys >= seen.keys]).toEqual([true, true]);
    },
  };
}

async function lane(): Promise<number> {
  const loads = [
    ...['a', 'b', 'c', 'd', 'e', 'f'].map(copies),
    ...['g', 'h', 'i'].map(moves),
    ...['j', 'k'].map(locks),
    readers(),
  ];
  return killedOften<Ask>({
    name: 'the registry',
    data: await folder(),
    kills,
    loads,
    asker: (running, agent) => {
      return (method, path, body) =>
        call(running.registry, method, `/v1/${path}`, {
          token: null,
          agent,
          ...(body !== undefined && { body }),
        });
    },
  });
}

test(`killed at ${lanes * kills} random moments under load, the registry has every confirmed transaction and no partial one`, async () => {
  const counts = await Promise.all(Array.from({ length: lanes }, lane));
  expect(Math.min(...counts)).toBeGreaterThan(kills * 5);
});
