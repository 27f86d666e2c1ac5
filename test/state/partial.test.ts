import { Writable } from 'node:stream';
import { beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/state/kind.ts';
import { isWrite, type Passed, type Play } from '../faults/proxy.ts';
import { sized } from '../support/soak.ts';
import {
  benchForAll,
  changedSpec,
  createNeeds,
  isReadingTransaction,
  kindOf,
  newSetId,
  policy,
  recordText,
  type Stated,
  variable,
  writeSet,
} from './bench.ts';
import { objectCases } from './objects.ts';

const bench = await benchForAll();
let id = '';
beforeEach(() => {
  id = newSetId();
  bench.proxy.begin();
});

type Request = Omit<Passed, 'faulty'>;
const state = (objects: readonly Stated[], spec: JsonObject = {}): void =>
  writeSet(bench, objects, { id, spec });
const isRecord = ({ url }: Request): boolean => url.includes('/kv/lanyard/sets/');
const isPolicy = (request: Request): boolean => isWrite(request) && request.url.includes('/acl/policy');
const reply =
  (status: string, body: string): Play =>
  (socket) =>
    void socket.end(`HTTP/1.1 ${status}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
const drop: Play = (socket) => void socket.destroy();
const names = ['a', 'b', 'c', 'd'];
const policies = () => names.map((name) => policy(`${id}-${name}`));
const exists = async (name: string): Promise<boolean> => {
  const { code } = await bench.run(['acl', 'policy', 'get', `${id}-${name}`]);
  return code === 0;
};
const one = ['--yes', '--parallelism', '1'];
const recordOf = async () => JSON.parse(await recordText(bench, id));

describe('a failure', () => {
  const fail = (nth: number, play: Play = reply('403 Forbidden', 'Permission denied')): void => {
    let count = 0;
    bench.proxy.begin({ picks: (request) => isPolicy(request) && ++count === nth, forwards: false, play });
  };

  test('of the first write keeps its own code', async () => {
    state(policies());
    fail(1);
    const { code, stdout, stderr } = await bench.run(['apply', 'state', ...one]);
    expect(code).toBe(5);
    expect(stdout).toContain(`+ registry.policy ${id}-a  failed: `);
    expect(stderr).toMatch(/^error: cannot apply: /);
    expect(stderr).toContain(`  registry.policy ${id}-b: not started\n`);
    expect(stderr).not.toContain('partially');
    expect(await recordOf()).toMatchObject({ members: [], finished: expect.any(String) });
  });

  test('of a later write ends with 9; what was done, failed and not started is reported', async () => {
    state(policies());
    fail(3);
    const { code, stdout, stderr } = await bench.run(['apply', 'state', ...one]);
    expect(code).toBe(9);
    expect(stdout.match(/ {2}(done|failed)/g)).toEqual(['  done', '  done', '  failed']);
    expect(stderr).toBe(
      [
        'error: partially applied: 2 of 4 changes',
        `  registry.policy ${id}-c: failed: cannot create policy: permission denied (403): PUT /v1/acl/policy: Permission denied`,
        `  registry.policy ${id}-d: not started`,
        'hint: Fix the cause and run the same command again to continue.',
        '',
      ].join('\n'),
    );
    const { members } = await recordOf();
    expect(members.map(({ key }: { key: string }) => key)).toEqual([`${id}-a`, `${id}-b`]);
    bench.proxy.begin();
    const again = await bench.run(['apply', 'state', '--yes']);
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('2 created')]);
  });

  test('with --continue only stops what depends on it', async () => {
    const role: Stated = {
      kind: 'registry.role',
      identity: { scope: {}, key: `${id}-role` },
      spec: { Policies: [{ Name: `${id}-b` }] },
    };
    state([...policies(), role]);
    fail(2);
    const { code, stderr } = await bench.run(['apply', 'state', ...one, '--continue']);
    expect(code).toBe(9);
    expect(stderr).toContain('partially applied: 3 of 5 changes');
    expect(stderr).toContain(`registry.role ${id}-role: not started`);
    expect(await Promise.all(names.map(exists))).toEqual([true, false, true, true]);
  });

  test('as JSON lines: an event for each operation, and one error', async () => {
    state(policies());
    fail(2);
    const { code, stdout, stderr } = await bench.run(['apply', 'state', ...one, '-o', 'jsonl']);
    expect(code).toBe(9);
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events).toMatchObject([
      { n: 1, action: 'create', id: { key: `${id}-a` }, status: 'done' },
      { n: 2, action: 'create', id: { key: `${id}-b` }, status: 'failed', error: { kind: 'forbidden' } },
    ]);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 9, kind: 'unknown' } });
  });

  test('of the last write of the record is reported, and the next apply completes it', async () => {
    state(policies());
    let count = 0;
    bench.proxy.begin({
      picks: (request) => isWrite(request) && isRecord(request) && ++count === 2,
      forwards: false,
      play: reply('403 Forbidden', 'Permission denied'),
    });
    const { code, stderr } = await bench.run(['apply', 'state', '--yes']);
    expect([code, stderr]).toEqual([9, expect.stringContaining('record of the set: ')]);
    expect(stderr).toContain('Every change was made.');
    bench.proxy.begin();
    expect((await bench.run(['apply', 'state', '--yes', '--steal-lock'])).code).toBe(0);
    expect(await recordOf()).not.toHaveProperty('started');
  });

  test('of the first write of the record: nothing is written', async () => {
    state(policies());
    bench.proxy.begin({
      picks: (request) => isWrite(request) && isRecord(request),
      forwards: false,
      play: reply('403 Forbidden', 'Permission denied'),
    });
    expect((await bench.run(['apply', 'state', '--yes'])).code).toBe(5);
    expect(bench.writes()).toEqual([]);
  });
});

describe('a signal', () => {
  test('while a write runs: it is completed and reported, and nothing more is started', async () => {
    state(policies());
    const controller = new AbortController();
    let count = 0;
    bench.proxy.hold((request) => {
      if (!isPolicy(request) || ++count !== 2) return undefined;
      controller.abort();
      return new Promise((done) => setTimeout(done, 50));
    });
    const { code, stdout, stderr } = await bench.run(['apply', 'state', ...one], {
      signal: controller.signal,
    });
    expect(code).toBe(130);
    expect(stdout.match(/ {2}done/g)).toHaveLength(2);
    expect(stderr).toContain('error: interrupted\n');
    expect(stderr).toContain(`registry.policy ${id}-c: not started`);
    expect(await Promise.all(names.map(exists))).toEqual([true, true, false, false]);
    const record = await recordOf();
    expect(record.members).toHaveLength(2);
    expect(record).not.toHaveProperty('started');
  });

  test('at any request: the lock of the set is released, and what was written is reported', async () => {
    const signals = { SIGTERM: 143, SIGINT: 130, SIGHUP: 129, SIGQUIT: 131 } as const;
    for (let nth = 1, isAborted = true; isAborted; nth++) {
      id = newSetId();
      state([policy(`${id}-a`), policy(`${id}-b`)]);
      const controller = new AbortController();
      let count = 0;
      let hasLock = false;
      let said = '';
      let isSaid = true;
      const [signal = '', signalCode] = Object.entries(signals)[nth % 4] ?? [];
      bench.proxy.begin();
      bench.proxy.hold((request) => {
        hasLock ||= isWrite(request) && isRecord(request);
        if (++count !== nth) return undefined;
        controller.abort(signal);
        // Nothing has been responded since the signal.
        isSaid = !hasLock || said.includes('interrupted: completing the running changes');
        return undefined;
      });
      const {
        code,
        stderr,
        stdout: shown,
      } = await bench.run(['apply', 'state', ...one], {
        signal: controller.signal,
        onStderr: (text) => {
          said += text;
        },
      });
      bench.proxy.begin();
      isAborted = controller.signal.aborted;
      // The last request may be the release itself: everything was done.
      expect(isSaid).toBe(true);
      expect([0, signalCode], stderr).toContain(code);
      for (const name of ['a', 'b']) {
        const isReported = new RegExp(`${id}-${name}\\b.* {2}done`).test(shown);
        expect([nth, name, isReported]).toEqual([nth, name, await exists(name)]);
      }
      const { code: read, stdout } = await bench.run(['registry', 'kv', 'get', `lanyard/sets/${id}`]);
      expect(read === 3 || !JSON.parse(stdout).started, `request ${nth}`).toBe(true);
      expect(nth).toBeLessThan(40);
    }
  });

  test('while the plan is made: nothing is written', async () => {
    state(policies());
    const controller = new AbortController();
    bench.proxy.hold(({ url }) => {
      if (!url.includes('/acl/policy')) return undefined;
      controller.abort();
      return new Promise((done) => setTimeout(done, 50));
    });
    const { code } = await bench.run(['apply', 'state', '--yes'], { signal: controller.signal });
    expect(code).toBe(130);
    expect(bench.proxy.passed.filter(isWrite)).toEqual([]);
  });
});

test.each(['text', 'json', 'jsonl', 'yaml'])(
  'a disk that is full when the first result is written does not end an apply in %s, nor keep its lock',
  async (format) => {
    state(policies());
    const full = Object.assign(new Error('full'), { code: 'ENOSPC', errno: -28 });
    const stdout = new Writable({
      write: (chunk, _encoding, done) => done(String(chunk).includes('done') ? full : null),
    });
    const { code, stderr } = await bench.run(['apply', 'state', ...one, '-o', format], { stdout });
    expect([code, stderr]).toEqual([9, expect.stringContaining('no space left on device')]);
    expect(await Promise.all(names.map(exists))).toEqual([true, true, true, true]);
    expect(await recordOf()).not.toHaveProperty('started');
  },
);

describe('a response that is lost after the service executed the write', () => {
  const writes = (request: Request): boolean => isWrite(request) && !isReadingTransaction(request);
  const dropNth = (nth: number): void => {
    let count = 0;
    bench.proxy.begin({
      picks: (request) => writes(request) && ++count === nth,
      forwards: true,
      play: drop,
    });
  };
  /** The writing requests of an apply: one that is sent twice is here twice. */
  const sent = (): readonly string[] =>
    bench.proxy.passed.filter(writes).map(({ method, url, body }) => `${method} ${url} ${body}`);

  /** Kinds that are written in several requests: after the first alone, an object is not done. */
  const inTwoRequests = new Set([
    ...['secrets.kv-metadata', 'box.provider'],
    ...['accounts.auth-method', 'accounts.user', 'accounts.role'],
  ]);
  /** Applies; no request is sent twice. */
  const applies = async (name: string): Promise<void> => {
    const { code, stdout, stderr } = await bench.run(['apply', 'state', '--yes']);
    const isHalf = inTwoRequests.has(name) && (code === 7 || code === 9);
    expect(isHalf ? 0 : code, stdout + stderr).toBe(0);
    const texts = sent();
    expect(new Set(texts).size, texts.join('\n')).toBe(texts.length);
    if (isHalf) expect((await bench.run(['apply', 'state', '--yes'])).code).toBe(0);
  };
  const tried = objectCases.filter((_case, index) => index % sized(1, 3) === 0);
  test.each(tried)('$kind $identity.key: done, by reading it back', async (object) => {
    const kind = kindOf(object.kind);
    await createNeeds(object, bench);
    state([{ ...object, metadata: { deletion: 'allow' } }]);
    // 1 is the record.
    dropNth(2);
    await applies(object.kind);
    bench.proxy.begin();
    expect((await bench.run(['plan', 'state'])).code).toBe(0);
    const changed = changedSpec(object);
    if (changed) {
      state([{ ...object, spec: changed, metadata: { deletion: 'allow' } }]);
      dropNth(2);
      await applies(object.kind);
    }
    state([{ ...object, metadata: { deletion: 'allow', ensure: 'absent' } }]);
    dropNth(2);
    await applies(object.kind);
    bench.proxy.begin();
    expect(await kind.read(bench.others, object.identity).catch(() => undefined)).toBeUndefined();
  });

  test.each([1, 2])('write %i of the record', async (nth) => {
    state([variable(`${id}/a`, { a: 'x' })]);
    let count = 0;
    bench.proxy.begin({
      picks: (request) => isWrite(request) && isRecord(request) && ++count === nth,
      forwards: true,
      play: drop,
    });
    const { code, stderr } = await bench.run(['apply', 'state', '--yes']);
    expect(code, stderr).toBe(0);
    expect(await recordOf()).toMatchObject({ generation: 1, finished: expect.any(String) });
  });

  test('and is not readable: the outcome is unknown', async () => {
    state([variable(`${id}/a`, { a: 'x' })]);
    let isLost = false;
    bench.proxy.begin({
      picks: ({ method, url }) => {
        if (!url.startsWith('/v1/var/')) return false;
        isLost ||= method === 'PUT';
        return isLost;
      },
      forwards: true,
      play: drop,
    });
    const { code, stderr } = await bench.run(['apply', 'state', '--yes'], {
      random: () => new Uint8Array(4),
    });
    expect([code, stderr]).toEqual([9, expect.stringContaining(`scheduler.variable ${id}/a: unknown`)]);
    expect((await recordOf()).members).toHaveLength(1);
  });

  test('and a request that never arrived is an error of the network', async () => {
    state([variable(`${id}/a`, { a: 'x' })]);
    bench.proxy.begin({
      picks: ({ method, url }) => method === 'PUT' && url.startsWith('/v1/var/'),
      forwards: false,
      play: drop,
    });
    const { code, stderr } = await bench.run(['apply', 'state', '--yes']);
    expect(code, stderr).toBe(7);
    expect((await recordOf()).members).toHaveLength(0);
  });
});
