import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonLimits, parseBounded } from '../../../../../src/services/core/http/bounded-json.ts';
import { readPath } from '../../../../../src/services/core/http/path.ts';
import { maxPolicyLength } from '../../../../../src/services/core/max-policy-length.ts';
import { yieldToEventLoop } from '../../../../../src/services/core/yield-to-event-loop.ts';
import { Acl } from '../../../../../src/services/secrets/acl/acl.ts';
import type { Capability, Rule } from '../../../../../src/services/secrets/acl/rule.ts';
import { Mounts } from '../../../../../src/services/secrets/model/mounts.ts';
import { HclError, parseHcl } from '../../../../../src/wire/hcl.ts';
import { serviceNames } from '../../../../../src/wire/services.ts';
import { memoryStorage } from '../../../../support/memory-storage.ts';
import { sized } from '../../../../support/soak.ts';
import { guarded } from '../../registry/support.ts';
import { guarded as guardedScheduler } from '../../scheduler/support.ts';
import { outcome, secrets } from '../../secrets/support.ts';
import { call, start } from '../../support.ts';

// The cost of a request is bounded, whatever it contains. Steps and event loop iterations are counted and no
// time is measured, so the result does not depend on the load of the machine.

describe('the segments of a path', () => {
  const path = (segments: number, end = '') =>
    `/${Array.from({ length: segments }, () => 'a').join('/')}${end}`;

  test('number at most 256', () => {
    expect(readPath(path(256)).path.segments).toHaveLength(256);
    expect(readPath(path(256, '/')).path).toMatchObject({ hasTrailingSlash: true });
    for (const target of [path(257), path(257, '/'), path(7_000), path(256, '//')])
      expect(() => readPath(target)).toThrow();
    // A key is one segment, whatever it contains.
    const key = path(7_000).slice(1);
    expect(readPath(`/v1/kv/${key}`, ['v1/kv']).path.segments).toEqual(['v1', 'kv', key]);
  });

  test('beyond the limit are rejected by every service, without a token, also in a header', async () => {
    const { addresses } = await start();
    for (const service of serviceNames) {
      const reply = await call(addresses[service], 'GET', `/v1${path(7_000)}`, { token: null });
      expect([service, reply.status]).toEqual([service, 400]);
      expect(reply.text).toContain('more than 256 segments in path');
    }
    const headers = { 'X-Vault-Namespace': path(7_000) };
    const reply = await call(addresses.secrets, 'GET', '/v1/shelf/public', { token: null, headers });
    expect(reply.status).toBe(400);
  });

  test('are read once to find their mount', () => {
    const mounts = new Mounts({ storage: memoryStorage() } as never);
    const deep = `${'b/'.repeat(100)}`;
    for (const path of ['sys/', 'a/', 'a/b/c/', deep])
      mounts.addBuiltIn(path, { type: 'system' } as Parameters<Mounts['addBuiltIn']>[1]);
    const resolved = (text: string) => {
      let reads = 0;
      const segments = new Proxy(text.split('/'), {
        get(target, name, receiver) {
          if (typeof name === 'string' && /^\d+$/.test(name)) reads++;
          return Reflect.get(target, name, receiver);
        },
      });
      const found = mounts.resolve(segments);
      return { mount: found?.mount.path, path: found?.path, reads };
    };
    expect(resolved('a/b/x')).toMatchObject({ mount: 'a/', path: 'b/x' });
    expect(resolved('a/b/c')).toMatchObject({ mount: 'a/b/c/', path: '' });
    expect(resolved('a/b/c/d/e')).toMatchObject({ mount: 'a/b/c/', path: 'd/e' });
    expect(resolved('b/b/b').mount).toBeUndefined();
    expect(resolved(`${deep}x`)).toMatchObject({ mount: deep, path: 'x' });
    for (const length of [1_000, 10_000])
      for (const start of ['a/', 'none/', deep]) {
        const { reads } = resolved(start + 'a/'.repeat(length));
        expect(reads).toBeLessThan(2 * (length + 102));
      }
  });
});

