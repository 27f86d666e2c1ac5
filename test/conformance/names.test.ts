import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/wire/json.ts';
import { guarded } from '../unit/services/registry/support.ts';
import { comparable, idIn, pathOf, type Recorded } from './names/comparable.ts';
import { type NamedRequest, prefixOf } from './names/requests.ts';

/** Sequences of `names/requests.ts`, with the responses of a real product. */
interface RecordedNames {
  readonly product: string;
  readonly version: string;
  readonly sequences: readonly {
    readonly seed: number;
    readonly steps: readonly (NamedRequest & Recorded)[];
  }[];
}

const file = join(import.meta.dirname, 'names', 'consul-1.21.4.json');
const recorded = JSON.parse(readFileSync(file, 'utf8')) as RecordedNames;

describe(`names in any case, and metadata, as ${recorded.product} ${recorded.version}`, () => {
  test.each(recorded.sequences)('sequence $seed', async ({ seed, steps }) => {
    const { ask, bootstrapped } = await guarded();
    const headers = { 'X-Consul-Token': String(bootstrapped.SecretID) };
    const ids: string[] = [];
    for (const { method, path, sent, status, response } of steps) {
      const request = { method, path };
      const reply = await ask(method, pathOf(request, ids), { headers, body: sent });
      ids.push(idIn(reply.text));
      const responded = comparable(prefixOf(seed), request, reply.status, reply.text);
      expect(responded, `${method} ${path} ${JSON.stringify(sent ?? null)}`).toEqual({ status, response });
    }
  });
});

test('the sequences cover names that exist in another case, and every kind of object', () => {
  const statuses: Record<string, Set<number>> = {};
  for (const { method, path, status } of recorded.sequences.flatMap(({ steps }) => steps)) {
    const kind = `${method} ${path
      .split('/')
      .slice(0, 2)
      .join('/')
      .replace(/(query|kv)\/.*/, '$1')}`;
    statuses[kind] = (statuses[kind] ?? new Set<number>()).add(status);
  }
  const both: Json = Object.entries(statuses)
    .filter(([, found]) => found.size > 1)
    .map(([kind]) => kind);
  expect(both).toEqual(
    expect.arrayContaining([
      'PUT catalog/register',
      'PUT txn',
      'POST query',
      'PUT session/create',
      'PUT acl/policy',
      'PUT acl/role',
      'DELETE acl/auth-method',
      'GET query',
      'GET config/service-defaults',
    ]),
  );
});
