import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { embeddedForEach, expectExit, expectFailure } from '../../support/command-tests.ts';
import type { Ran, RunOptions } from '../../support/run.ts';
import { counted, isSoak } from '../../support/soak.ts';
import { pausingProxy } from '../pausing-proxy.ts';

const { at, running, run } = embeddedForEach();
const variable = async (path: string) => JSON.parse((await run(`api scheduler GET var/${path}`)).stdout);

/** The requests of `var lock`: read, check-and-set, acquire, release. */
const requests = [1, 2, 3, 4];

describe('a write between two requests of var lock', () => {
  const starts = {
    'a missing variable': undefined,
    'a variable with items': 'var put P a=1',
    'a variable without items': 'var lock P -- true',
  };
  const writes = ['var put P w=2 --merge --retry-merge', 'var put P w=2', 'var delete P --yes'];
  test.each(
    Object.keys(starts).flatMap((start) =>
      writes.flatMap((write) => requests.map((before) => [start, write, before] as const)),
    ),
  )('%s: %s before request %i is not lost', async (start, write, before) => {
    const prepare = starts[start as keyof typeof starts];
    if (prepare) expect(await run(prepare)).toMatchObject({ code: 0 });
    let written: Ran | undefined;
    const proxy = await pausingProxy(running.addresses.scheduler, async (count) => {
      if (count === before) written = await run(write);
    });
    expect(await run(`var lock P --address ${proxy.address} -- true`)).toMatchObject({ code: 0 });
    const kept = start === 'a variable with items' ? { a: '1' } : undefined;
    // The lock is held after the check-and-set; a write that is rejected changes nothing.
    if (written?.code === 0) {
      expect(before).toBeLessThan(3);
      const isMerge = write.includes('--merge');
      const isDelete = write.includes('delete');
      const expected = isDelete ? undefined : { ...(isMerge && kept), w: '2' };
      expect((await variable('P')).Items).toEqual(expected);
    } else {
      expect([3, 6]).toContain(written?.code);
      expect((await variable('P')).Items).toEqual(kept);
    }
    expect(await variable('P')).not.toHaveProperty('Lock');
  });

  test('two locks of the same missing variable exclude each other at each request', async () => {
    for (const before of requests) {
      const path = `locks/${before}`;
      const other: Ran[] = [];
      const proxy = await pausingProxy(running.addresses.scheduler, async (count) => {
        if (count === before) other.push(await run(`var lock ${path} --wait 0 -- true`));
      });
      expect(await run(`var lock ${path} --address ${proxy.address} -- true`)).toMatchObject({ code: 0 });
      expect(other).toMatchObject([{ code: before < 3 ? 0 : 8 }]);
    }
  });
});

test('no write is lost while two processes lock the variable again and again', async () => {
  await counted('var lock: writes by others', async (tried) => {
    const locking = new AbortController();
    const lockers = [1, 2].map(async () => {
      let locks = 0;
      while (!locking.signal.aborted) locks += (await run('var lock P --wait 0 -- true')).code === 0 ? 1 : 0;
      return locks;
    });
    const end = Date.now() + 600_000;
    const written: string[] = [];
    for (let n = 1; isSoak ? Date.now() < end : written.length < 3; n += 1) {
      const item = `w${n % 500}`;
      const { code } = await run(`var put P ${item}=${n} --merge --retry-merge`);
      if (code === 0) {
        tried();
        written.push(`${item}=${n}`);
      } else expect(code).toBe(6);
    }
    locking.abort();
    await Promise.all(lockers);
    const { Items } = await variable('P');
    const last = Object.fromEntries(written.map((pair) => pair.split('=')));
    expect(Items).toEqual(last);
  });
});

