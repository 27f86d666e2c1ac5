import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/state/kind.ts';
import { formatJson } from '../../src/wire/json.ts';
import { serviceNames } from '../../src/wire/services.ts';
import { homeForTest, servicesForTest } from '../support/command-tests.ts';
import type { Home, Ran, RunOptions } from '../support/run.ts';
import { setTokens } from '../support/services.ts';
import { report, sized } from '../support/soak.ts';

/** Objects of a kind, as many as one set may have. */
interface Many {
  readonly kind: string;
  readonly count: number;
  /** Where the record of the set is. */
  readonly record: string;
  readonly name: (n: number) => string;
  readonly spec: (n: number, version: string) => JsonObject;
  readonly metadata?: JsonObject;
}

const setId = 'scale00000';
const rows: readonly Many[] = [
  {
    kind: 'registry.key',
    count: sized(10_000, 60),
    record: `registry:lanyard/sets/${setId}`,
    name: (n) => `app/${n % 100}/key-${n}`,
    spec: (n, version) => ({ value: `${version} ${n}` }),
  },
  {
    kind: 'scheduler.variable',
    count: sized(5000, 60),
    record: `scheduler:default/lanyard/sets/${setId}`,
    name: (n) => `app/${n % 100}/variable-${n}`,
    spec: (n, version) => ({ Items: { user: `user-${n}`, password: version } }),
  },
  {
    kind: 'accounts.account',
    count: sized(2000, 60),
    record: `registry:lanyard/sets/${setId}`,
    name: (n) => `account-${n}`,
    spec: (_n, version) => ({ description: version }),
    metadata: { authMethod: 'password' },
  },
  {
    kind: 'registry.policy',
    count: sized(1000, 60),
    record: `secrets:secret/lanyard/sets/${setId}`,
    name: (n) => `policy-${n}`,
    spec: (n, version) => ({ Description: version, Rules: `key_prefix "app/${n}" { policy = "read" }` }),
  },
  {
    kind: 'secrets.policy',
    count: sized(1000, 60),
    record: `secrets:secret/lanyard/sets/${setId}`,
    name: (n) => `policy-${n}`,
    spec: (n, version) => ({ policy: `# ${version}\npath "secret/data/${n}" { capabilities = ["read"] }` }),
  },
  {
    kind: 'secrets.kv',
    count: sized(2000, 60),
    record: `secrets:secret/lanyard/sets/${setId}`,
    name: (n) => `app/${n % 20}/secret-${n}`,
    spec: (n, version) => ({ data: { user: `user-${n}`, password: version } }),
  },
];

/** What one command sent. */
interface Sent {
  readonly requests: number;
  /** Of the bodies of requests and responses. */
  readonly bytes: number;
}

interface Measured {
  readonly at: Home;
  /** Runs a command with exit code 0, or the given one, and counts. */
  run(line: string, code?: number, options?: RunOptions): Promise<Sent & Ran>;
}

/** @param beforeResponse is called with the number of each request */
async function measured(beforeResponse?: (request: number) => Promise<void>): Promise<Measured> {
  const at = homeForTest();
  const running = await servicesForTest(at);
  await setTokens(at, running);
  let requests = 0;
  let bytes = 0;
  for (const name of serviceNames) {
    const service = running.embedded.services[name];
    const { handle } = service;
    service.handle = async (request) => {
      const response = await handle(request);
      requests += 1;
      await beforeResponse?.(requests);
      bytes += Number(request.headers['content-length'] ?? 0) + lengthOf(response.body);
      return response;
    };
  }
  return {
    at,
    async run(line, code = 0, options = {}) {
      [requests, bytes] = [0, 0];
      const ran = await at.run(line.split(' '), options);
      expect(ran.code, `${line}\n${ran.stdout.slice(-2000)}${ran.stderr.slice(-2000)}`).toBe(code);
      return { ...ran, requests, bytes };
    },
  };
}

const lengthOf = (body: unknown): number =>
  typeof body === 'string' || body instanceof Uint8Array ? body.length : 0;

const objectsOf = (row: Many, count: number, version: string): readonly object[] =>
  Array.from({ length: count }, (_none, n) => ({
    kind: row.kind,
    metadata: { ...row.metadata, name: row.name(n), allowLiteral: true, deletion: 'allow' },
    spec: row.spec(n, version),
  }));

interface Files {
  readonly record: string;
  readonly objects: readonly object[];
  /** Documents in one file (default: all). */
  readonly perFile?: number;
}

function writeSet(at: Home, { record, objects, perFile = objects.length + 1 }: Files): void {
  const kinds = [...new Set(objects.map((each) => (each as { kind: string }).kind))];
  const set = { kind: 'Set', metadata: { name: 'scale', id: setId }, spec: { record, prune: { kinds } } };
  const texts = [set, ...objects].map(
    (each) => `---\n${formatJson({ apiVersion: 'lanyard/v1', ...each } as JsonObject, 2)}\n`,
  );
  at.clear('state');
  for (let from = 0; from < texts.length; from += perFile)
    at.write(`state/from-${from}.yaml`, texts.slice(from, from + perFile).join(''));
}

function writeFiles(
  at: Home,
  row: Many,
  { count, version }: { readonly count: number; readonly version: string },
): void {
  writeSet(at, { record: row.record, objects: objectsOf(row, count, version) });
}

