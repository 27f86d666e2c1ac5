import { Agent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type EmbeddedProcess, embeddedProcess } from '../../../../support/embedded.ts';
import { expectShortWaits } from '../../../../support/measure.ts';
import { isSoak } from '../../../../support/soak.ts';
import { call } from '../../support.ts';

// The service runs in its own process, so that its response times do not include the work of the attacker.

const size = 30 * 1024 * 1024;

interface Attacker {
  readonly socket: Socket;
  /** The status of the response; 0: the connection was closed without one. */
  readonly status: Promise<number>;
  readonly closed: Promise<void>;
}

/** A connection of the attacker. */
function attacker({ address }: EmbeddedProcess): Attacker {
  const socket = connect({ port: Number(new URL(address).port), host: '127.0.0.1' });
  onTestFinished(() => {
    socket.destroy();
  });
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  const status = new Promise<number>((resolve) => {
    socket.once('data', (chunk) => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(String(chunk))?.[1] ?? 0)));
    void closed.then(() => resolve(0));
  });
  return { socket, status, closed };
}

function head({ token }: EmbeddedProcess, length: string): string {
  return `POST /v1/secret/data/a HTTP/1.1\r\nHost: localhost\r\nX-Secrets-Token: ${token}\r\n${length}\r\n\r\n`;
}

/** Sends a body as fast as it is read; returns the status of the response. */
function send(running: EmbeddedProcess, body: Buffer): Promise<number> {
  const { socket, status } = attacker(running);
  socket.write(head(running, `Content-Length: ${body.length}`));
  socket.write(body);
  return status;
}

/** Writes pieces at an interval in milliseconds while the connection is open. */
function drip(running: EmbeddedProcess, first: string, piece: string | Buffer, interval: number): Attacker {
  const sender = attacker(running);
  sender.socket.write(first);
  const timer = setInterval(() => {
    if (sender.socket.writableLength < 1_000_000) sender.socket.write(piece);
  }, interval);
  void sender.closed.then(() => clearInterval(timer));
  return sender;
}

type Body = readonly [name: string, make: () => Buffer];

/** In a soak all variants of an attack; else those that the other ones are variants of. */
const variants = <Variant>(...all: readonly Variant[]): readonly Variant[] =>
  isSoak ? all : all.slice(0, 1);

/** Multiples of ordinary work: about 100 ms on an idle machine of 2025. */
const within = 10;

/** Checks the health repeatedly while the service is attacked. */
function expectHealth({ address }: EmbeddedProcess, attack: () => Promise<unknown>): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const health = async () =>
    expect((await call(address, 'GET', '/v1/sys/health', { token: null, agent })).status).toBe(200);
  return expectShortWaits(health, attack, within);
}

const repeated = (before: string, piece: string, after: string, bytes = size): Buffer => {
  const count = Math.floor((bytes - before.length - after.length) / piece.length);
  return Buffer.from(before + piece.repeat(count) + after);
};

test.for([
  ...variants<Body>(
    ['deep: {"a":', () => repeated('{"data":', '{"a":', '')],
    ['deep: [', () => repeated('{"data":', '[', '')],
  ),
  ...variants<Body>(
    ['wide: an object of 5 million fields', () => repeated('{"data":{', '"a":0,', '"b":0}}')],
    ['wide: an array of 15 million', () => repeated('{"data":{"a":[', '0,', '0]}}')],
  ),
  ...variants<Body>(
    ['long: a string of escapes', () => repeated('{"data":{"a":"', '\\u00e9', '"}}')],
    ['long: a string', () => repeated('{"data":{"a":"', 'x', '"}}')],
    ['long: a number', () => repeated('{"data":{"a":', '9', '}}')],
    ['long: a name', () => repeated('{"data":{"', 'x', '":0}}')],
    ['long: white space', () => repeated('{"data":{}', ' ', '}')],
  ),
] as const)('30 MB of JSON, %s, does not slow down health checks', async ([, make]) => {
  const running = await embeddedProcess();
  const body = make();
  await expectHealth(running, async () => {
    expect(await Promise.all([send(running, body), send(running, body)])).toEqual([400, 400]);
  });
});

const row = `[${'0,'.repeat(9_998)}0]`;
const members = Array.from({ length: 9_999 }, (_, index) => `"m${index}":0`).join(',');

// The size of one write is bounded, because writing and encrypting block other requests.
test.for(
  variants<Body>(
    ['objects of 10,000 fields', () => repeated('{"data":{"a":[', `{${members}},`, '0]}}')],
    ['arrays of 10,000', () => repeated('{"data":{"a":[', `${row},`, `${row}]}}`)],
    ['strings of 1 MB', () => repeated('{"data":{"a":[', `"${'x'.repeat(1_048_000)}",`, '0]}}')],
  ),
)(
  '30 MB of JSON within the limits, %s, exceeds the size of a stored value and does not slow down health checks',
  async ([, make]) => {
    const running = await embeddedProcess();
    const body = make();
    await expectHealth(running, async () => {
      expect(await send(running, body)).toBe(413);
    });
  },
);

test('1.8 MB of JSON can be stored', async () => {
  const running = await embeddedProcess();
  expect(await send(running, repeated('{"data":{"a":[', `"${'x'.repeat(200)}",`, '0]}}', 1_800_000))).toBe(
    200,
  );
});

const cases: readonly [string, (running: EmbeddedProcess) => Attacker][] = [
  [
    'their heads',
    (running) => drip(running, 'POST /v1/secret/data/a HTTP/1.1\r\nHost: localhost\r\nX: ', 'x', 20),
  ],
  ['their bodies', (running) => drip(running, head(running, 'Content-Length: 1000000'), ' ', 20)],
  [
    'chunks of one byte',
    (running) => drip(running, head(running, 'Transfer-Encoding: chunked'), '1\r\n \r\n', 20),
  ],
];

test.for(cases)('200 slow senders of %s do not slow down health checks', async ([, attack]) => {
  const running = await embeddedProcess();
  for (let count = 0; count < 200; count++) attack(running);
  await expectHealth(running, () => pause(1_000));
});

test.for(variants('[', ' ', 'x'))(
  'an endless body of "%s" is cut off at its limit and does not slow down health checks',
  async (letter) => {
    const running = await embeddedProcess();
    const chunk = Buffer.from(`10000\r\n${letter.repeat(0x10000)}\r\n`.repeat(8));
    await expectHealth(running, async () => {
      const { status, closed } = drip(running, head(running, 'Transfer-Encoding: chunked'), chunk, 1);
      expect(await status).toBe(413);
      await closed;
    });
  },
);
