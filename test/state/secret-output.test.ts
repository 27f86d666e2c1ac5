import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/state/kind.ts';
import { isWrite } from '../faults/proxy.ts';
import { expectExit } from '../support/command-tests.ts';
import type { Ran, RunOptions } from '../support/run.ts';
import { benchForAll, newSetId, recordText, type Stated, secret, variable, writeSet } from './bench.ts';

const bench = await benchForAll();

const pem = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgCANARYcanary0123
Q2FOYXJ5T2xkQW5kTmV3MTIzNDU2Nzg5MGFiY2RlZmdoaWprbG1ub3BxcnN0dXZ3
-----END PRIVATE KEY-----
`;
/** Values before and after the change of a set. */
const canaries: readonly (readonly [name: string, before: string, after: string])[] = [
  ['password', 'Canary-old-7f3a', 'Canary-new-9b1c'],
  ['key', pem, pem.replaceAll('Q2F', 'R3G')],
  ['quotes', 'Canary"old\\"{\\', 'Canary"new\\"}\\'],
  ['lines', 'Canary-first\nCanary-second', 'Canary-third\r\nCanary-fourth'],
  ['short', 'x', 'y'],
  ['port', '8472', '8473'],
];
/** What no output may contain. One letter and a port are in other texts too, and are looked for as values. */
const secrets = canaries
  .slice(0, -2)
  .flatMap(([, ...values]) => values.flatMap((value) => value.split(/\r?\n/)))
  .filter((line) => line !== '' && !line.startsWith('-----'));

const id = newSetId();
const environment = (which: 1 | 2): Record<string, string> =>
  Object.fromEntries(canaries.map((canary) => [`CANARY_${canary[0].toUpperCase()}`, canary[which]]));
const references = Object.fromEntries(
  canaries.map(([name]) => [name, { valueFrom: `env://CANARY_${name.toUpperCase()}` }]),
);

/** Secret fields, fields that are no secrets with values from references, and texts that contain the short values. */
const objects = (description: string): readonly Stated[] => [
  variable('canary/app', references),
  secret('canary/app', { ...references, nested: { deep: [{ valueFrom: 'env://CANARY_PASSWORD' }] } }),
  {
    kind: 'registry.key',
    identity: { scope: {}, key: 'canary/app' },
    spec: { value: references.password ?? '' },
  },
  {
    kind: 'registry.policy',
    identity: { scope: {}, key: 'canary' },
    // Another spelling of the field, which is not a secret.
    spec: { description: { valueFrom: 'env://CANARY_PASSWORD' }, rules: 'service "x" { policy = "read" }' },
  },
  {
    kind: 'registry.policy',
    identity: { scope: {}, key: 'plain' },
    spec: { Description: description, Rules: '# port 8472 for x and y\n' },
  },
];
const state = (description: string, more: readonly Stated[] = []): void =>
  writeSet(bench, [...objects(description), ...more], { id });

const spelled = (value: string): readonly string[] => [value, JSON.stringify(value).slice(1, -1)];
const leaksIn = (text: string): readonly string[] =>
  secrets.flatMap(spelled).filter((secret) => text.includes(secret));
/** Runs a command line; nothing that it writes has a secret. */
async function run(argv: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const ran = await bench.run(argv, options);
  expect(leaksIn(ran.stdout + ran.stderr), `${argv.join(' ')}\n${ran.stdout}${ran.stderr}`).toEqual([]);
  return ran;
}

/** The values of one letter or a port, as a JSON value of any field. */
function shortValues(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(shortValues);
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(shortValues);
  return ['x', 'y', '8472', '8473'].includes(String(value)) ? [value] : [];
}

const [before, after] = [environment(1), environment(2)];

