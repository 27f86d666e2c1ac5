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
    const { send } = await scheduler();
    expect(await send('PUT', `var/${path}`, { Items })).toBe(`400 RPC Error:: 400,${message}`);
    expect(await send('PUT', `var/${path}?lock-acquire`, { Items })).toBe(`400 RPC Error:: 400,${message}`);
    expect(await send('PUT', `var/${path}?lock-release`, { Lock: { ID: 'x' } })).toBe(`400 ${message}`);
  });

  test('in a namespace that does not exist', async () => {
    const { send } = await scheduler();
    const message = 'variable "a/b" is in nonexistent namespace "none"';
    expect(await send('PUT', 'var/a/b?namespace=none', { Items })).toBe(`500 ${message}`);
    expect(await send('PUT', 'var/a/b?namespace=none&lock-acquire', { Items })).toBe(`500 ${message}`);
    expect(await send('GET', 'vars?namespace=*')).toBe('200 []');
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
    const { send } = await scheduler();
    expect(await send('PUT', 'var/a', { Items: { k: 1 } })).toBe(
      '400 failed to decode the variable: Items of the body must be a map of strings',
    );
    for (const path of ['var/a', 'var/a?lock-acquire', 'namespace'])
      expect(await send('PUT', path)).toBe('400 Request body is empty');
    expect(await send('PUT', 'var/a', '{"Items":')).toMatch(/^400 failed to decode the variable: ./);
  });
});

describe('the times of a lock', () => {
  const lockOf = async (lock: object) => {
    const { ask } = await scheduler();
    const { status, json, text } = await ask('PUT', 'var/a?lock-acquire', { body: { Items, Lock: lock } });
    expect(status, text).toBe(200);
    return json?.Lock;
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
    const { ModifyIndex } = await manage('PUT', 'var/a', { Items: { k: 'secret' } });
    const reader = await holder(rule('read', 'write', 'destroy'));
    const writer = await holder(rule('list', 'write', 'destroy'));
    for (const [method, body] of [
      ['PUT', { Items }],
      ['DELETE', undefined],
    ] as const) {
      expect(await reader.send(method, 'var/a?cas=1', body)).toMatch(/^409 .*"Items":\{"k":"secret"\}/);
      const hidden = await writer.send(method, 'var/a?cas=1', body);
      expect(hidden).toMatch(new RegExp(`^409 .*"ModifyIndex":${ModifyIndex}\\b`));
      expect(hidden).not.toMatch(/Items|secret/);
    }
  });
});