describe('work in slices', () => {
  test('runs one slice per iteration of the event loop, however many tasks run', async () => {
    const slices: number[] = [];
    let turn = 0;
    let over = false;
    const turns = (async () => {
      for (; !over; turn++) await setImmediate();
    })();
    const work = async () => {
      for (let slice = 0; slice < 20; slice++) {
        await yieldToEventLoop();
        slices.push(turn);
      }
    };
    await Promise.all(Array.from({ length: 16 }, work));
    over = true;
    await turns;
    expect(slices).toHaveLength(320);
    expect(new Set(slices).size).toBe(320);
  });

  test('gives each task its turn, in order of arrival', async () => {
    const order: number[] = [];
    const work = async (name: number) => {
      for (let slice = 0; slice < 3; slice++) {
        await yieldToEventLoop();
        order.push(name);
      }
    };
    await Promise.all([work(0), work(1), work(2)]);
    expect(order).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2]);
  });

  test('is used for long JSON bodies from the start', async () => {
    const text = `[${Array.from({ length: 3_000 }, (_, index) => `"${index}, a text"`).join(',')}]`;
    const begun: string[] = [];
    const read = parseBounded(text).then(() => begun.push('read'));
    begun.push('called');
    await Promise.resolve();
    begun.push('before its turn');
    await read;
    expect(begun).toEqual(['called', 'before its turn', 'read']);
  });
});

describe('a JSON body of numbers', () => {
  const row = `[${'0,'.repeat(9_998)}0]`;
  const rows = (count: number) => Array.from({ length: count }, () => row).join(',');

  test('within all other limits is not read beyond a million values', async () => {
    // The invalid text would cause an error if it were read.
    const text = `[${rows(100)},nonsense`;
    await expect(parseBounded(text)).rejects.toMatchObject({
      status: 413,
      message: 'JSON input exceeds allowed value count',
    });
    expect(jsonLimits.values).toBe(1_000_000);
  });

  test('close to a million is read', async () => {
    expect(await parseBounded(`[${rows(99)}]`)).toHaveLength(99);
  });
});

