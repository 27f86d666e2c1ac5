import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { words } from '../commands/signing.ts';
import { lanyardProcess, start } from '../support/process.ts';
import { type Home, home } from '../support/run.ts';

let at: Home;
beforeEach(() => {
  at = home();
});
afterEach(() => at.remove());

const two = words('--datacenters dc1,dc2');

describe('dev --datacenters', () => {
  test('has a registry of several datacenters, in the order of their round trips', async () => {
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

  test('is there for one command too', async () => {
    const script =
      'fetch(process.env.CONSUL_HTTP_ADDR + "/v1/catalog/datacenters?dc=dc2").then(async (got) => console.log(await got.text()))';
    const child = [process.execPath, '-e', script];
    const { stdout, code } = await lanyardProcess(at, ['dev', 'run', ...two, '--', ...child]);
    expect([code, stdout]).toEqual([0, '["dc2","dc1"]\n']);
  });

  test.each([
    ['--datacenters DC1', '--datacenters: a name is lower-case letters, digits, - and _, not "DC1"'],
    ['--datacenters dc1,dc1', '--datacenters: "dc1" is named twice'],
    ['--round-trip dc1:dc2=1ms', 'there is no datacenter "dc2"; --datacenters says dc1'],
    ['--datacenters a,b --round-trip a:b=1', '--round-trip takes A:B=DURATION, such as dc1:dc2=30ms'],
    ['--datacenters a,b --round-trip a=1ms', '--round-trip takes A:B=DURATION, such as dc1:dc2=30ms'],
    ['--datacenters a,b --round-trip a:b=-1ms', '--round-trip takes A:B=DURATION, such as dc1:dc2=30ms'],
    ['--datacenters a,b --round-trip a:a=1ms', 'there is none from a datacenter to itself'],
    [
      '--datacenters a,b --round-trip a:b=1ms,b:a=2ms',
      '--round-trip: the one between b and a is given twice',
    ],
  ])('%s is a usage error', async (flags, message) => {
    const ended = await lanyardProcess(at, words(`dev ${flags}`));
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(message);
  });

  test('with kept data of a datacenter of another name says which', async () => {
    const first = start(at, words('dev --port 0 --data state'));
    await first.until(/\^C stops them/);
    first.child.kill('SIGINT');
    await first.ended;
    const other = await lanyardProcess(at, words('dev --port 0 --data state --datacenters dc2'));
    expect(other).toMatchObject({ code: 1, stdout: '' });
    expect(other.stderr).toContain('is of the datacenter "dc1", not of "dc2"');
  });
});
