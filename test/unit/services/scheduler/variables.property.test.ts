import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scheduler } from './support.ts';

/** What is done to one of a few variables; `cas` is relative to the index that it has. */
interface Step {
  readonly path: string;
  readonly act: 'put' | 'delete' | 'read';
  readonly cas: number | undefined;
  readonly items: Readonly<Record<string, string>>;
}

const step: fc.Arbitrary<Step> = fc.record({
  path: fc.constantFrom('a', 'a/b', 'b', 'nomad/jobs/x'),
  act: fc.constantFrom('put', 'put', 'delete', 'read'),
  cas: fc.constantFrom(undefined, undefined, 0, 1, -1),
  items: fc.dictionary(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), { minKeys: 1 }),
});

interface Kept {
  readonly variable: Readonly<Record<string, unknown>> | undefined;
  readonly items: Readonly<Record<string, string>>;
  readonly created: number;
  readonly modified: number;
}

/** What the specification says of check-and-set, in a map. */
class Model {
  readonly kept = new Map<string, Kept>();

  casOf({ path, cas }: Step): number | undefined {
    const index = this.kept.get(path)?.modified ?? 0;
    return cas === undefined || cas === 0 ? cas : Math.max(0, index + (cas === 1 ? 0 : 7));
  }

  conflicts(path: string, cas: number | undefined): boolean {
    return cas !== undefined && cas !== (this.kept.get(path)?.modified ?? 0);
  }
}

test('any writes, with check-and-set or without, match the specification', async () => {
  const { ask, json } = await scheduler();
  let rounds = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const namespace = `round-${rounds++}`;
      await ask('PUT', 'namespace', { body: { Name: namespace } });
      const model = new Model();
      for (const each of steps) {
        const { path, act, items } = each;
        const before = model.kept.get(path);
        const cas = model.casOf(each);
        const query = `?namespace=${namespace}${cas === undefined ? '' : `&cas=${cas}`}`;
        if (act === 'read') {
          const { status, json } = await ask('GET', `var/${path}${query}`);
          expect([status, json?.Items]).toEqual(before ? [200, before.items] : [404, undefined]);
          continue;
        }
        const method = act === 'put' ? 'PUT' : 'DELETE';
        const body = act === 'put' ? { Items: items } : undefined;
        const reply = await ask(method, `var/${path}${query}`, { body });
        if (model.conflicts(path, cas)) {
          const missing = expect.objectContaining({ ModifyIndex: 0 });
          expect([reply.status, reply.json]).toEqual([409, before?.variable ?? missing]);
          continue;
        }
        expect(reply.status).toBe(200);
        if (act === 'delete') {
          model.kept.delete(path);
          continue;
        }
        const modified = Number(reply.json?.ModifyIndex);
        const created = before?.created ?? modified;
        expect(modified).toBeGreaterThan(before?.modified ?? 0);
        expect([reply.json?.CreateIndex, reply.json?.Items]).toEqual([created, items]);
        model.kept.set(path, { variable: reply.json, items, created, modified });
      }
      const list = (await json('GET', `vars?namespace=${namespace}`)) as unknown as Record<string, unknown>[];
      expect(list.map(({ Path, CreateIndex, ModifyIndex }) => [Path, CreateIndex, ModifyIndex])).toEqual(
        [...model.kept].sort().map(([path, { created, modified }]) => [path, created, modified]),
      );
    }),
    { numRuns: 40 },
  );
});
