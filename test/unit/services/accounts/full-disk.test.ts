import { expect, test } from 'vitest';
import { has } from '../../../support/require.ts';
import { smallDisk } from '../../../support/small-disk.ts';
import { accounts, seeded } from './support.ts';

test.skipIf(process.platform !== 'linux' || !has('mount'))(
  'on a full disk a change is 500, reports it, and was not made',
  async ({ skip }) => {
    const data = await smallDisk();
    if (data === undefined) return skip('only root may mount a small disk');
    const { ask, list } = await accounts({ dataDirectory: data });
    const make = (login: string) =>
      ask('POST', 'accounts', {
        auth_method_id: seeded,
        description: 'x'.repeat(4_000),
        attributes: { login_name: login },
      });
    const logins = Array.from({ length: 4_000 }, (_, at) => `user-${at}`);
    let made = 0;
    for (const login of logins) {
      const { status, json } = await make(login);
      if (status === 200) made++;
      else {
        expect([status, json]).toMatchObject([
          500,
          { kind: 'Internal', message: expect.stringContaining('disk is full') },
        ]);
        break;
      }
    }
    expect(made).toBeLessThan(logins.length);
    expect((await list({ page_size: 1 })).est_item_count).toBe(made + 1);
    const found = await list({ filter: `"/item/attributes/login_name" == "user-${made}"` });
    expect(found.items).toEqual([]);
  },
  60_000,
);