describe('the text of a policy', () => {
  test('is limited to what can be parsed in one turn', async () => {
    const vault = await secrets();
    const registry = await guarded();
    const scheduler = await guardedScheduler();
    for (const filler of [' ', '# comment\n', '\n', '/**/', '//\n']) {
      const filled = (rest: string) =>
        `${filler.repeat(Math.floor((maxPolicyLength - rest.length - 1) / filler.length))}\n${rest}`.padEnd(
          maxPolicyLength,
        );
      const body = { policy: filled('path "x" { capabilities = ["read"] }') };
      expect(body.policy).toHaveLength(maxPolicyLength);
      expect((await vault.ask('PUT', 'sys/policies/acl/p', { body })).status).toBe(204);
      const long = { policy: `${body.policy} ` };
      expect(outcome(await vault.ask('PUT', 'sys/policies/acl/p', { body: long }))).toBe(
        '400 policy longer than 65536 characters',
      );
      const rules = filled('key "x" { policy = "read" }');
      const Name = `p${filler.charCodeAt(0)}-${filler.length}`;
      expect(await registry.root.status('PUT', 'acl/policy', { Name, Rules: rules })).toBe(200);
      expect(await registry.root('PUT', 'acl/policy', { Name: `${Name}x`, Rules: `${rules} ` })).toBe(
        '500 Failed to parse ACL rules: longer than 65536 characters',
      );
    }
    const headers = scheduler.rootHeaders;
    const body = { Name: 'p', Rules: `${'#'.repeat(maxPolicyLength)}\n` };
    expect((await scheduler.ask('PUT', 'acl/policy/p', { body, headers })).text).toBe(
      'rules longer than 65536 characters',
    );
  });

  test('skips space and comments like the expression that defines them', () => {
    const expression = /(?:\s|#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
    const piece = fc.constantFrom(
      ' ',
      '\n',
      '\t',
      '\u00a0',
      '\ufeff',
      '#',
      '/',
      '*',
      '//',
      '/*',
      '*/',
      'a',
      '"',
      '\r',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        expression.lastIndex = 0;
        expression.exec(text);
        const skipped = text.slice(0, expression.lastIndex);
        const line = skipped.split('\n').length + 1;
        expect(parseHcl(`${skipped}\n a = 1`).items[0]?.keys[0]).toMatchObject({
          text: 'a',
          line,
          column: 2,
        });
        const isEmpty = () => parseHcl(text).items.length === 0;
        if (skipped === text) expect(isEmpty()).toBe(true);
        else expect(isEmpty).toThrow(HclError);
      }),
      { numRuns: sized(5_000, 1_000) },
    );
  });

  test('is parsed when it is written, not for each request', async () => {
    const { TokenAuthorizer: SchedulerAuthorizer } = await import(
      '../../../../../src/services/scheduler/auth.ts'
    );
    const { TokenAuthorizer } = await import('../../../../../src/services/registry/auth.ts');
    let reads = 0;
    /** A row that counts how often its rules are read. */
    const policy = (rules: string) => ({
      ID: 'p',
      Name: 'p',
      Description: '',
      Hash: '',
      CreateIndex: 1,
      ModifyIndex: 1,
      get Rules() {
        reads++;
        return rules;
      },
    });
    const tables = new Map<string, unknown>();
    const view = { get: (key: string) => tables.get(key), keys: () => [] };
    const state = { view, now: 0 };
    const request = { headers: {}, query: new URLSearchParams(), serviceHeader: () => 'secret' };

    const { hashOf } = await import('../../../../../src/services/registry/model/acl.ts');
    tables.set('bootstrap/done', { index: 1 });
    tables.set('tokens/t', { AccessorID: 't', SecretID: 'secret', Policies: ['p'] });
    tables.set(`secrets/${hashOf('secret')}`, { accessor: 't' });
    tables.set('policies/p', policy('key "a" { policy = "read" }'));
    const access = new TokenAuthorizer(state as never, 'dc1');
    const first = access.permissionsOf(request as never);
    expect([first.allows('key:read', 'a'), first.allows('key:write', 'a'), reads]).toEqual([true, false, 1]);
    for (let time = 0; time < 5; time++) expect(access.permissionsOf(request as never)).toBe(first);
    expect(reads).toBe(1);
    tables.set('policies/p', policy('key "a" { policy = "write" }'));
    expect(access.permissionsOf(request as never).allows('key:write', 'a')).toBe(true);
    tables.delete('policies/p');
    expect(access.permissionsOf(request as never).allows('key:read', 'a')).toBe(false);
    tables.set('tokens/t', { AccessorID: 't', SecretID: 'secret', Policies: [] });
    expect(access.permissionsOf(request as never).allows('key:read', 'a')).toBe(false);

    reads = 0;
    const scheduler = await import('../../../../../src/services/scheduler/model/acl.ts');
    tables.set('tokens/t', { AccessorID: 't', SecretID: 'secret', Type: 'client', Policies: ['p'] });
    tables.set(`secrets/${scheduler.hashOf('secret')}`, { accessor: 't' });
    tables.set('policies/p', policy('namespace "n" { variables { path "*" { capabilities = ["read"] } } }'));
    const other = new SchedulerAuthorizer(state as never);
    const place = { Namespace: 'n', Path: 'x' };
    const known = other.permissionsOf(request as never);
    expect([known.allows('read', place), known.allows('write', place), reads]).toEqual([true, false, 1]);
    for (let time = 0; time < 5; time++) expect(other.permissionsOf(request as never)).toBe(known);
    expect(reads).toBe(1);
    tables.set('policies/p', policy('namespace "n" { variables { path "*" { capabilities = ["write"] } } }'));
    expect(other.permissionsOf(request as never).allows('write', place)).toBe(true);
    tables.delete('policies/p');
    expect(other.permissionsOf(request as never).allows('write', place)).toBe(false);
  });
});

