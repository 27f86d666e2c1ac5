import { Writable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  embeddedForAll,
  expectFailure,
  expectOutput,
  homeForTest,
  outputOf,
  servicesForTest,
} from '../../support/command-tests.ts';
import { eventually } from '../../support/eventually.ts';
import { services } from '../../support/services.ts';
import { type Running, relay, running } from './watching.ts';

const { at, running: embedded } = embeddedForAll();

async function lanyard(line: string, stdin?: string): Promise<string> {
  const ran = await at.run(line.split(' '), stdin === undefined ? {} : { stdin });
  expect(ran, line).toMatchObject({ code: 0 });
  return ran.stdout;
}

/** Starts a watch that is interrupted with the test. */
function watching(line: string, options: Parameters<typeof running>[2] = {}): Running {
  const watch = running(at, line.split(' '), options);
  onTestFinished(async () => {
    await watch.stop();
  });
  return watch;
}

const statuses = (events: readonly Record<string, unknown>[]): unknown[] =>
  events.map(({ status }) => status);

describe('--watch', () => {
  test('shows the first state, each change and the absence, one JSON object in a line', async () => {
    await lanyard('var put watch/var user=one');
    const watch = watching('var get watch/var --watch -o jsonl');
    await watch.events(1);
    await lanyard('var put watch/var user=two');
    await watch.events(2);
    await lanyard('var delete watch/var --yes');
    await watch.events(3);
    await lanyard('var put watch/var user=three');
    const events = await watch.events(4);
    expect(statuses(events)).toEqual(['present', 'present', 'absent', 'present']);
    expect(Object.keys(events[0] ?? {})).toEqual(['at', 'index', 'status', 'data']);
    expect(Object.keys(events[2] ?? {})).toEqual(['at', 'index', 'status']);
    expect(events.map(({ data }) => (data as { Items?: object } | undefined)?.Items)).toEqual([
      { user: 'one' },
      { user: 'two' },
      undefined,
      { user: 'three' },
    ]);
    const indexes = events.map(({ index }) => Number(index));
    expect(indexes).toEqual([...new Set(indexes)].sort((one, other) => one - other));
    expect(await watch.stop()).toMatchObject({ code: 130, stderr: '' });
  });

  test('waits for an object that does not exist', async () => {
    const watch = watching('registry kv get watch/late --watch -o jsonl');
    expect(statuses(await watch.events(1))).toEqual(['absent']);
    await lanyard('registry kv put watch/late here');
    expect((await watch.events(2))[1]).toMatchObject({
      status: 'present',
      data: { Key: 'watch/late', Value: 'here' },
    });
  });

  test('a write of another object is no event', async () => {
    await lanyard('registry kv put watch/one 1');
    const watch = watching('registry kv get watch/one --watch -o jsonl');
    await watch.events(1);
    await lanyard('registry kv put watch/other 1');
    await lanyard('registry kv put watch/one 2');
    expect((await watch.events(2)).map(({ data }) => (data as { Value: string }).Value)).toEqual(['1', '2']);
  });

  test('text has a line with the time before each state', async () => {
    await lanyard('registry kv put watch/text one');
    const watch = watching('registry kv get watch/text --watch', {
      now: new Date('2026-01-02T03:04:05.678Z'),
    });
    await watch.until(/one\n/);
    await lanyard('registry kv delete watch/text --yes');
    await watch.until(/exist\n/);
    await lanyard('registry kv put watch/text two');
    await watch.until(/two\n/);
    expect(watch.text()).toBe(
      [
        '2026-01-02 03:04:05 UTC\none\n',
        '\n2026-01-02 03:04:05 UTC key "watch/text" does not exist\n',
        '\n2026-01-02 03:04:05 UTC\ntwo\n',
      ].join(''),
    );
    expect(await watch.stop()).toMatchObject({ code: 130, stderr: '' });
  });

  test('text hides what the command hides', async () => {
    await lanyard('var put watch/hidden password=hunter2');
    const hidden = watching('var get watch/hidden --watch');
    await hidden.until(/password/);
    expect(hidden.text()).not.toContain('hunter2');
    const shown = watching('var get watch/hidden --watch --reveal');
    await shown.until(/hunter2/);
  });

  test('--field shows only the value, at each change', async () => {
    await lanyard('kv put secret/watch password=one other=1');
    const watch = watching('kv get secret/watch --field password --watch --interval 100ms');
    await watch.until(/^one\n$/);
    await lanyard('kv put secret/watch password=two other=1');
    await watch.until(/^one\ntwo\n$/);
    await lanyard('kv put secret/watch other=1');
    await eventually(() => expect(watch.stderr()).toContain('no field "password"'));
    await lanyard('kv put secret/watch password=three');
    await watch.until(/^one\ntwo\nthree\n$/);
  });

  test('--select applies to the state', async () => {
    await lanyard('registry kv put watch/select one');
    const watch = watching('registry kv get watch/select --watch -o jsonl --select Value');
    await watch.until(/^"one"\n$/);
  });

  test('a deleted version of a secret is absent, and restored it is present', async () => {
    await lanyard('kv put secret/versions a=1');
    const watch = watching('kv get secret/versions --watch --interval 100ms -o jsonl');
    await watch.events(1);
    await lanyard('kv delete secret/versions --yes');
    await watch.events(2);
    await lanyard('kv undelete secret/versions --versions 1');
    const events = await watch.events(3);
    expect(statuses(events)).toEqual(['present', 'absent', 'present']);
    expect(events[2]?.data).toMatchObject({ data: { data: { a: '1' }, metadata: { version: 1 } } });
  });

  test('a secret of version 1', async () => {
    await lanyard('secrets mount enable kv --path kv1');
    await lanyard('kv put kv1/a user=one');
    const watch = watching('kv get kv1/a --watch --interval 100ms -o jsonl');
    await watch.events(1);
    await lanyard('kv put kv1/a user=two');
    expect((await watch.events(2)).map(({ data }) => (data as { data: object }).data)).toEqual([
      { user: 'one' },
      { user: 'two' },
    ]);
  });

  test('the keys below a prefix', async () => {
    await lanyard('registry kv put watch/below/a 1');
    const watch = watching('registry kv get watch/below/ --recursive --watch -o jsonl');
    await watch.events(1);
    await lanyard('registry kv put watch/below/b 2');
    await watch.events(2);
    await lanyard('registry kv delete watch/below/ --recursive --yes');
    expect((await watch.events(3)).map(({ data }) => (data as unknown[] | undefined)?.length)).toEqual([
      1,
      2,
      undefined,
    ]);
  });

  test('the list of variables', async () => {
    const watch = watching('var list --prefix watched/ --watch -o jsonl');
    await watch.events(1);
    await lanyard('var put watched/a user=one');
    await watch.events(2);
    await lanyard('var put watched/b user=one');
    expect((await watch.events(3)).map(({ data }) => (data as unknown[]).length)).toEqual([0, 1, 2]);
  });

  test('the instances of a service, and a query of them', async () => {
    await lanyard('query create watched --service watched');
    const service = watching('registry service get watched --watch -o jsonl');
    const query = watching('query exec watched --watch --interval 100ms -o jsonl');
    await service.events(1);
    await query.events(1);
    await lanyard('registry service register watched --port 1');
    await service.events(2);
    await query.events(2);
    await lanyard('registry service deregister watched --yes');
    expect(statuses(await service.events(3))).toEqual(['absent', 'present', 'absent']);
    expect(
      (await query.events(3)).map(({ data }) => (data as { Nodes: unknown[] | null }).Nodes?.length),
    ).toEqual([0, 1, 0]);
  });

  test('a discovery chain', async () => {
    const watch = watching('chain get chained --watch -o jsonl');
    await watch.events(1);
    at.write('entry.json', '{"Kind":"service-defaults","Name":"chained","Protocol":"http"}');
    await lanyard('registry config put entry.json');
    expect(
      (await watch.events(2)).map(({ data }) => (data as { Chain: { Protocol: string } }).Chain.Protocol),
    ).toEqual(['tcp', 'http']);
  });

  test('the services', async () => {
    const watch = watching('status --watch --interval 100ms');
    await watch.until(/secrets\t/);
    expect((await watch.stop()).code).toBe(130);
  });
});

