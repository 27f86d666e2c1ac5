import { once } from 'node:events';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type Body, readBytes, readChunks, readText } from '../../../../../src/services/core/http/body.ts';

const maxBytes = 32 * 1024 * 1024;

/** A body that arrives in chunks. */
function bodyOf(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>, announced?: string) {
  // As bytes, like a request: an error during reading destroys the stream.
  const stream = Readable.from(chunks, { objectMode: false });
  let opened = 0;
  const body: Body = {
    contentLength: announced,
    open() {
      opened++;
      return stream;
    },
  };
  return { body, stream, opened: () => opened };
}

const bytes = (text: string) => Buffer.from(text);
const tooLarge = { status: 413, message: 'http: request body too large' };
const notText = { status: 400, message: 'body is not UTF-8' };
const cutOff = { status: 400, message: 'incomplete request body' };

async function* breaking(text: string): AsyncGenerator<Buffer> {
  yield bytes(text);
  throw new Error('aborted');
}

async function* later(text: string): AsyncGenerator<Buffer> {
  await pause(50);
  yield bytes(text);
}

async function drained(stream: Readable): Promise<void> {
  const ended = once(stream, 'end');
  stream.resume();
  await ended;
}

/** The chunks of a body, within limits. */
async function all(body: Body, limits: Parameters<typeof readChunks>[1]): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of readChunks(body, limits)) parts.push(part);
  return Buffer.concat(parts).toString();
}

describe('a body that is read as text', () => {
  test('loses a byte order mark, in one chunk or in several', async () => {
    const marked = bytes('\uFEFFa');
    expect(await readText(bodyOf([marked]).body)).toBe('a');
    expect(await readText(bodyOf([...marked].map((byte) => Uint8Array.of(byte))).body)).toBe('a');
  });

  test('is decoded as UTF-8, wherever it is split', async () => {
    const text = 'a grüße € 👩‍💻 \uFFFD z';
    const whole = bytes(text);
    expect(await readText(bodyOf([...whole].map((byte) => Uint8Array.of(byte))).body)).toBe(text);
    expect(await readText(bodyOf([whole]).body)).toBe(text);
    expect(await readText(bodyOf([]).body)).toBe('');
    expect(await readText(bodyOf(later('late')).body)).toBe('late');
  });

  test.for([
    ['a byte that is in no character', [[0x61, 0xff, 0x62]]],
    ['half of a character at its end', [[0x61, 0xc3]]],
    ['half of a character at its end, in a chunk of its own', [[0x61], [0xc3]]],
    ['half of a character within it', [[0x61, 0xc3], [0x61]]],
  ] as const)('is rejected with %s', async ([, chunks]) => {
    await expect(readText(bodyOf(chunks.map((each) => Uint8Array.from(each))).body)).rejects.toMatchObject(
      notText,
    );
  });

  test('is rejected if incomplete', async () => {
    await expect(readText(bodyOf(breaking('a')).body)).rejects.toMatchObject(cutOff);
  });
});

describe('a body that is read as bytes', () => {
  test('is left unchanged', async () => {
    const { body } = bodyOf([Uint8Array.of(0xff, 0), Uint8Array.of(0xc3)]);
    expect([...(await readBytes(body))]).toEqual([0xff, 0, 0xc3]);
  });

  test('is rejected if incomplete', async () => {
    await expect(readBytes(bodyOf(breaking('a')).body)).rejects.toMatchObject(cutOff);
  });
});

