import { describe, expect, test } from 'vitest';
import { parseBounded } from '../../../../../src/services/core/http/bounded-json.ts';
import { expectCost, expectShortTurns, expectShortWaits, median } from '../../../../support/measure.ts';
import { call, head, raw, start } from '../../support.ts';

const echo = '/v1/shelf/echo/x';

async function expectHealthy(address: string): Promise<void> {
  expect((await call(address, 'GET', '/v1/sys/health', { token: null })).status).toBe(200);
}

describe('a request body', () => {
  test('over 32 MiB is 413, with or without Content-Length', async () => {
    const { addresses } = await start();
    const announced = head('POST', echo, { 'Content-Length': String(32 * 1024 * 1024 + 1) });
    const [first] = await raw(addresses.secrets, [announced]);
    expect(first).toMatchObject({ status: 413, json: { errors: ['http: request body too large'] } });
    expect(first?.headers.connection).toBe('close');

    const chunk = `100000\r\n${'x'.repeat(0x100000)}\r\n`;
    const endless = Array.from({ length: 40 }, () => chunk);
    const [second] = await raw(addresses.secrets, [
      head('POST', echo, { 'Transfer-Encoding': 'chunked' }),
      ...endless,
    ]);
    expect(second).toMatchObject({ status: 413 });
  });

  test('of exactly 32 MiB is read', async () => {
    const { addresses } = await start();
    const strings = Array.from({ length: 32 }, () => `"${'x'.repeat(1024 * 1024 - 100)}"`).join(',');
    const body = `{"a":[${strings}]}`.padEnd(32 * 1024 * 1024);
    // The engine returns its request, which shows that the body arrived completely.
    const reply = await call(addresses.secrets, 'POST', '/v1/shelf/echo/big', { body });
    expect(reply.status).toBe(200);
    expect(reply.text.length).toBeGreaterThan(strings.length);
  });

  test('that is huge, deep or wide does not slow down responses to others', async () => {
    const { addresses } = await start();
    const row = `[${'0,'.repeat(9_998)}0]`;
    const bodies = [
      '['.repeat(30_000_000),
      `{"a":"${'x'.repeat(30_000_000)}"}`,
      `{"a":[${`${row},`.repeat(1_500)}${row}]}`,
      `{"a":${'9'.repeat(30_000_000)}}`,
    ];
    const sendAll = () =>
      Promise.all(bodies.map((body) => call(addresses.secrets, 'POST', echo, { body }).catch(() => {})));
    // The client of this test shares the thread with the service, so single long times may be its own.
    await expectShortWaits(() => expectHealthy(addresses.secrets), sendAll, 10, median);
  });
});

describe('the bounded JSON parser', () => {
  test.for([
    ['deep', (size: number) => '['.repeat(size / 2)],
    ['a long string', (size: number) => `"${'x'.repeat(size)}`],
    ['a long number', (size: number) => '1'.repeat(size)],
    ['white space', (size: number) => ' '.repeat(size)],
    ['backslashes', (size: number) => `"${'\\'.repeat(size)}`],
    ['escaped quotes', (size: number) => `"${'\\"'.repeat(size / 2)}"`],
    ['wide', (size: number) => `[${'0,'.repeat(size / 2)}0]`],
  ] as const)('rejects a huge body at the limit, however it ends: %s', async ([, make]) => {
    const rejecting = (text: string) => () => expect(parseBounded(text)).rejects.toThrow();
    await expectCost(rejecting(make(32_000_000)), 3, rejecting(make(3_200_000)));
  });

  test('yields to others while it parses a huge body within the limits', async () => {
    const row = `[${'0,'.repeat(9_998)}0]`;
    const quotes = `"${'\\"'.repeat(1_048_576)}"`;
    const text = `[${`${row},`.repeat(98)}${`${quotes},`.repeat(4)}${row}]`;
    // A slice is less than half of ordinary work; garbage collection of so many values may add to it.
    await expectShortTurns(async () => expect(await parseBounded(text)).toHaveLength(103), 8);
  });
});
