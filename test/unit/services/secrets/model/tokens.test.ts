import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Storage } from '../../../../../src/services/core/store/storage.ts';
import { Tokens } from '../../../../../src/services/secrets/model/tokens.ts';
import { systemTtlLimits } from '../../../../../src/services/secrets/model/ttl.ts';
import { memoryStorage } from '../../../../support/memory-storage.ts';

const day = 86_400;
const systemTtl = 768 * 3600;

/** Bytes that differ from call to call and are the same in every run. */
function counted(): (length: number) => Uint8Array {
  let calls = 0;
  return (length) => createHash('sha512').update(String(calls++)).digest().subarray(0, length);
}

const facts = {
  policies: ['p'],
  path: 'auth/token/create',
  displayName: 'token',
  meta: null,
  uses: 0,
  parent: null,
  ttl: day,
  maxTtl: 0,
  renewable: true,
};

/** A token store with a fixed clock, and the digests that it reported as revoked or replaced. */
async function tokenStore(storage: Storage = memoryStorage()) {
  let now = Date.parse('2026-03-01T00:00:00Z');
  const revoked: string[][] = [];
  const replaced: string[][] = [];
  const tokens = new Tokens({
    storage,
    random: counted(),
    clock: () => new Date(now),
    namespaceId: () => 'root',
    onRevoked: async (digests) => {
      revoked.push([...digests].sort());
    },
    onReplaced: async (before, after) => {
      replaced.push([before, after]);
    },
  });
  await tokens.ensureSalt();
  return {
    tokens,
    storage,
    revoked,
    replaced,
    pass: (seconds: number) => {
      now += seconds * 1000;
    },
    child: (text: string, parent: string | null, more: Partial<typeof facts> = {}) =>
      tokens.create(text, { ...facts, parent, ...more } as Parameters<Tokens['create']>[1]),
  };
}

const rows = (storage: Storage) => storage.keys('').filter((key) => key !== 'salt');