describe('an interrupted var lock', () => {
  test.each([
    ['before it is sent', 2],
    ['before the lock is acquired', 3],
  ])('a lost connection %s is retried without a lost write', async (_when, lost) => {
    await run('var put P a=1');
    let isLost = false;
    const proxy = await pausingProxy(running.addresses.scheduler, async (count) => {
      if (count !== lost || isLost) return true;
      isLost = true;
      return false;
    });
    expectExit(await run(`var lock P --address ${proxy.address} -- touch ${at.file('seen')}`), 0);
    expect(existsSync(at.file('seen'))).toBe(true);
    expect(await variable('P')).toMatchObject({ Items: { a: '1' } });
    expect(await variable('P')).not.toHaveProperty('Lock');
  });

  test('explains how to release a lock that may not expire', async () => {
    await run('var put P a=1');
    const proxy = await pausingProxy(running.addresses.scheduler, async (count) => count < 3);
    const ran = await run(`var lock P --address ${proxy.address} -- true`);
    expect(ran.code).not.toBe(0);
    const id = /\{"Lock":\{"ID":"\w+"\}\}/.exec(ran.stderr)?.[0];
    const line = /`lanyard (api .*)`/.exec(ran.stderr)?.[1] ?? '';
    expect(await run(line.replaceAll("'", ''), { stdin: id ?? '' })).toMatchObject({ code: 0 });
    expect(await variable('P')).not.toHaveProperty('Lock');
    expect((await variable('P')).Items).toEqual({ a: '1' });
  });

  test('the lock of a process that ended between check-and-set and lock is released by the next', async () => {
    const unfinished = { Items: { 'lanyard-lock': 'gone' }, Lock: { ID: 'gone' } };
    await run('api scheduler PUT var/P?cas=0 --data -', { stdin: JSON.stringify(unfinished) });
    // The embedded scheduler ends such locks itself after 30 seconds; here its clock does not advance.
    expect(await run('var lock P --wait 0 -- true')).toMatchObject({ code: 8 });
    let laterMs = 0;
    const proxy = await pausingProxy(running.addresses.scheduler, async (count) => {
      // The second attempt: read, check-and-set, read of the conflict.
      if (count > 3) laterMs = 31_000;
    });
    const clock = () => new Date(Date.now() + laterMs);
    expect(await run(`var lock P --address ${proxy.address} -- true`, { clock })).toMatchObject({ code: 0 });
    expect(proxy.requests.filter((request) => request.includes('lock-release'))).toHaveLength(2);
    expect((await variable('P')).Items).toBeUndefined();
  });
});

describe('a token without read permission', () => {
  async function writeOnly(): Promise<RunOptions> {
    const { SecretID } = JSON.parse((await run('api scheduler POST acl/bootstrap')).stdout);
    at.env.LANYARD_SCHEDULER_TOKEN = SecretID;
    const Rules = 'namespace "default" { variables { path "locks/*" { capabilities = ["write"] } } }';
    await run('api scheduler POST acl/policy/writer --data -', {
      stdin: JSON.stringify({ Name: 'writer', Rules }),
    });
    const created = await run('api scheduler POST acl/token --data -', {
      stdin: JSON.stringify({ Name: 'w', Type: 'client', Policies: ['writer'] }),
    });
    return { env: { LANYARD_SCHEDULER_TOKEN: JSON.parse(created.stdout).SecretID } };
  }

  test('locks a missing variable, and with --discard-items an existing one', async () => {
    const writer = await writeOnly();
    expect(await run('var lock locks/a -- true', writer)).toEqual({ code: 0, stdout: '', stderr: '' });
    await run('var put locks/a k=1');
    const ran = await run('var lock locks/a -- true', writer);
    expectFailure(ran, 5, 'it exists, and the token has no permission to read it');
    expect((await variable('locks/a')).Items).toEqual({ k: '1' });
    expect(await run('var lock locks/a --discard-items -- true', writer)).toMatchObject({ code: 0 });
    expect((await variable('locks/a')).Items).toBeUndefined();
  });

  test('--discard-items and --env exclude each other', async () => {
    expect(await run('var lock locks/a --discard-items --env -- true')).toMatchObject({ code: 2 });
  });
});
