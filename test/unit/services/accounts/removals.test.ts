import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { accounts, putAccount, removeAccount } from '../../../../src/services/accounts/model/accounts.ts';
import { ChangeBatch, writeBatch } from '../../../../src/services/accounts/model/change-log.ts';
import { removeScope } from '../../../../src/services/accounts/model/removals.ts';
import { scopes } from '../../../../src/services/accounts/model/scopes.ts';
import { addToken, newTokenText, tokens } from '../../../../src/services/accounts/model/tokens.ts';
import type { Storage } from '../../../../src/services/core/store/storage.ts';
import { memoryStore } from '../../../../src/services/core/store/store.ts';

const now = new Date('2026-01-01T00:00:00Z');
const time = now.toISOString();

/** A storage whose writes fail, after some of them. */
function failingAfter(storage: Storage, writes: number): Storage {
  let left = writes;
  const write: Storage['write'] = (changes) =>
    left-- > 0 ? storage.write(changes) : Promise.reject(new Error('power cut'));
  return { ...storage, write };
}

/** Interrupts a removal after each number of writes, and repeats it. @returns how often it was interrupted */
async function interrupted(
  fill: () => Promise<Storage>,
  remove: (storage: Storage) => Promise<void>,
  check: (storage: Storage, isRemoved: boolean) => void,
): Promise<number> {
  for (let writes = 0; ; writes++) {
    const storage = await fill();
    const isRemoved = await remove(failingAfter(storage, writes)).then(
      () => true,
      () => false,
    );
    check(storage, isRemoved);
    await remove(storage);
    check(storage, true);
    if (isRemoved) return writes;
  }
}

test('an account is removed after its tokens: an interruption leaves none without an account', async () => {
  const [id, method] = ['acctpw_1234567890', 'ampw_1234567890'];
  const count = 150;
  const fill = async (): Promise<Storage> => {
    const storage = memoryStore().withPrefix('accounts/');
    await putAccount(storage, {
      id,
      type: 'password',
      method,
      name: null,
      description: null,
      attributes: { login_name: 'someone' },
      password: null,
      version: 1,
      createdAt: time,
      updatedAt: time,
    });
    for (let at = 0; at < count; at++) {
      const batch = new ChangeBatch(storage);
      addToken(batch, newTokenText(randomBytes), { account: id, scope: 'global' }, now);
      await batch.write();
    }
    return storage;
  };
  const interruptions = await interrupted(
    fill,
    (storage) => removeAccount(storage, id, now),
    (storage, isRemoved) => {
      expect(accounts.get(storage, id) === undefined).toBe(isRemoved);
      if (isRemoved) expect(tokens.keys(storage)).toEqual([]);
    },
  );
  expect(interruptions).toBe(3);
});

test('a scope is removed after those below it', async () => {
  const id = 'o_1234567890';
  const create = (storage: Storage, type: 'org' | 'project', own: string, parent: string) =>
    writeBatch(storage, (batch) =>
      scopes.create(batch, { id: own, type, name: own, description: null, parent, primary: null }, time),
    );
  const fill = async (): Promise<Storage> => {
    const storage = memoryStore().withPrefix('accounts/');
    await create(storage, 'org', id, 'global');
    for (let at = 0; at < 20; at++) await create(storage, 'project', `p_12345678${10 + at}`, id);
    return storage;
  };
  const interruptions = await interrupted(
    fill,
    async (storage) => {
      const scope = scopes.get(storage, id);
      if (scope) await removeScope(storage, scope, now);
    },
    (storage, isRemoved) => {
      expect(scopes.get(storage, id) === undefined).toBe(isRemoved);
      if (isRemoved) expect(scopes.keys(storage)).toEqual([]);
    },
  );
  expect(interruptions).toBe(4);
});