describe('the end of a watch', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('after %s is exit code %i, also in the trace, and no error', async (signal, code) => {
    const watch = watching('var list --watch -o jsonl --debug trace.jsonl');
    await watch.events(1);
    expect(await watch.stop(signal)).toMatchObject({ code, stderr: '' });
    expect(JSON.parse(at.read('trace.jsonl').trim().split('\n').at(-1) ?? '')).toMatchObject({ code });
  });

  test('an error is an event, and the state after a restart with lower indexes another', async () => {
    const own = homeForTest();
    const before = await services(own);
    const put = async (line: string) => own.run(['registry', 'kv', 'put', ...line.split(' ')]);
    for (const value of ['0', '1', '2', '3']) await put(`other ${value}`);
    await put('a one');
    const between = await relay(before.addresses.registry);
    onTestFinished(() => between.close());
    // Zeros: no jitter.
    const watch = running(own, 'registry kv get a --watch -o jsonl'.split(' '), {
      env: { LANYARD_REGISTRY_ADDR: between.address },
      random: (length) => new Uint8Array(length),
    });
    onTestFinished(async () => {
      await watch.stop();
    });
    await watch.events(1);
    between.target(undefined);
    const failed = (await watch.events(2))[1];
    expect(failed).toMatchObject({ status: 'error', error: { kind: 'unreachable' } });
    expect(failed).not.toHaveProperty('data');
    await before.close();
    const after = await servicesForTest(own);
    await put('a two');
    between.target(after.addresses.registry);
    const events = await watch.events(3);
    expect(events[2]).toMatchObject({ status: 'present', data: { Value: 'two' } });
    expect(Number(events[2]?.index)).toBeLessThan(Number(events[0]?.index));
    await put('a three');
    expect((await watch.events(4))[3]).toMatchObject({ data: { Value: 'three' } });
  });

  test('after an error the unchanged state is an event for programs only', async () => {
    await lanyard('registry kv put watch/back one');
    const between = await relay(embedded.addresses.registry);
    onTestFinished(() => between.close());
    const env = { LANYARD_REGISTRY_ADDR: between.address };
    const events = watching('registry kv get watch/back --watch -o jsonl', { env });
    const shown = watching('registry kv get watch/back --watch', { env });
    await events.events(1);
    await shown.until(/one\n/);
    between.target(undefined);
    await events.events(2);
    await eventually(() => expect(shown.stderr()).toMatch(/^warning: .*; retrying\n$/));
    between.target(embedded.addresses.registry);
    const found = await events.events(3);
    expect(statuses(found)).toEqual(['present', 'error', 'present']);
    expect(found[2]?.data).toEqual(found[0]?.data);
    await lanyard('registry kv put watch/back two');
    await shown.until(/two\n/);
    expect(shown.text().match(/one/g)).toHaveLength(1);
  });

  test('a denied read ends it', async () => {
    const ran = await at.run(['kv', 'get', 'secret/a', '--watch'], {
      env: { LANYARD_SECRETS_TOKEN: 's.unknown-token' },
    });
    expectFailure(ran, 4, 'permission denied');
  });

  test('a closed pipe ends it without an error', async () => {
    await lanyard('registry kv put watch/closed one');
    const closed = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
    const stdout = new Writable({ write: (_chunk, _encoding, done) => done(closed) });
    expectOutput(await at.run('registry kv get watch/closed --watch'.split(' '), { stdout }), '');
  });
});

describe('flags', () => {
  test.each([
    ['var get a --watch -o json', '--watch cannot be combined with --output json'],
    ['var get a --watch -o env', '--watch cannot be combined with --output env'],
    ['var get a --watch --out f', '--watch cannot be combined with --out'],
    ['var get a --interval 1s', '--interval requires --watch'],
    ['var get a --watch --interval 10ms', 'invalid --interval "10ms": expected at least 100ms'],
    ['var list --watch --all', '--watch cannot be combined with --all'],
    ['var list --watch --per-page 2', '--watch cannot be combined with --per-page'],
    ['chain get web --watch --format dot', '--watch cannot be combined with --format'],
    ['query exec web --watch --format addr', '--watch cannot be combined with --format'],
    ['status --watch --check', '--watch cannot be combined with --check'],
  ])('%s is rejected', async (line, message) => {
    expectFailure(await at.run(line.split(' ')), 2, message);
  });

  test('--curl shows the first request', async () => {
    const stdout = outputOf(await at.run('registry kv get a --watch --curl'.split(' ')));
    expect(stdout).toMatch(/^curl .*\/v1\/kv\/a/);
  });
});