describe.each([
  ['text', readText],
  ['bytes', readBytes],
] as const)('a body that is read as %s', (_what, read) => {
  const half = Buffer.alloc(maxBytes / 2, 'x');

  test('is empty when it was read before', async () => {
    const { body } = bodyOf([bytes('once')]);
    expect(String(await read(body))).toBe('once');
    expect(String(await read(body))).toBe('');
  });

  test('is rejected if its connection was closed before', async () => {
    const { body, stream } = bodyOf([bytes('never read')]);
    stream.destroy();
    await expect(read(body)).rejects.toMatchObject(cutOff);
  });

  test('is rejected if its connection is closed meanwhile', async () => {
    const { body, stream } = bodyOf(later('too late'));
    const reading = read(body);
    stream.destroy();
    await expect(reading).rejects.toMatchObject(cutOff);
  });

  test('can be drained when it is too long', async () => {
    const { body, stream } = bodyOf([half, half, bytes('x'), bytes('y')]);
    await expect(read(body)).rejects.toMatchObject(tooLarge);
    expect([stream.destroyed, stream.listenerCount('data'), stream.listenerCount('error')]).toEqual([
      false,
      0,
      0,
    ]);
    await drained(stream);
  });

  test('may have 32 MiB', async () => {
    const { body } = bodyOf([half, half], String(maxBytes));
    expect((await read(body)).length).toBe(maxBytes);
  });

  test('is rejected with one byte more', async () => {
    await expect(read(bodyOf([half, half, bytes('x')]).body)).rejects.toMatchObject(tooLarge);
  });

  test('is rejected before it is sent if its Content-Length is one byte more', async () => {
    const { body, opened } = bodyOf([], String(maxBytes + 1));
    await expect(read(body)).rejects.toMatchObject(tooLarge);
    expect(opened()).toBe(0);
  });
});

describe('a body that is read in chunks', () => {
  test('may be as long as the limit, but not longer', async () => {
    expect(await all(bodyOf([bytes('hello')], '5').body, { limit: 5 })).toBe('hello');
    expect(await all(bodyOf([bytes('he'), bytes('llo')]).body, { limit: 5 })).toBe('hello');
    await expect(all(bodyOf([bytes('he'), bytes('llo!')]).body, { limit: 5 })).rejects.toMatchObject(
      tooLarge,
    );
    const { body, opened } = bodyOf([bytes('hello!')], '6');
    await expect(all(body, { limit: 5 })).rejects.toMatchObject(tooLarge);
    expect(opened()).toBe(0);
  });

  test('may be awaited', async () => {
    expect(await all(bodyOf(later('late')).body, { limit: 5 })).toBe('late');
    expect(await all(bodyOf(later('late')).body, { limit: 5, stallTimeoutMs: 60_000 })).toBe('late');
  });

  test('is rejected when it stalls', async () => {
    async function* stalling(): AsyncGenerator<Buffer> {
      yield bytes('he');
      await new Promise(() => {});
    }
    await expect(all(bodyOf(stalling()).body, { limit: 5, stallTimeoutMs: 20 })).rejects.toMatchObject({
      status: 408,
      message: 'timed out waiting for the request body',
    });
  });

  test('is rejected if incomplete', async () => {
    await expect(all(bodyOf(breaking('he')).body, { limit: 5 })).rejects.toMatchObject(cutOff);
    await expect(all(bodyOf(breaking('he')).body, { limit: 5, stallTimeoutMs: 1000 })).rejects.toMatchObject(
      cutOff,
    );
  });

  test('leaves no timer running', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    await all(bodyOf([bytes('he'), bytes('llo')]).body, { limit: 5, stallTimeoutMs: 60_000 });
    await expect(
      all(bodyOf(breaking('he')).body, { limit: 5, stallTimeoutMs: 60_000 }),
    ).rejects.toMatchObject(cutOff);
    expect(timers()).toBeLessThanOrEqual(before);
  });

  test.for([
    ['too long', 3],
    ['no longer wanted', 100],
  ] as const)('can be drained when it is %s', async ([, limit]) => {
    const { body, stream } = bodyOf(['ab', 'cd', 'ef', 'gh'].map(bytes));
    const reading = async () => {
      for await (const part of readChunks(body, { limit })) if (part.toString().includes('d')) break;
    };
    if (limit === 3) await expect(reading()).rejects.toMatchObject(tooLarge);
    else await reading();
    expect(stream.destroyed).toBe(false);
    await drained(stream);
  });
});
