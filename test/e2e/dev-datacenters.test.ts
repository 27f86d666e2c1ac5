import { describe, expect, test } from 'vitest';
import { expectFailure, homeForEach, words } from '../support/command-tests.ts';
import { lanyardProcess, start } from '../support/process.ts';

const at = homeForEach();

const two = words('--datacenters dc1,dc2');

describe('dev --datacenters', () => {
  test('starts a registry with several datacenters, in the order of their round trips', async () => {
    const running = start(
      at,
      words('dev --port 0 -o json --datacenters dc1,dc2,dc3 --round-trip dc1:dc3=5ms'),
    );
    const { addresses } = JSON.parse(await running.until(/^\}$/m));
    const ask = async (path: string) => (await fetch(`${addresses.registry}/v1/${path}`)).text();
    expect(await ask('catalog/datacenters')).toBe('["dc1","dc3","dc2"]');
    expect(await ask('agent/self?dc=dc3')).toContain('"PrimaryDatacenter":"dc1"');
    expect(await ask('kv/?dc=dc4')).toBe('No path to datacenter');
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(0);
  });

  test('is supported by dev run', async () => {
    const script =
      'fetch(process.env.CONSUL_HTTP_ADDR + "/v1/catalog/datacenters?dc=dc2").then(async (got) => console.log(await got.text()))';
    const child = [process.execPath, '-e', script];
    const { stdout, code } = await lanyardProcess(at, ['dev', 'run', ...two, '--', ...child]);
    expect([code, stdout]).toEqual([0, '["dc2","dc1"]\n']);
  });

  test.each([
    ['--datacenters DC1', 'invalid datacenter name "DC1": expected lowercase letters, digits, - and _'],
    ['--datacenters dc1,dc1', 'invalid --datacenters: duplicate name "dc1"'],
    ['--round-trip dc1:dc2=1ms', 'unknown datacenter "dc2", expected one of dc1'],
    ['--datacenters a,b --round-trip a:b=1', 'invalid --round-trip "a:b=1": expected A:B=DURATION'],
    ['--datacenters a,b --round-trip a=1ms', 'invalid --round-trip "a=1ms": expected A:B=DURATION'],
    ['--datacenters a,b --round-trip a:b=-1ms', 'invalid --round-trip "a:b=-1ms": expected A:B=DURATION'],
    ['--datacenters a,b --round-trip a:a=1ms', 'expected two different datacenters'],
    ['--datacenters a,b --round-trip a:b=1ms,b:a=2ms', 'invalid --round-trip: duplicate entry for b and a'],
  ])('%s is a usage error', async (flags, message) => {
    expectFailure(await lanyardProcess(at, words(`dev ${flags}`)), 2, message);
  });

  test('reports stored data of another datacenter', async () => {
    const first = start(at, words('dev --port 0 --data state'));
    await first.until(/Press Ctrl\+C to stop/);
    first.child.kill('SIGINT');
    await first.ended;
    const other = await lanyardProcess(at, words('dev --port 0 --data state --datacenters dc2'));
    expectFailure(other, 1, 'is of the datacenter "dc1", not of "dc2"');
  });
});
