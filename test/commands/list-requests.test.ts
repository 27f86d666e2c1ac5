import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tree } from '../../src/commands/tree.ts';
import { factsAbout, factsOf } from '../facts/facts.ts';
import { type Bench, stateBench } from '../state/bench.ts';

/** A few objects, and twice as many: what is sent for each object is the difference. */
const counts = [4, 8] as const;

const many = (n: number): string => `many-${n}`;
const host = (n: number): string => `10.9.8.${n + 1}`;

/** Lists, by their command lines. */
const cases = factsAbout('lists').flatMap(([command, lists]) =>
  typeof lists === 'string'
    ? []
    : Object.entries(lists).map(([args, list]) => ({ ...list, line: `${command} ${args}`.trim() })),
);
const numbered = (text: string, n: number): string => text.replaceAll('{n}', String(n));

const lists = new Set(['list', 'search', 'export', 'lookup']);

let bench: Bench;
beforeAll(async () => {
  bench = await stateBench();
  bench.at.write('policy.hcl', 'path "secret/*" { capabilities = ["read"] }\n');
  bench.at.write('rules.hcl', 'key_prefix "" { policy = "read" }\n');
  bench.at.write('jwt.pem', await publicKey());
  for (let n = 0; n < counts[1]; n += 1) {
    bench.at.write(`node-${n}.json`, JSON.stringify({ Node: many(n), Address: host(n) }));
    bench.at.write(`entry-${n}.json`, JSON.stringify({ Kind: 'service-defaults', Name: many(n) }));
  }
});
afterAll(() => bench.close());

const publicKey = async (): Promise<string> => {
  const { generateKeyPairSync } = await import('node:crypto');
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .publicKey.export({ format: 'pem', type: 'spki' })
    .toString();
};

const run = async (line: string, codes: readonly number[]) => {
  const env = { PASSWORD: 'correct horse battery' };
  const ran = await bench.run([...line.split(' '), '-o', 'json'], { env });
  expect(codes, `${line}\n${ran.stdout}${ran.stderr}`).toContain(ran.code);
  return ran.stdout;
};

test('every list command has `lists` in its facts', () => {
  const paths = tree.map(({ path }) => path).filter((path) => lists.has(path.split(' ').at(-1) ?? ''));
  expect(paths.filter((path) => factsOf(path).lists === undefined)).toEqual([]);
});

// Each row needs few objects and then many, so all lists are counted before the others are created.
describe('the requests of a list do not grow with the objects', () => {
  const sent = new Map<string, number[]>();
  beforeAll(async () => {
    await run('account create --login-name many --password env://PASSWORD', [0]);
    let created = 0;
    for (const count of counts) {
      for (; created < count; created += 1)
        for (const { create } of cases) if (create !== undefined) await run(numbered(create, created), [0]);
      for (const { line, code = 0, shows = 'many-{n}' } of cases) {
        bench.proxy.begin();
        const stdout = await run(line, [code]);
        sent.set(line, [...(sent.get(line) ?? []), bench.proxy.passed.length]);
        if (code === 0 && shows) expect(stdout, line).toContain(numbered(shows, count - 1));
      }
    }
  });
  test.each(cases)('$line', ({ line, page, oneForEach }) => {
    const [few = 0, more = 0] = sent.get(line) ?? [];
    const added = counts[1] - counts[0];
    if (oneForEach !== undefined) expect(more - few, oneForEach).toBe(added);
    else if (page !== undefined) expect(more - few).toBeLessThanOrEqual(Math.ceil(added / page) + 1);
    else expect(more).toBe(few);
  });
});