describe('secrets are in no output', () => {
  test('of plan, apply, saved plans and records, before and after a change', async () => {
    state('first port 8472');
    for (const env of [before, after]) {
      for (const flags of [
        [],
        ...['json', 'jsonl', 'yaml', 'markdown'].map((format) => ['-o', format]),
        ['--verbose'],
      ]) {
        const plan = await run(['plan', 'state', ...flags], { env });
        expect(plan.code, plan.stderr).toBe(10);
        if (flags[1] === 'json') {
          const { operations } = JSON.parse(plan.stdout);
          const shown = operations.flatMap(({ changes }: { changes: unknown }) => shortValues(changes));
          expect(shown).toEqual([]);
        }
      }
      expectExit(await run(['plan', 'state', '--out', 'canary.plan', '--force'], { env }), 10);
      expect(leaksIn(bench.at.read('canary.plan'))).toEqual([]);
      expect(
        shortValues(
          JSON.parse(bench.at.read('canary.plan')).operations.map(
            ({ changes }: { changes: unknown }) => changes,
          ),
        ),
      ).toEqual([]);
      await run(['apply', 'state', '--dry-run'], { env });
      await run(['apply', 'state', '--dry-run', '-o', 'json'], { env });
      const applied = await run(['apply', 'canary.plan', '--yes', '--verbose'], { env });
      expect(applied.code, applied.stdout + applied.stderr).toBe(0);
      expect(leaksIn(await recordText(bench, id))).toEqual([]);
      expect((await run(['plan', 'state'], { env })).code).toBe(0);
    }
  });

  test('and no other text is masked', async () => {
    state('second port 8472');
    const { stdout } = await run(['plan', 'state'], { env: after });
    expect(stdout).toContain('~ Description: "first port 8472" → "second port 8472"');
    const json = JSON.parse((await run(['plan', 'state', '-o', 'json'], { env: after })).stdout);
    expect(json.operations.find(({ action }: { action: string }) => action === 'update')).toMatchObject({
      changes: [
        { path: '/spec/Description', before: 'first port 8472', after: 'second port 8472', sensitive: false },
      ],
    });
  });

  test('of deletions', async () => {
    state('first port 8472', [variable('canary/other', references)]);
    expect((await run(['apply', 'state', '--yes'], { env: before })).code).toBe(0);
    state('first port 8472');
    for (const flags of [[], ['-o', 'json']])
      await run(['plan', 'state', '--prune', ...flags], { env: after });
    await run(['plan', 'state', '--prune', '--out', 'canary.plan', '--force'], { env: after });
    expect(leaksIn(bench.at.read('canary.plan'))).toEqual([]);
  });

  test.each(['400 Bad Request', '403 Forbidden', '409 Conflict', '500 Internal Server Error'])(
    'of a service that repeats them in its error: %s',
    async (status) => {
      state('third');
      for (const [env, flags] of [
        [after, []],
        [before, ['-o', 'json']],
        [before, ['--verbose']],
      ] as const) {
        // The values of the request, and those that the service has.
        const message = JSON.stringify({ errors: [...secrets, pem], message: secrets.join(' ') });
        bench.proxy.begin({
          picks: (request) => isWrite(request) && !request.url.includes('/kv/lanyard/'),
          forwards: false,
          play: (socket) =>
            void socket.end(
              `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(message)}\r\n\r\n${message}`,
            ),
        });
        expect((await run(['apply', 'state', '--yes', '--continue', ...flags], { env })).code).not.toBe(0);
        expect(leaksIn(await recordText(bench, id))).toEqual([]);
        bench.proxy.begin();
      }
    },
  );

  test('of a literal that is not allowed', async () => {
    writeSet(bench, objects('x'), { id });
    const literal: JsonObject = {
      apiVersion: 'lanyard/v1',
      kind: 'scheduler.variable',
      metadata: { name: 'a' },
    };
    bench.at.write(
      'state/z.json',
      JSON.stringify({ ...literal, spec: { Items: { password: 'Canary-old-7f3a' } } }),
    );
    const { code, stderr } = await run(['plan', 'state'], { env: before });
    expect([code, stderr]).toEqual([2, expect.stringContaining('secret value in the file: use valueFrom')]);
  });
});

describe('--show-secrets', () => {
  test('requires a terminal', async () => {
    state('first port 8472');
    const { code, stderr } = await run(['plan', 'state', '--show-secrets'], { env: before });
    expect([code, stderr]).toEqual([2, 'error: --show-secrets requires a terminal\n']);
  });

  test('shows values on a terminal', async () => {
    state('first port 8472');
    expect((await bench.run(['apply', 'state', '--yes'], { env: after })).code).toBe(0);
    const { stdout } = await bench.run(['plan', 'state', '--show-secrets'], { env: before, columns: 200 });
    expect(stdout).toContain('Canary-new-9b1c');
    expect(stdout).toContain('Canary-old-7f3a');
  });
});

test('JSON is valid with every warning', async () => {
  const own = newSetId();
  const policies: readonly Stated[] = ['foreign', 'kept'].map((name) => ({
    kind: 'registry.policy',
    identity: { scope: {}, key: `${own}-${name}` },
    spec: {},
  }));
  writeSet(bench, [...policies, secret(`${own}/db`, { a: '1' })], { id: own });
  expect((await bench.run(['apply', 'state', '--yes'])).code).toBe(0);
  const taken = ['acl', 'policy', 'put', `${own}-foreign`, '--description', 'x [lanyard:another000]'];
  expect((await bench.run(taken)).code).toBe(0);
  writeSet(bench, policies.slice(1), { id: own });
  const pruned = await bench.run(['plan', 'state', '--prune', '-o', 'json']);
  expect(pruned.stderr).toMatch(/^(warning: .*\n){2}$/);
  expect(
    JSON.parse(pruned.stdout)
      .warnings.map(({ code }: { code: string }) => code)
      .sort(),
  ).toEqual(['foreign', 'protected']);
  // Without a record, with what cannot be read.
  writeSet(bench, [...policies.slice(1), secret(`${own}/db`, { a: '1' })], { id: own });
  const set = JSON.parse(bench.at.read('state/set.json'));
  bench.at.write('state/set.json', JSON.stringify({ ...set, spec: {} }));
  const env = { LANYARD_SECRETS_TOKEN: 'wrong' };
  for (const format of ['json', 'jsonl']) {
    const plan = await bench.run(['plan', 'state', '-o', format], { env });
    expect([4, 5]).toContain(plan.code);
    const lines = format === 'json' ? [plan.stdout] : plan.stdout.trim().split('\n');
    for (const line of lines) JSON.parse(line);
    expect(plan.stderr).toContain('warning: secrets.kv cannot carry the mark of a set');
    expect(plan.stderr).toContain('warning: the plan is incomplete');
  }
});
