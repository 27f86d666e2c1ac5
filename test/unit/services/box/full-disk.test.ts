import { expect, test } from 'vitest';
import { has } from '../../../support/require.ts';
import { smallDisk } from '../../../support/small-disk.ts';
import { boxes } from './support.ts';

test.skipIf(process.platform !== 'linux' || !has('mount'))(
  'on a full disk a change is 500, reports it, and was not made',
  async ({ skip }) => {
    const data = await smallDisk();
    if (data === undefined) return skip('only root may mount a small disk');
    const { ask, json } = await boxes({ dataDirectory: data });
    const make = (name: string) =>
      ask('POST', 'boxes', { box: { username: 'ada', name, description: 'x'.repeat(500_000) } });
    let tried = 0;
    let last = await make('box-0');
    while (last.status === 200 && tried < 20) last = await make(`box-${++tried}`);
    expect([last.status, last.json]).toEqual([
      500,
      { errors: [expect.stringContaining('disk is full')], success: false },
    ]);
    expect((await ask('GET', `box/ada/box-${tried}`)).status).toBe(404);
    expect((await json('GET', 'box/ada/box-0')).versions).toEqual([]);
  },
);
