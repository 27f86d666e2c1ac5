import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { serve } from '../unit/api/support.ts';
import { type Boxes, boxes } from './box-registry.ts';

let service: Boxes;
/** The same registry behind something that loses the answers to writes. */
let losing: { env: { LANYARD_BOX_ADDR: string } };
/** Whether it loses the writes themselves too. */
let loses: 'answers' | 'writes';

beforeEach(async () => {
  service = await boxes();
  onTestFinished(service.close);
  loses = 'answers';
  const { url } = await serve(async ({ method, url: path, headers, body }, response) => {
    if (method !== 'GET' && loses === 'writes') {
      response.destroy();
      return;
    }
    const answer = await fetch(`${service.running.addresses.box}${path}`, {
      method,
      headers: {
        Authorization: headers.authorization ?? '',
        ...(body === '' ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === '' ? {} : { body }),
    });
    const text = await answer.text();
    if (method !== 'GET') response.destroy();
    else response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(text);
  });
  losing = { env: { LANYARD_BOX_ADDR: url } };
  for (const line of [
    ...['create dev/web --description old', 'version create dev/web 1.0.0'],
    'provider create dev/web 1.0.0 libvirt --url https://example.com/a.box',
  ])
    await service.run(`box ${line}`);
});

const changes = [
  ['create dev/new --public --short-description x', 'is created'],
  ['update dev/web --public', 'is changed'],
  ['update dev/web --name front --description new', 'is changed'],
  ['version create dev/web 2.0.0 --description x', 'is created'],
  ['version update dev/web 1.0.0 --number 1.0.1', 'is changed'],
  ['release dev/web 1.0.0', 'is released'],
  ['provider create dev/web 1.0.0 kvm --url https://example.com/b.box', 'is created'],
  ['provider update dev/web 1.0.0 libvirt --url https://example.com/b.box', 'is changed'],
] as const;

const deletions = ['delete dev/web', 'version delete dev/web 1.0.0', 'provider delete dev/web 1.0.0 libvirt'];

describe('a write whose answer is lost', () => {
  test.each(changes)('is settled by looking: box %s', async (line, done) => {
    const { code, stdout, stderr } = await service.run(`box ${line}`, losing);
    expect([code, stdout]).toEqual([0, expect.stringContaining(done)]);
    expect(stderr).toContain('the answer was lost, but the service has it now');
  });

  test.each(changes)('and that was lost itself is of unknown outcome: box %s', async (line) => {
    loses = 'writes';
    const { code, stdout, stderr } = await service.run(`box ${line}`, losing);
    expect([code, stdout]).toEqual([9, '']);
    expect(stderr).toMatch(/there is none now|is not what was to be written/);
  });

  test.each(deletions)('and that deletes is settled by looking: box %s', async (line) => {
    const { code, stdout } = await service.run(`box ${line} --yes`, losing);
    expect([code, stdout]).toEqual([0, expect.stringContaining('is deleted')]);
  });

  test.each(deletions)('and that deletes and was lost itself is of unknown outcome: box %s', async (line) => {
    loses = 'writes';
    const { code, stderr } = await service.run(`box ${line} --yes`, losing);
    expect([code, stderr]).toEqual([9, expect.stringContaining('it is still there')]);
  });

  test('and that revokes is settled by looking', async () => {
    await service.run('box release dev/web 1.0.0');
    const { code, stdout } = await service.run('box revoke dev/web 1.0.0 --yes', losing);
    expect([code, stdout]).toEqual([0, expect.stringContaining('is revoked')]);
  });

  test('and that deletes a token is settled by looking', async () => {
    const { code, stdout } = await service.run('box token delete --yes', losing);
    expect([code, stdout]).toEqual([0, expect.stringContaining('is deleted')]);
  });

  test('and that makes a token is of unknown outcome', async () => {
    const { code } = await service.run('box token create --login dev --password env://PW --no-store', {
      env: { ...losing.env, PW: 'a long password' },
    });
    expect(code).toBe(9);
  });
});
