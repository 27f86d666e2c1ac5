import { describe, expect, test } from 'vitest';
import { Leases } from '../../../../../src/services/secrets/model/leases.ts';
import type { Mount } from '../../../../../src/services/secrets/model/mounts.ts';
import type { TokenEntry } from '../../../../../src/services/secrets/model/token-entries.ts';
import { Tokens } from '../../../../../src/services/secrets/model/tokens.ts';
import { systemTtlLimits } from '../../../../../src/services/secrets/model/ttl.ts';
import type { Json } from '../../../../../src/wire/json.ts';
import { countingStorage } from '../../core/store/counting-storage.ts';

describe('among very many', () => {
  const many = 2_000;
  /** Maximum reads for one of very many. */
  const few = 60;
  let now = 1_000;
  const clock = () => new Date(now * 1_000);
  let drawn = 0;
  const random = (length: number) => Buffer.alloc(length, `${drawn++} `.padStart(length, '0'));
  const facts = {
    policies: ['p'],
    path: 'auth/token/create',
    displayName: 't',
    meta: null,
    uses: 0,
    parent: null,
    ttl: 0,
    maxTtl: 0,
    renewable: true,
  };

  async function tokensAmongMany() {
    const { storage, state } = countingStorage();
    const gone: string[] = [];
    const tokens = new Tokens({
      storage,
      random,
      clock,
      namespaceId: () => 'root',
      onRevoked: async (digests) => void gone.push(...digests),
      onReplaced: async () => {},
    });
    await tokens.ensureSalt();
    for (let at = 0; at < many; at++) await tokens.create(`other-${at}`, { ...facts, ttl: 100_000 });
    return { gone, state, tokens };
  }

  async function readsOf(state: { reads: number }, work: () => Promise<unknown>): Promise<number> {
    const before = state.reads;
    await work();
    return state.reads - before;
  }

  test('one token is revoked with its child tokens, without a scan of the others', async () => {
    const { gone, state, tokens } = await tokensAmongMany();
    const parent = await tokens.create('parent', facts);
    const child = await tokens.create('child', { ...facts, parent: parent.digest });
    const grandchild = await tokens.create('grandchild', { ...facts, parent: child.digest });
    expect(await readsOf(state, () => tokens.revoke(parent))).toBeLessThan(few);
    expect(gone).toEqual([parent, child, grandchild].map(({ digest }) => digest));
    expect(tokens.find('grandchild')).toBeUndefined();
    const last: TokenEntry = await tokens.create('last', { ...facts, uses: 1 });
    expect(await readsOf(state, () => tokens.revokeIfUsedUp(last))).toBeLessThan(few);
    expect(tokens.has(last.digest)).toBe(false);
  });

  test('one token expires without a scan of the others', async () => {
    const { gone, state, tokens } = await tokensAmongMany();
    const short = await tokens.create('short', { ...facts, ttl: 10 });
    const renewed = await tokens.create('renewed', { ...facts, ttl: 5 });
    expect(tokens.nextExpiry).toBe(now + 5);
    await tokens.renew(renewed, 50, systemTtlLimits);
    expect(tokens.nextExpiry).toBe(now + 10);
    now += 10;
    expect(await readsOf(state, () => tokens.removeExpired())).toBeLessThan(few);
    expect(gone).toEqual([short.digest]);
    expect(tokens.nextExpiry).toBe(now + 40);
  });

  /** Leases of a mount, with the tokens that exist. */
  function leasesOf(revoke: (internal: Json) => Promise<void>) {
    const { storage, state } = countingStorage();
    const mount = { path: 'm/', entry: { uuid: 'u' }, backend: { revoke } } as unknown as Mount;
    const living = new Set(['a', 'b', 'c']);
    const tokenExists = (digest: string) => living.has(digest);
    const leases = new Leases({ storage, random, clock, mountAt: () => mount, tokenExists });
    const lease = (digest: string, duration: number, internal: Json = null) => {
      const token = { digest, uses: 0 } as TokenEntry;
      const origin = { namespace: { path: '', id: 'root' }, mount, path: 'p', token };
      return leases.create(origin, { duration, internal });
    };
    return { state, living, leases, lease };
  }

  test('the leases of a token end, and one expires, without a scan of the others', async () => {
    const { state, leases, lease } = leasesOf(async () => {});
    for (let at = 0; at < many; at++) await lease('a', 100_000);
    const ofB = [await lease('b', 500), await lease('b', 600)];
    const short = await lease('c', 10);
    expect(await readsOf(state, () => leases.revokeForTokens(new Set(['b'])))).toBeLessThan(few);
    expect(ofB.map((id) => leases.find('', id))).toEqual([undefined, undefined]);
    expect(leases.nextExpiry).toBe(now + 10);
    now += 10;
    expect(await readsOf(state, () => leases.removeExpired())).toBeLessThan(few);
    expect(await leases.listNames('', short)).toEqual([]);
    expect(await leases.listNames('', 'm/p/')).toHaveLength(many);
  });

  test('leases of a removed token are revoked later if that failed at first', async () => {
    let broken = true;
    const ended: Json[] = [];
    const { living, leases, lease } = leasesOf(async (internal) => {
      if (broken) throw new Error('it is away');
      ended.push(internal);
    });
    await lease('a', 900, 'lent');
    living.delete('a');
    await expect(leases.revokeForTokens(new Set(['a']))).rejects.toThrow('it is away');
    await expect(leases.removeExpired()).rejects.toThrow('it is away');
    broken = false;
    await leases.removeExpired();
    expect(ended).toEqual(['lent']);
    expect(leases.nextExpiry).toBe(Number.POSITIVE_INFINITY);
  });
});
