import { describe, expect, test } from 'vitest';
import { embeddedForAll, expectFailure } from '../../support/command-tests.ts';
import type { Ran, RunOptions } from '../../support/run.ts';
import { json, serve } from '../../unit/api/support.ts';

const { at } = embeddedForAll();
/** Random bytes of zero: the earliest renewal. */
const random = (length: number): Uint8Array => new Uint8Array(length);
const keepAlive = (script: string, options: RunOptions = {}): Promise<Ran> =>
  at.run(['secrets', 'token', 'keep-alive', '--', 'sh', '-c', script], { random, ...options });

/** A service whose renewals have these results; the child ends when the last of them was sent. */
async function renewing(lifetimes: readonly (number | 'lost' | 'rejected')[]) {
  const left = [...lifetimes];
  const server = await serve((seen, response) => {
    if (seen.url?.endsWith('lookup-self'))
      return json(response, { data: { accessor: 'a1', ttl: 1, renewable: true } });
    const next = left.shift();
    if (left.length === 0) at.write('renewed', '');
    if (next === 'lost') return json(response, { errors: ['down'] }, 503);
    if (next === 'rejected') return json(response, { errors: ['permission denied'] }, 403);
    json(response, {
      auth: { client_token: 's.own-token-of-it', lease_duration: next ?? 1, renewable: true },
    });
  });
  at.clear('renewed');
  return { env: { LANYARD_SECRETS_ADDR: server.url, LANYARD_SECRETS_MAX_RETRIES: '0' }, left };
}
const untilRenewed = (code: number): string => `while [ ! -e renewed ]; do sleep 0.02; done; exit ${code}`;

describe('secrets token keep-alive', () => {
  test('renews the token while the command runs, and returns its exit code', async () => {
    const { env, left } = await renewing([1, 1, 1, 1]);
    expect(await keepAlive(untilRenewed(7), { env })).toEqual({ code: 7, stdout: '', stderr: '' });
    expect(left).toEqual([]);
  });

  test('renews a token of the service', async () => {
    const created = await at.run(
      'secrets token create --policy default --ttl 3s --field client_token'.split(' '),
    );
    const env = { LANYARD_SECRETS_TOKEN: created.stdout.trim() };
    const before = await at.run(['secrets', 'token', 'self', '--field', 'expire_time'], { env });
    expect((await keepAlive('sleep 2', { env })).code).toBe(0);
    const after = await at.run(['secrets', 'token', 'self', '--field', 'expire_time'], { env });
    expect(after.stdout > before.stdout).toBe(true);
  });

  test('reports once that the maximum lifetime is reached', async () => {
    const { env } = await renewing([4, 1]);
    const ran = await keepAlive(`${untilRenewed(0).replace('exit 0', '')} sleep 1; exit 3`, { env });
    expect(ran.code).toBe(3);
    expect(ran.stderr).toMatch(
      /^warning: the token can no longer be renewed and expires at 2\d{3}-\S+ \S+ UTC: it has reached its maximum lifetime\n$/,
    );
  });

  test('continues after a failure of the service', async () => {
    const { env } = await renewing([2, 'lost', 2, 2]);
    const ran = await keepAlive(untilRenewed(0), { env });
    expect(ran.code).toBe(0);
    expect(ran.stderr).toMatch(
      /^warning: cannot renew the token yet: .*\(503\)\n(note: )?The token was renewed again\.\n$/,
    );
  });

  test('reports a token that can no longer be renewed', async () => {
    const { env } = await renewing([1, 'rejected']);
    const ran = await keepAlive(`${untilRenewed(0).replace('exit 0', '')} sleep 1; exit 3`, { env });
    expect(ran.code).toBe(3);
    expect(ran.stderr).toMatch(
      /^warning: the token can no longer be renewed and expires at 2\d{3}-\S+ \S+ UTC: cannot renew own token: permission denied \(403\): POST auth\/token\/renew-self requires .*\n$/,
    );
  });

  test('runs nothing if the token is not renewable, and the command alone if it does not expire', async () => {
    const batch = await at.run(
      'secrets token create --policy default --ttl 1m --type batch --field client_token'.split(' '),
    );
    const ran = await keepAlive('touch ran', { env: { LANYARD_SECRETS_TOKEN: batch.stdout.trim() } });
    expectFailure(ran, 1, 'error: cannot keep the token alive: not renewable\n');
    expect(at.list()).not.toContain('ran');
    expect(await keepAlive('exit 4')).toEqual({ code: 4, stdout: '', stderr: '' });
  });

  test('rejects a command that does not exist', async () => {
    const ran = await at.run(['secrets', 'token', 'keep-alive', '--', 'no-such-program']);
    expectFailure(ran, 2, 'error: cannot run no-such-program: command not found\n');
  });
});
