import { describe, expect, test } from 'vitest';
import { State } from '../../../../../src/services/core/state/state.ts';
import { memoryStore } from '../../../../../src/services/core/store/store.ts';
import { putEntry } from '../../../../../src/services/registry/config/changes.ts';
import { entriesOf } from '../../../../../src/services/registry/config/entries.ts';
import type { ConfigEntry } from '../../../../../src/services/registry/config/entry.ts';
import type { TableName } from '../../../../../src/services/registry/model/tables.ts';

const redirect = (Name: string, Service: string): ConfigEntry => ({
  Kind: 'service-resolver',
  Name,
  Redirect: { Service },
});

function emptyState(): State<TableName> {
  return new State<TableName>({
    storage: memoryStore(),
    clock: () => new Date(0),
    random: (n) => new Uint8Array(n),
  });
}

describe('the check of chains', () => {
  test('sees concurrently written entries: one of two that break each other is rejected', async () => {
    const state = emptyState();
    const ended = await Promise.allSettled([
      putEntry(state, redirect('a', 'b'), undefined),
      putEntry(state, redirect('b', 'c'), undefined),
      putEntry(state, redirect('c', 'a'), undefined),
    ]);
    expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(await entriesOf(state.view, 'service-resolver')).toHaveLength(2);
  });

  test('of thousands of chains does not block others', async () => {
    const state = emptyState();
    await state.update((draft) => {
      for (let at = 0; at < 3000; at++) {
        draft.write({
          key: `config/service-resolver/s${at}`,
          value: { Kind: 'service-resolver', Name: `s${at}`, Redirect: { Service: 'hub' } },
        });
      }
    });
    let turns = 0;
    const counting = setInterval(() => turns++, 1);
    await putEntry(state, { Kind: 'service-resolver', Name: 'hub', ConnectTimeout: '7s' }, undefined);
    clearInterval(counting);
    expect(turns).toBeGreaterThan(1);
  });
});
