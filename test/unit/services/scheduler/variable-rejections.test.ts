import { describe, expect, test } from 'vitest';
import { guarded, scheduler } from './support.ts';

const Items = { k: 'v' };
const misplaced =
  'only paths at "nomad/jobs" or "nomad/job-templates" and below are valid paths under the top-level "nomad" directory';

describe('a write of a variable is rejected', () => {
  test.each([
    [
      'nomad',
      '"nomad" is a reserved top-level directory path, but you may write variables to "nomad/jobs", "nomad/job-templates", "nomad/sentinel", or below',
    ],
    ['nomad/', misplaced],
    ['nomad/x', misplaced],
    ['nomad/x/a', misplaced],
    ['nomad/jobsx', misplaced],
    ['nomad/job-templates', misplaced],
    ['nomad/job-templates/', misplaced],
  ])('at the reserved path %s', async (path, message) => {
    const { said } = await scheduler();
    expect(await said('PUT', `var/${path}`, { Items })).toEqual([400, `RPC Error:: 400,${message}`]);
    expect(await said('PUT', `var/${path}?lock-acquire`, { Items })).toEqual([
      400,
      `RPC Error:: 400,${message}`,
    ]);
    expect(await said('PUT', `var/${path}?lock-release`, { Lock: { ID: 'x' } })).toEqual([400, message]);
  });

  test('in a namespace that does not exist', async () => {
    const { said } = await scheduler();
    const message = 'variable "a/b" is in nonexistent namespace "none"';
    expect(await said('PUT', 'var/a/b?namespace=none', { Items })).toEqual([500, message]);
    expect(await said('PUT', 'var/a/b?namespace=none&lock-acquire', { Items })).toEqual([500, message]);
    expect(await said('GET', 'vars?namespace=*')).toEqual([200, '[]']);
  });

  test('with the index 0, unless the body cannot be read', async () => {
    const { ask } = await scheduler();
    const indexOf = async (path: string, body: object) =>
      (await ask('PUT', `var/${path}`, { body })).headers['x-nomad-index'];
    expect(await indexOf('a.b', { Items })).toBe('0');
    expect(await indexOf('a?namespace=none', { Items })).toBe('0');
    expect(await indexOf('a?lock-release', { Lock: { ID: 'x' } })).toBe('0');
    expect(await indexOf('a?lock-renew', { Lock: { ID: 'x' } })).toBeUndefined();
    expect(await indexOf('a', {})).toBeUndefined();
    expect(await indexOf('a', { Items: { k: 1 } })).toBeUndefined();
  });

  test('with the index 0 without permission', async () => {
    const { ask } = await guarded();
    const { status, headers } = await ask('PUT', 'var/a', { body: { Items } });
    expect([status, headers['x-nomad-index']]).toEqual([403, '0']);
  });

  test('if its body is invalid, with the reason', async () => {
    const { said } = await scheduler();
    expect(await said('PUT', 'var/a', { Items: { k: 1 } })).toEqual([
      400,
      'failed to decode the variable: Items of the body must be a map of strings',
    ]);
    for (const path of ['var/a', 'var/a?lock-acquire', 'namespace'])
      expect(await said('PUT', path)).toEqual([400, 'Request body is empty']);
    expect(await said('PUT', 'var/a', '{"Items":')).toEqual([
      400,
      expect.stringMatching(/^failed to decode the variable: ./),
    ]);
  });
});

describe('the times of a lock', () => {
  const lockOf = async (lock: object) => {
    const { said } = await scheduler();
    const [status, text] = await said('PUT', 'var/a?lock-acquire', { Items, Lock: lock });
    return status === 200 ? JSON.parse(String(text)).Lock : [status, text];
  };

  test.each(['0s', '0', '', 0, null])('are the defaults if they are %j', async (time) => {
    expect(await lockOf({ TTL: time, LockDelay: time })).toMatchObject({ TTL: '15s', LockDelay: '15s' });
    expect(await lockOf({ TTL: '20s', LockDelay: time })).toMatchObject({ TTL: '20s', LockDelay: '15s' });
    expect(await lockOf({ TTL: time, LockDelay: '1s' })).toMatchObject({ TTL: '15s', LockDelay: '1s' });
  });

  test('may be numbers of nanoseconds', async () => {
    expect(await lockOf({ TTL: 30e9, LockDelay: 2e9 })).toMatchObject({ TTL: '30s', LockDelay: '2s' });
  });
});

describe('a conflict', () => {
  const rule = (...capabilities: string[]) =>
    `namespace "default" { variables { path "a" { capabilities = ${JSON.stringify(capabilities)} } } }`;

  test('shows the items only to callers that may read them', async () => {
    const { holder, manage } = await guarded();
    await manage('PUT', 'var/a', { Items: { k: 'secret' } });
    const reader = await holder(rule('read', 'write', 'destroy'));
    const writer = await holder(rule('list', 'write', 'destroy'));
    for (const [method, body] of [
      ['PUT', { Items }],
      ['DELETE', undefined],
    ] as const) {
      const [status, seen] = await reader.say(method, 'var/a?cas=1', body);
      expect([status, JSON.parse(String(seen)).Items]).toEqual([409, { k: 'secret' }]);
      const [alike, hidden] = await writer.say(method, 'var/a?cas=1', body);
      expect(alike).toBe(409);
      expect(hidden).not.toMatch(/Items|secret/);
    }
  });
});
