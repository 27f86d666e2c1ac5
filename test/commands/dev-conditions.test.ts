import { expect, test } from 'vitest';
import { startServices } from '../../src/library/index.ts';
import { expectExit, homeForAll } from '../support/command-tests.ts';

const at = homeForAll();

test.each([
  ['nonsense', 'expected SERVICE=STATUS:TIME, such as scheduler=403:3s'],
  ['other=403:3s', 'expected SERVICE=STATUS:TIME, such as scheduler=403:3s'],
  ['scheduler=403:soon', 'expected SERVICE=STATUS:TIME, such as scheduler=403:3s'],
  ['scheduler=404:3s', 'expected a status of scheduler: 403, 500, 503'],
])('rejects --after-start %s', async (text, expected) => {
  const ran = await at.run(['dev', '--port', '0', '--after-start', text]);
  expectExit(ran, 2, `invalid --after-start "${text}": ${expected}`);
});

test('the library starts a standby, whose reads are behind', async () => {
  let nowMs = Date.now();
  const services = await startServices({ secrets: { standbyLagMs: 2000 }, clock: () => new Date(nowMs) });
  const { secrets } = services;
  const standby = secrets.client({ address: secrets.standbyAddress ?? '' });
  const place = { mount: 'secret', path: 'app' };
  await secrets.client().putKv({ ...place, data: { a: '1' }, options: {} });
  await expect(standby.getKv(place)).rejects.toMatchObject({ kind: 'not_found' });
  nowMs += 2000;
  expect((await standby.getKv(place)).body.data.data).toEqual({ a: '1' });
  await services.stop();
});