describe('stored tokens', () => {
  test('are found only by the token or the accessor', async () => {
    const { tokens, child } = await tokenStore();
    const entry = await child('first', null);
    const other = await child('second', null);
    expect(tokens.find('first')).toEqual(entry);
    expect(tokens.byAccessor(entry.accessor)).toEqual(entry);
    expect(tokens.find('second')).toEqual(other);
    expect(entry.accessor).toMatch(/^[\w-]{24}$/);
    for (const text of ['', 'third', 'First', entry.digest, entry.accessor])
      expect(tokens.find(text), text).toBeUndefined();
    for (const text of ['', 'first', entry.digest]) expect(tokens.byAccessor(text), text).toBeUndefined();
    expect([tokens.has(entry.digest), tokens.has(entry.accessor)]).toEqual([true, false]);
  });

  test('are stored under a keyed digest, without the token itself', async () => {
    const { tokens, storage, child } = await tokenStore();
    await child('hvs.first', null);
    const texts = storage.keys('').map((key) => `${key} ${JSON.stringify(storage.get(key))}`);
    expect(texts.join('\n')).not.toContain('hvs.first');
    expect(storage.get('salt')).toMatch(/^[\w+/]{43}=$/);
    // The same store with another salt does not know the token.
    await storage.write([{ key: 'salt', value: 'other' }]);
    expect(tokens.find('hvs.first')).toBeUndefined();
  });

  test('are found when the store is opened again', async () => {
    const { storage, child } = await tokenStore();
    const entry = await child('first', null);
    const salt = storage.get('salt');
    const again = await tokenStore(storage);
    expect(storage.get('salt')).toBe(salt);
    expect(again.tokens.find('first')).toEqual(entry);
  });

  test('are rejected when they have expired, even before they are removed', async () => {
    const { tokens, pass, child } = await tokenStore();
    const { accessor, digest, expires, created } = await child('short', null, { ttl: 60 });
    expect(expires).toBe(created + 60);
    expect(tokens.nextExpiry).toBe(expires);
    pass(59);
    expect(tokens.find('short')).toBeDefined();
    pass(1);
    expect([tokens.find('short'), tokens.byAccessor(accessor)]).toEqual([undefined, undefined]);
    expect(tokens.has(digest)).toBe(true);
  });

  test('do not expire if they have no lifetime', async () => {
    const { tokens, pass, child } = await tokenStore();
    expect(await child('endless', null, { ttl: 0 })).toMatchObject({ expires: null });
    expect(tokens.nextExpiry).toBe(Number.POSITIVE_INFINITY);
    pass(100 * 365 * day);
    expect(tokens.find('endless')).toBeDefined();
    await tokens.removeExpired();
    expect(tokens.find('endless')).toBeDefined();
  });

  test('are rejected when any of their ancestors has expired', async () => {
    const { tokens, pass, child } = await tokenStore();
    const first = await child('first', null, { ttl: 60 });
    const second = await child('second', first.digest, { ttl: day });
    await child('third', second.digest, { ttl: day });
    await child('orphan', null, { ttl: day });
    pass(59);
    expect(tokens.find('third')).toBeDefined();
    pass(1);
    expect([tokens.find('second'), tokens.find('third')]).toEqual([undefined, undefined]);
    expect(tokens.find('orphan')).toBeDefined();
  });

  test('are removed with their descendants when they have expired', async () => {
    const { tokens, storage, revoked, pass, child } = await tokenStore();
    const first = await child('first', null, { ttl: 60 });
    const second = await child('second', first.digest);
    const third = await child('third', second.digest);
    const other = await child('other', null);
    await tokens.removeExpired();
    expect(revoked).toEqual([]);
    pass(60);
    await tokens.removeExpired();
    expect(revoked).toEqual([[first.digest, second.digest, third.digest].sort()]);
    expect(rows(storage)).toEqual([`accessor/${other.accessor}`, `entry/${other.digest}`]);
    expect(tokens.nextExpiry).toBe(other.expires);
  });

  test('are reported once if they are revoked while expired ones are removed', async () => {
    const { tokens, storage, revoked, pass, child } = await tokenStore();
    const first = await child('first', null, { ttl: 60 });
    const second = await child('second', null, { ttl: 60 });
    pass(60);
    await Promise.all([tokens.removeExpired(), tokens.revoke(first)]);
    expect(revoked).toEqual([[first.digest], [second.digest]]);
    expect(rows(storage)).toEqual([]);
  });

  test('are revoked with their descendants and no others', async () => {
    const { tokens, storage, revoked, child } = await tokenStore();
    const first = await child('first', null);
    const second = await child('second', first.digest);
    const third = await child('third', second.digest);
    const sibling = await child('sibling', first.digest);
    await tokens.revoke(second);
    expect(revoked).toEqual([[second.digest, third.digest].sort()]);
    expect([tokens.find('second'), tokens.find('third')]).toEqual([undefined, undefined]);
    expect([tokens.find('first'), tokens.find('sibling')]).toEqual([first, sibling]);
    expect(tokens.byAccessor(third.accessor)).toBeUndefined();
    expect(rows(storage)).toHaveLength(4);
  });

  test('are revoked by a condition', async () => {
    const { tokens, revoked, child } = await tokenStore();
    const first = await child('first', null, { path: 'auth/a/login' });
    const second = await child('second', null, { path: 'auth/b/login' });
    await tokens.revokeWhere(({ path }) => path === 'auth/c/login');
    expect(revoked).toEqual([]);
    await tokens.revokeWhere(({ path }) => path === 'auth/a/login');
    expect(revoked).toEqual([[first.digest]]);
    expect([tokens.find('first'), tokens.find('second')]).toEqual([undefined, second]);
  });

  test('are removed before their revocation is reported', async () => {
    let wasThere: boolean | undefined;
    const tokens = new Tokens({
      storage: memoryStorage(),
      random: counted(),
      clock: () => new Date(0),
      namespaceId: () => 'root',
      onRevoked: async (digests) => {
        wasThere = [...digests].some((digest) => tokens.has(digest));
      },
      onReplaced: async () => {},
    });
    await tokens.ensureSalt();
    await tokens.revoke(await tokens.create('first', facts));
    expect(wasThere).toBe(false);
  });
});

describe('the uses of a token', () => {
  test('are counted down, and the last one removes the token', async () => {
    const { tokens, storage, child } = await tokenStore();
    const entry = await child('three', null, { uses: 3 });
    const current = () => tokens.find('three') ?? entry;
    await tokens.use(current());
    expect(current().uses).toBe(2);
    await tokens.revokeIfUsedUp(current());
    expect(current().uses).toBe(2);
    await tokens.use(current());
    const last = current();
    expect(last.uses).toBe(1);
    await tokens.use(last);
    // Used up, but kept until the request that took the last use is done.
    expect([tokens.find('three'), tokens.byAccessor(last.accessor)]).toEqual([undefined, undefined]);
    expect(tokens.has(last.digest)).toBe(true);
    await tokens.revokeIfUsedUp(last);
    expect(tokens.has(last.digest)).toBe(false);
    expect(rows(storage)).toEqual([]);
  });

  test('are not counted if they are unlimited', async () => {
    const { tokens, child } = await tokenStore();
    const entry = await child('any', null);
    await tokens.use(entry);
    await tokens.revokeIfUsedUp(entry);
    expect(tokens.find('any')).toEqual(entry);
  });

  test('revoke its descendants when the last one is taken', async () => {
    const { tokens, child } = await tokenStore();
    const parent = await child('parent', null, { uses: 1 });
    await child('child', parent.digest);
    await tokens.use(parent);
    expect(tokens.find('child')).toBeUndefined();
    await tokens.revokeIfUsedUp(parent);
    expect(tokens.find('child')).toBeUndefined();
  });
});

