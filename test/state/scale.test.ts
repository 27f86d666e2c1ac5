import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/state/kind.ts';
import { formatJson } from '../../src/wire/json.ts';
import { serviceNames } from '../../src/wire/services.ts';
import { homeForTest, servicesForTest } from '../support/command-tests.ts';
import type { Home } from '../support/run.ts';
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
  run(line: string, code?: number): Promise<Sent & { readonly stdout: string }>;
}

async function measured(): Promise<Measured> {
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
      bytes += Number(request.headers['content-length'] ?? 0) + lengthOf(response.body);
      return response;
    };
  }
  return {
    at,
    async run(line, code = 0) {
      [requests, bytes] = [0, 0];
      const ran = await at.run(line.split(' '));
      expect(ran.code, `${line}\n${ran.stdout.slice(-2000)}${ran.stderr.slice(-2000)}`).toBe(code);
      return { stdout: ran.stdout, requests, bytes };
    },
  };
}

const lengthOf = (body: unknown): number =>
  typeof body === 'string' || body instanceof Uint8Array ? body.length : 0;

function writeFiles(
  at: Home,
  row: Many,
  { count, version }: { readonly count: number; readonly version: string },
): void {
  const set = {
    kind: 'Set',
    metadata: { name: 'scale', id: setId },
    spec: { record: row.record, prune: { kinds: [row.kind] } },
  };
  const objects = Array.from({ length: count }, (_none, n) => ({
    kind: row.kind,
    metadata: { ...row.metadata, name: row.name(n), allowLiteral: true, deletion: 'allow' },
    spec: row.spec(n, version),
  }));
  at.write(
    'state/all.yaml',
    [set, ...objects]
      .map((each) => `---\n${formatJson({ apiVersion: 'lanyard/v1', ...each } as JsonObject, 2)}\n`)
      .join(''),
  );
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
