import { expect, test } from 'vitest';
import type { RateLimits } from '../../src/services/rate-limits.ts';
import type { ServiceName } from '../../src/wire/services.ts';
import { homeForTest, servicesForTest } from '../support/command-tests.ts';
import type { Home, RunOptions } from '../support/run.ts';
import { sized } from '../support/soak.ts';
import { type Stated, variable, writeSet } from './bench.ts';

interface Limited {
  readonly at: Home;
  /** The requests of each service, and how many of them were rejected. */
  readonly requests: Record<string, { sent: number; rejected: number }>;
  /** Runs a command that ends with 0. */
  run(line: string, options?: RunOptions): Promise<{ readonly stdout: string; readonly stderr: string }>;
}

/**
 * Services with rate limits, and a clock that jumps to the last second of a period as soon as a limit is reached: no
 * test waits for half a minute.
 */
async function limited(rateLimits: RateLimits): Promise<Limited> {
  let aheadMs = 0;
  const at = homeForTest();
  const running = await servicesForTest(at, { rateLimits, clock: () => new Date(Date.now() + aheadMs) });
  at.env.LANYARD_ACCOUNTS_TOKEN = running.embedded.accountsToken;
  const requests: Limited['requests'] = {};
  for (const [name, service] of Object.entries(running.embedded.services)) {
    const count = { sent: 0, rejected: 0 };
    requests[name] = count;
    const { handle } = service;
    service.handle = async (request) => {
      const response = await handle(request);
      count.sent += 1;
      if (response.status === 429 || response.status === 503) count.rejected += 1;
      const [, seconds] = /remaining=0, reset=(\d+)/.exec(response.headers?.RateLimit ?? '') ?? [];
      if (seconds !== undefined && Number(seconds) > 1) aheadMs += (Number(seconds) - 1) * 1000;
      return response;
    };
  }
  return {
    at,
    requests,
    async run(line, options = {}) {
      const ran = await at.run(line.split(' '), options);
      expect(ran.code, ran.stdout.slice(-2000) + ran.stderr).toBe(0);
      return ran;
    },
  };
}

const set = { id: 'many000000', directory: 'many', spec: { record: 'file:many.record' } };
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

/** A set of accounts of the auth method that a service starts with. */
function writeAccounts(at: Home, count: number, description: string): void {
  const scope = { scope: 'global', authMethod: 'password' };
  const accounts = numbers(count).map((n) => ({
    kind: 'accounts.account',
    identity: { scope, key: `many-${n}` },
    spec: { description },
  }));
  writeSet({ at }, accounts, set);
}

test('exports, plans and applies many accounts within the default limits of Boundary', async () => {
  const count = sized(2000, 250);
  const { at, requests, run } = await limited({ accounts: 'boundary' });
  writeAccounts(at, count, 'one of many');
  expect((await run('apply many --yes')).stdout).toContain(`${count} created`);
  expect((await run('plan many')).stdout).toContain(`No changes. ${count} objects`);
  writeAccounts(at, count, 'changed');
  const applied = await run('apply many --yes');
  expect(applied.stdout).toContain(`${count} updated`);
  expect(applied.stderr).not.toContain('waiting');
  await run('export exported --service accounts --no-targets');
  expect(at.list('exported').filter((name) => name.includes('many-'))).toHaveLength(count);
  expect(requests.accounts?.rejected).toBe(0);
});

test('waits for Retry-After, with one note for all requests that wait', async () => {
  const { at, requests, run } = await limited({ accounts: 20 });
  writeAccounts(at, 30, 'one of many');
  const applied = await run('apply many --yes');
  expect(applied.stdout).toContain('30 created');
  expect(requests.accounts?.rejected).toBeGreaterThan(0);
  expect(applied.stderr.match(/account service: rate limit reached \(429\); waiting \d+ s/g)).toHaveLength(1);
});

test.each<[ServiceName, RateLimits]>([
  ['secrets', { secrets: 16 }],
  ['registry', { registry: 2 }],
  ['scheduler', { scheduler: 16 }],
])('waits for the %s service, whose limit has no time to wait for', async (service, rateLimits) => {
  const { at, requests, run } = await limited(rateLimits);
  const objectOf = (n: number): Stated => {
    const key = `many-${n}`;
    if (service === 'registry')
      return { kind: 'registry.key', identity: { scope: {}, key }, spec: { value: 'x' } };
    if (service === 'scheduler') return variable(key, { a: 'x' });
    const spec = { policy: 'path "x" { capabilities = ["read"] }' };
    return { kind: 'secrets.policy', identity: { scope: {}, key }, spec };
  };
  writeSet({ at }, numbers(12).map(objectOf), set);
  const applied = await run('apply many --yes');
  expect(applied.stdout).toContain('12 created');
  expect(requests[service]?.rejected).toBeGreaterThan(0);
  expect(applied.stderr.match(/rate limit reached \(\d+\); waiting$/gm)).toHaveLength(1);
});

test('a single command does not wait for half a minute', async () => {
  const at = homeForTest();
  await servicesForTest(at, { rateLimits: { accounts: 1 } });
  expect((await at.run(['account', 'auth-method', 'list'])).code).toBe(0);
  const ran = await at.run(['account', 'auth-method', 'list']);
  expect([ran.code, ran.stderr]).toEqual([8, expect.stringContaining('limiting the rate of requests (429)')]);
  expect(ran.stderr).toContain('30');
});
