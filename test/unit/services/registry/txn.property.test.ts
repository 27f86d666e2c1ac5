import fc from 'fast-check';
import { expect, test } from 'vitest';
import { State } from '../../../../src/services/core/state/state.ts';
import { unrestricted } from '../../../../src/services/registry/acl/permissions.ts';
import { createSession } from '../../../../src/services/registry/model/sessions.ts';
import type { TableName } from '../../../../src/services/registry/model/tables.ts';
import { readOperations } from '../../../../src/services/registry/txn/operation.ts';
import { applyTransaction } from '../../../../src/services/registry/txn/transaction.ts';
import type { Json } from '../../../../src/wire/json.ts';
import { memoryStorage } from '../../../support/memory-storage.ts';
import { sized } from '../../../support/soak.ts';
import { type Given, Model } from './model.ts';

const sessions = ['s1', 's2'];
const kvVerbs = [
  'set',
  'cas',
  'lock',
  'unlock',
  'get',
  'get-or-empty',
  'get-tree',
  'check-index',
  'check-session',
  'check-not-exists',
  'delete',
  'delete-tree',
  'delete-cas',
  'increase',
];
const catalogVerbs = ['set', 'cas', 'get', 'delete', 'delete-cas', 'rename'];

const shared = {
  value: fc.constantFrom('MQ==', 'Mg=='),
  index: fc.integer({ min: 0, max: 8 }),
  session: fc.constantFrom('s1', 's2', '', 'anonymous'),
};
const kv = fc.record({
  ...shared,
  kind: fc.constant('KV' as const),
  verb: fc.constantFrom(...kvVerbs),
  name: fc.constantFrom('a', 'a/b', 'a/c', '__proto__'),
});
const catalog = fc.record({
  ...shared,
  kind: fc.constantFrom('Node' as const, 'Service' as const, 'Check' as const),
  verb: fc.constantFrom(...catalogVerbs),
  name: fc.constantFrom('n', 'n/1', 'constructor'),
});
// Most lists have a failure in them; short ones of writes that succeed build something to fail on.
const list = fc.oneof(
  fc.array(fc.oneof(kv, catalog), { maxLength: 8 }),
  fc.array(fc.oneof(kv, kv, catalog), { minLength: 1, maxLength: 2 }),
);

function asJson({ kind, verb, name, value, index, session }: Given): Json {
  if (kind === 'KV') {
    return { KV: { Verb: verb, Key: name, Value: value, Index: index, Session: session } };
  }
  if (kind === 'Node')
    return { Node: { Verb: verb, Node: { Node: name, Address: value, ModifyIndex: index } } };
  if (kind === 'Service') {
    const service = { ID: 's', Service: 'web', Meta: { node: name }, Address: value, ModifyIndex: index };
    return { Service: { Verb: verb, Node: name, Service: service } };
  }
  return { Check: { Verb: verb, Check: { Node: name, CheckID: 'c', Output: value, ModifyIndex: index } } };
}

type Shown = Readonly<Record<string, string | number | null>> & {
  readonly Meta?: { readonly node: string };
};

function shown(result: object): string {
  const [[kind, row] = ['', {}]] = Object.entries(result) as [string, Shown][];
  const [name, value] = {
    KV: [row.Key, row.Value],
    Node: [row.Node, row.Address],
    Service: [row.Meta?.node, row.Address],
    Check: [row.Node, row.Output],
  }[kind] ?? ['', ''];
  return `${kind} ${name} ${row.ModifyIndex} ${value ?? ''}`;
}

function stateOf(state: State<TableName>): object {
  const all = (table: 'kv' | 'nodes' | 'services' | 'checks', value: string) =>
    state.view.keys(`${table}/`).map((key) => {
      const row = (state.view.get(key) ?? {}) as Shown;
      const name =
        { checks: row.Node, services: row.Meta?.node }[table as string] ?? key.slice(table.length + 1);
      const locks = table === 'kv' ? row.LockIndex : 0;
      return [name, row[value], row.Session ?? '', locks, row.CreateIndex, row.ModifyIndex].join(' ');
    });
  return {
    KV: all('kv', 'Value'),
    Node: all('nodes', 'Address'),
    Service: all('services', 'Address').sort(),
    Check: all('checks', 'Output').sort(),
  };
}

function modelled({ tables }: Model): object {
  const all = (kind: Given['kind']) =>
    [...tables[kind]]
      .map(([name, { value, session, locks, created, modified }]) =>
        [name, value, session, locks, created, modified].join(' '),
      )
      .sort();
  return { KV: all('KV'), Node: all('Node'), Service: all('Service'), Check: all('Check') };
}

test('any lists of operations match the model: all or nothing, same failures, same indexes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(list, { minLength: 1, maxLength: 12 }), async (transactions) => {
      const state = new State<TableName>({
        storage: memoryStorage(),
        clock: () => new Date(0),
        random: (length) => new Uint8Array(length),
      });
      const model = new Model(sessions);
      for (const ID of sessions) {
        const session = {
          Name: '',
          Node: 'far',
          LockDelay: 0,
          Behavior: 'release',
          TTL: '',
          NodeChecks: [],
        } as const;
        await state.update((draft) => createSession(draft, { ID, ...session }));
        model.index++;
      }
      for (const given of transactions) {
        const operations = readOperations(given.map(asJson));
        const { results, failures } = await applyTransaction(state, unrestricted, operations);
        const expected = model.transact(given);
        expect(failures.map(({ OpIndex, What }) => `${OpIndex} ${What}`)).toEqual(expected.failures);
        expect(results.map(shown)).toEqual(expected.results);
        expect(state.lastIndex).toBe(model.index);
        const sorted = stateOf(state) as Record<string, string[]>;
        expect({ ...sorted, KV: sorted.KV?.sort(), Node: sorted.Node?.sort() }).toEqual(modelled(model));
      }
    }),
    { numRuns: sized(1_000, 200) },
  );
});