/** What each command sends for a number of objects, from creation to deletion. */
async function life(row: Many, count: number): Promise<Readonly<Record<string, Sent>>> {
  const { at, run } = await measured();
  writeFiles(at, row, { count, version: 'one' });
  const create = await run('apply state --yes');
  expect(create.stdout).toContain(`${count} created`);
  const plan = await run('plan state');
  expect(plan.stdout).toContain(`No changes. ${count} objects`);
  const exported = await run(`export exported --kind ${row.kind} --secrets env --no-targets`);
  expect(at.list('exported').filter((file) => file !== 'exported/set.yaml').length).toBeGreaterThanOrEqual(
    count,
  );
  writeFiles(at, row, { count, version: 'two' });
  const update = await run('apply state --yes');
  expect(update.stdout).toContain(`${count} updated`);
  const empty = await run('plan state');
  expect(empty.stdout).toContain(`No changes. ${count} objects`);
  writeFiles(at, row, { count: 1, version: 'two' });
  const removal = await run(`apply state --yes --prune --prune-max ${count} --prune-all`);
  expect(removal.stdout).toContain(`${count - 1} deleted`);
  return { create, plan, export: exported, update, empty, removal };
}

/** More than twice as much for twice as many objects: a request or some bytes that each run has. */
const slack = { requests: 20, bytes: 20_000 };

describe.each(rows)('$count of $kind', (row) => {
  test('are exported, planned, applied and deleted; requests and bytes are linear', async () => {
    const few = await life(row, row.count / 2);
    const all = await life(row, row.count);
    for (const [command, { requests, bytes }] of Object.entries(all)) {
      const half = few[command] ?? { requests: 0, bytes: 0 };
      report(`${command} of ${row.count} ${row.kind}: ${requests} requests, ${bytes} bytes`, row.count, 0);
      expect(requests, `requests of ${command}`).toBeLessThanOrEqual(2 * half.requests + slack.requests);
      expect(bytes, `bytes of ${command}`).toBeLessThanOrEqual(2 * half.bytes + slack.bytes);
    }
  });
});

/** The kinds of the set with many kinds, and how many of 100 objects are of each. */
const shares: readonly (readonly [percent: number, kind: string])[] = [
  [40, 'registry.key'],
  [20, 'scheduler.variable'],
  [15, 'secrets.kv'],
  [5, 'registry.policy'],
  [5, 'secrets.policy'],
  [10, 'accounts.account'],
  [3, 'registry.config-entry'],
  [2, 'scheduler.namespace'],
];
const record = `registry:lanyard/sets/${setId}`;
const others: readonly Many[] = [
  {
    kind: 'registry.config-entry',
    count: 0,
    record,
    name: (n) => `service-${n}`,
    spec: (n, version) => ({ Protocol: 'http', MaxInboundConnections: n + 1, Meta: { version } }),
    metadata: { entryKind: 'service-defaults' },
  },
  {
    kind: 'scheduler.namespace',
    count: 0,
    record,
    name: (n) => `namespace-${n}`,
    spec: (_n, version) => ({ Description: version }),
  },
];

const mixed = (count: number, version: string): readonly object[] =>
  shares.flatMap(([percent, kind]) => {
    const row = [...rows, ...others].find((each) => each.kind === kind);
    if (!row) throw new Error(`no row for ${kind}`);
    return objectsOf(row, (count * percent) / 100, version);
  });

/** Requests of a command besides the reads of objects: lists, origins, the record and its parts. */
const maxOverhead = 60;

describe('a set of many kinds', () => {
  const count = sized(10_000, 100);

  test('is planned with at most one request for each object, in one file and in as many', async () => {
    const { at, run } = await measured();
    const objects = mixed(count, 'one');
    writeSet(at, { record, objects });
    const create = await run('plan state', 10);
    expect(create.stdout).toContain(`Plan: ${count} to create`);
    expect(create.requests).toBeLessThanOrEqual(count + maxOverhead);
    expect((await run('apply state --yes')).stdout).toContain(`${count} created`);
    const plan = await run('plan state');
    expect(plan.stdout).toContain(`No changes. ${count} objects`);
    expect(plan.requests).toBeLessThanOrEqual(count + maxOverhead);
    writeSet(at, { record, objects, perFile: 1 });
    const ofFiles = await run('plan state');
    expect(ofFiles.stdout).toBe(plan.stdout);
    expect(ofFiles.requests).toBe(plan.requests);
    const kept = objects.filter((_object, index) => index % 2 === 0);
    writeSet(at, { record, objects: kept });
    const removal = await run(`plan state --prune --prune-max ${count}`, 10);
    expect(removal.stdout).toContain(`${count - kept.length} to delete`);
    expect(removal.requests).toBeLessThanOrEqual(count + maxOverhead);
    report(`plan of ${count} objects: ${plan.requests} requests, ${plan.bytes} bytes`, count, 0);
  });

  test('shows on a terminal how many objects were read, applied and exported', async () => {
    let shown = '';
    let held = { request: 0, until: /./ };
    const { at, run } = await measured(async (request) => {
      // The line appears after a moment.
      if (request === held.request) await expect.poll(() => shown, { timeout: 20_000 }).toMatch(held.until);
    });
    writeSet(at, { record, objects: mixed(100, 'one') });
    const observed = async (line: string, request: number, until: RegExp, code = 0): Promise<void> => {
      shown = '';
      held = { request, until };
      const onStderr = (said: string): void => {
        shown += said;
      };
      await run(line, code, { columns: 100, onStderr });
      expect(shown).toMatch(until);
    };
    await observed('plan state', 60, /reading objects \d+ of 100/, 10);
    await observed('apply state --yes', 200, /applying changes \d+ of 100/);
    await observed('export exported --no-targets --kind registry.key', 20, /registry\.key \d+ of 40/);
  });
});