/** The rule that decides, found by evaluating all of them, as a model for `Acl`. */
function decided(rules: readonly Rule[], path: string): ReadonlySet<Capability> {
  const matches = (pattern: string): boolean => {
    const [wanted, given] = [pattern.split('/'), path.split('/')];
    const last = wanted.length - 1;
    const open = pattern.endsWith('*');
    if (open ? given.length < wanted.length : given.length !== wanted.length) return false;
    return wanted.every((segment, index) => {
      const other = given[index] ?? '';
      if (open && index === last) return other.startsWith(segment.slice(0, -1));
      return segment === '+' ? other !== '' : segment === other;
    });
  };
  const weigh = (pattern: string): number[] => {
    const pluses = pattern.split('/').filter((segment) => segment === '+').length;
    const open = pattern.endsWith('*');
    const first = pattern.search(/(?<=^|\/)\+(?=\/|$)|\*$/);
    return [pluses > 0 || open ? 0 : 1, first, open ? 0 : 1, -pluses, pattern.length];
  };
  const [best] = [...new Set(rules.map((rule) => rule.path))].filter(matches).sort((a, b) => {
    const at = weigh(a).findIndex((weight, index) => weight !== weigh(b)[index]);
    return at < 0 ? (a > b ? -1 : 1) : (weigh(b)[at] ?? 0) - (weigh(a)[at] ?? 0);
  });
  const granted = new Set(rules.filter((rule) => rule.path === best).flatMap((rule) => rule.capabilities));
  return granted.has('deny') ? new Set() : granted;
}

describe('the rules of a token', () => {
  const segment = fc.constantFrom('a', 'b', 'ab', '', '+');
  const pattern = fc
    .tuple(fc.array(segment, { minLength: 1, maxLength: 4 }), fc.constantFrom('', '*', '/*'))
    .map(
      ([segments, end]) =>
        (end === '*' && segments.at(-1) === '+' ? segments : [...segments]).join('/') +
        (end === '*' && segments.at(-1) === '+' ? '/*' : end),
    );
  const rule = fc.record({
    path: pattern,
    capabilities: fc.subarray<Capability>(['read', 'list', 'update', 'deny'], { minLength: 1 }),
  });
  const path = fc
    .array(fc.constantFrom('a', 'b', 'ab', 'abc', '', '+', '*'), { minLength: 1, maxLength: 5 })
    .map((segments) => segments.join('/'));

  test('decide as if all of them were evaluated', () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 12 }), path, (rules, asked) => {
        expect(new Set(Acl.of(false, rules).capabilities(asked))).toEqual(decided(rules, asked));
      }),
      { numRuns: sized(5_000, 1_000) },
    );
  });

  test('are found as quickly among many as among few', () => {
    const acl = (count: number) =>
      Acl.of(
        false,
        Array.from({ length: count }, (_, at): Rule[] => [
          { path: `secret/data/team-${at}/*`, capabilities: ['read'] },
          { path: `secret/+/service-${at}`, capabilities: ['read'] },
          { path: `secret/data/exact-${at}`, capabilities: ['read'] },
        ]).flat(),
      );
    const time = (asked: Acl): number => {
      const begin = performance.now();
      for (let at = 0; at < 2_000; at++) asked.allows(`secret/data/none-${at}/x`, 'read');
      return performance.now() - begin;
    };
    const [few, many] = [acl(3), acl(10_000)];
    time(few);
    // A linear search would take thousands of times as long. The best of several, because the machine may be
    // busy.
    const ratio = Math.min(...Array.from({ length: 5 }, () => time(many) / time(few)));
    expect(ratio).toBeLessThan(50);
  });

  test('are found for a path of maximum length, and in a pattern of maximum length', () => {
    const deep = 'a/'.repeat(30_000);
    const acl = Acl.of(false, [{ path: `${deep}*`, capabilities: ['read'] }]);
    expect(acl.allows(`${deep}x`, 'read')).toBe(true);
    expect(acl.allows('a/'.repeat(500_000), 'read')).toBe(true);
    expect(acl.allows('b/'.repeat(500_000), 'read')).toBe(false);
  });
});