describe('the renewal of a token', () => {
  test.for([
    [{ ttl: 600 }, 0, 600],
    [{ ttl: 600 }, 60, 60],
    [{ ttl: 600 }, 6000, 6000],
    [{ ttl: 600, maxTtl: 1000 }, 0, 600],
    [{ ttl: 600, maxTtl: 1000 }, 901, 900],
    [{ ttl: 600, maxTtl: 1000 }, 900, 900],
    [{ ttl: 600 }, systemTtl, systemTtl - 100],
    [{ ttl: 600, maxTtl: systemTtl + day }, systemTtl, systemTtl - 100],
  ] as const)(
    'extends it by the increment within the limits: %j by %j',
    async ([terms, increment, expected]) => {
      const { tokens, pass, child } = await tokenStore();
      const entry = await child('renewed', null, terms);
      pass(100);
      const { renewed } = await tokens.renew(entry, increment, systemTtlLimits);
      const now = tokens.now();
      expect(renewed).toEqual({ ...entry, renewed: now, expires: now + expected });
      expect(tokens.find('renewed')).toEqual(renewed);
      expect(tokens.nextExpiry).toBe(now + expected);
    },
  );
});

describe('the root token of a start', () => {
  const root = {
    policies: ['root'],
    path: 'auth/token/root',
    displayName: 'root',
    meta: null,
    uses: 0,
    parent: null,
    ttl: 0,
    maxTtl: 0,
    expires: null,
    renewable: false,
  };

  test('is unchanged at the next start with the same token', async () => {
    const { tokens, storage, replaced } = await tokenStore();
    await tokens.createStartUpToken('first');
    const entry = tokens.find('first');
    expect(entry).toMatchObject({ ...root, startUp: true });
    const again = await tokenStore(storage);
    await again.tokens.createStartUpToken('first');
    expect(again.tokens.find('first')).toEqual(entry);
    expect(rows(storage)).toHaveLength(2);
    expect([...replaced, ...again.replaced]).toEqual([]);
  });

  test('replaces the previous one and becomes the parent of its children', async () => {
    const first = await tokenStore();
    await first.tokens.createStartUpToken('first');
    const before = first.tokens.find('first');
    const child = await first.child('child', before?.digest ?? '');
    const grandchild = await first.child('grandchild', child.digest);
    const next = await tokenStore(first.storage);
    await next.tokens.createStartUpToken('second');
    const after = next.tokens.find('second');
    expect(next.tokens.find('first')).toBeUndefined();
    expect(next.tokens.byAccessor(before?.accessor ?? '')).toBeUndefined();
    expect(next.tokens.find('child')).toEqual({ ...child, parent: after?.digest });
    expect(next.tokens.find('grandchild')).toEqual(grandchild);
    expect(next.replaced).toEqual([[before?.digest, after?.digest]]);
    expect(next.revoked).toEqual([]);
    expect(rows(first.storage)).toHaveLength(6);
    if (after) await next.tokens.revoke(after);
    expect(rows(first.storage)).toEqual([]);
  });

  test('does not replace other root tokens', async () => {
    const { tokens, replaced } = await tokenStore();
    await tokens.createRootToken('made');
    const made = tokens.find('made');
    expect(made).toMatchObject(root);
    expect(made).not.toHaveProperty('startUp');
    await tokens.createStartUpToken('started');
    expect(tokens.find('made')).toEqual(made);
    expect(replaced).toEqual([]);
  });
});

test('a new token has 24 random bytes', async () => {
  const { tokens } = await tokenStore();
  const texts = Array.from({ length: 3 }, () => tokens.newToken());
  expect(new Set(texts).size).toBe(3);
  for (const text of texts) expect(text).toMatch(/^hvs\.[\w-]{32}$/);
});
