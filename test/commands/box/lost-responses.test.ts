import { beforeEach, describe, expect, test } from 'vitest';
import { expectFailure, outputOf } from '../../support/command-tests.ts';
import { pausingProxy } from '../pausing-proxy.ts';
import { boxesForEach } from './registry.ts';

const service = boxesForEach();
/** The same registry behind a proxy that loses the responses to writes. */
let losing: { env: { LANYARD_BOX_ADDR: string } };
/** Whether it loses the writes as well. */
let loses: 'answers' | 'writes';

beforeEach(async () => {
  loses = 'answers';
  const { address } = await pausingProxy(
    service.running.addresses.box,
    async (_count, request) => loses === 'answers' || request.startsWith('GET '),
    (_url, method) => method !== 'GET',
  );
  losing = { env: { LANYARD_BOX_ADDR: address } };
  for (const line of [
    ...['create dev/web --description old', 'version create dev/web 1.0.0'],
    'provider create dev/web 1.0.0 libvirt --url https://example.com/a.box',
  ])
    await service.run(`box ${line}`);
});

const changes = [
  ['create dev/new --public --short-description x', 'Created box dev/new.'],
  ['org create shop', 'Created organization shop.'],
  ['update dev/web --public', 'Updated box dev/web.'],
  ['update dev/web --name front --description new', 'Updated box dev/front.'],
  ['version create dev/web 2.0.0 --description x', 'Created version dev/web 2.0.0.'],
  ['version update dev/web 1.0.0 --number 1.0.1', 'Updated version dev/web 1.0.1.'],
  ['release dev/web 1.0.0', 'Released version dev/web 1.0.0.'],
  [
    'provider create dev/web 1.0.0 kvm --url https://example.com/b.box',
    'Created provider dev/web 1.0.0 kvm.',
  ],
  [
    'provider update dev/web 1.0.0 libvirt --url https://example.com/b.box',
    'Updated provider dev/web 1.0.0 libvirt.',
  ],
] as const;

const deletions = ['delete dev/web', 'version delete dev/web 1.0.0', 'provider delete dev/web 1.0.0 libvirt'];

describe('a write with a lost response', () => {
  test.each(changes)('is verified by reading: box %s', async (line, done) => {
    const ran = await service.run(`box ${line}`, losing);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout).toContain(done);
    expect(ran.stderr).toContain('the response was lost, but the change was applied');
  });

  test.each(changes)('that was not applied has an unknown outcome: box %s', async (line) => {
    loses = 'writes';
    const ran = await service.run(`box ${line}`, losing);
    expectFailure(ran, 9, /it does not exist|it does not have the requested values/);
  });

  test.each(deletions)('that deletes is verified by reading: box %s', async (line) => {
    expect(outputOf(await service.run(`box ${line} --yes`, losing))).toMatch(/^Deleted /);
  });

  test.each(deletions)('that deletes and was not applied has an unknown outcome: box %s', async (line) => {
    loses = 'writes';
    expectFailure(await service.run(`box ${line} --yes`, losing), 9, 'it still exists');
  });

  test('that revokes is verified by reading', async () => {
    await service.run('box release dev/web 1.0.0');
    const stdout = outputOf(await service.run('box revoke dev/web 1.0.0 --yes', losing));
    expect(stdout).toContain('Revoked version dev/web 1.0.0.');
  });

  test('that deletes a token is verified by reading', async () => {
    expect(outputOf(await service.run('box token delete --yes', losing))).toMatch(/^Deleted /);
  });

  test('that creates a token has an unknown outcome', async () => {
    const ran = await service.run('box token create --login dev --password env://PW --no-store', {
      env: { ...losing.env, PW: 'a long password' },
    });
    expect(ran.code).toBe(9);
  });
});
