import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { newAccountId, putAccount } from '../../../../src/services/accounts/model/accounts.ts';
import { openStore } from '../../../../src/services/core/store/store.ts';
import { parseJson } from '../../../../src/wire/json.ts';
import { embeddedProcess } from '../../../support/embedded.ts';
import { expectShortWaits, median } from '../../../support/measure.ts';
import { call, folder } from '../support.ts';
import { type Listed, seeded } from './support.ts';

/** Several times what one response covers. */
const count = 30_000;

/** Accounts `user-0` to `user-29999`, put where the service will find them. */
async function filled(data: string): Promise<void> {
  const store = await openStore(data);
  const storage = store.withPrefix('accounts/');
  const now = new Date().toISOString();
  const writes: Promise<unknown>[] = [];
  for (let at = 0; at < count; at++) {
    const draft = {
      id: newAccountId('password', randomBytes),
      type: 'password',
      method: seeded,
      name: null,
      description: `number ${at}`,
      attributes: { login_name: `user-${at}` },
      password: null,
      version: 1,
      createdAt: now,
      updatedAt: now,
    } as const;
    writes.push(putAccount(storage, draft));
  }
  await Promise.all(writes);
  await store.close();
}

test('a list of 30,000 accounts, with a filter or without, does not delay other responses', async () => {
  const data = await folder();
  await filled(data);
  const running = await embeddedProcess(data);
  const headers = { Authorization: `Bearer ${running.accountsToken}` };
  const ask = (path: string) => call(running.accounts, 'GET', `/v1/${path}`, { token: null, headers });
  const whole = async (query: { readonly [name: string]: string }): Promise<number> => {
    let found = 0;
    for (let list_token = ''; ; ) {
      const parameters = new URLSearchParams({ auth_method_id: seeded, list_token, ...query });
      const { status, text } = await ask(`accounts?${parameters}`);
      expect(status, text.slice(0, 200)).toBe(200);
      const page = parseJson(text) as unknown as Partial<Listed>;
      found += page.items?.length ?? 0;
      if (page.response_type === 'complete') return found;
      list_token = page.list_token ?? '';
    }
  };
  const listing = async () => {
    expect(await whole({ filter: '"/item/attributes/login_name" matches "^user-.*777$"' })).toBe(30);
    expect(await whole({})).toBe(count + 1);
  };
  const health = async () => expect((await ask('health')).status).toBe(200);
  await expectShortWaits(health, listing, 2, median);
});
