import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readlinkSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../../support/eventually.ts';
import { has } from '../../../support/require.ts';
import { folder } from '../support.ts';
import { digest, filesOf, type Reply, type Started, send, startImages, store } from './images-support.ts';

const letters = 'abcdefghij';
const tag = `"${digest('sha256', letters)}"`;

async function stored(bytes: Uint8Array | string = letters): Promise<Started> {
  const started = await startImages();
  await store(started, 'p', bytes);
  return started;
}

const ask = (
  { downloads }: Started,
  headers: Record<string, string> = {},
  method: 'GET' | 'HEAD' = 'GET',
): Promise<Reply> => send(`${downloads}/images/p`, method, { headers });

describe('an image that is downloaded', () => {
  test('is complete, with its length and tag', async () => {
    const reply = await ask(await stored());
    expect(reply.status).toBe(200);
    expect(reply.body.toString()).toBe(letters);
    expect(reply.headers).toMatchObject({
      'content-length': '10',
      'content-type': 'application/octet-stream',
      'accept-ranges': 'bytes',
      etag: tag,
    });
  });

  test('is described by HEAD, whatever the range of the request', async () => {
    const reply = await ask(await stored(), { Range: 'bytes=2-3' }, 'HEAD');
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({ 'content-length': '10', etag: tag });
    expect(reply.body).toHaveLength(0);
  });

  test.for([
    ['bytes=0-0', 'a', '0-0'],
    ['bytes=2-4', 'cde', '2-4'],
    ['bytes=7-', 'hij', '7-9'],
    ['bytes=7-100', 'hij', '7-9'],
    ['bytes=-2', 'ij', '8-9'],
    ['bytes=-100', letters, '0-9'],
    ['Bytes=9-9', 'j', '9-9'],
  ] as const)('is cut to the range %s', async ([range, body, shown]) => {
    const reply = await ask(await stored(), { Range: range });
    expect(reply).toMatchObject({ status: 206, body: Buffer.from(body) });
    expect(reply.headers).toMatchObject({
      'content-range': `bytes ${shown}/10`,
      'content-length': String(body.length),
      etag: tag,
    });
  });

  test.for(['bytes=10-', 'bytes=10-12', 'bytes=-0', `bytes=${'9'.repeat(400)}-`])(
    'has no range %s',
    async (range) => {
      const reply = await ask(await stored(), { Range: range });
      expect(reply).toMatchObject({ status: 416, headers: { 'content-range': 'bytes */10' } });
      expect(reply.body).toHaveLength(0);
    },
  );

  test.for(['bytes=4-2', 'bytes=0-1,4-5', 'bytes=-', 'bytes=a-b', 'lines=0-1', 'bytes 0-1'])(
    'is complete for a request of %s',
    async (range) => {
      expect(await ask(await stored(), { Range: range })).toMatchObject({
        status: 200,
        body: Buffer.from(letters),
      });
    },
  );

  test('is sent in part only if it is the expected one', async () => {
    const started = await stored();
    expect((await ask(started, { Range: 'bytes=2-', 'If-Range': tag })).status).toBe(206);
    expect((await ask(started, { Range: 'bytes=2-', 'If-Range': '"another"' })).status).toBe(200);
    expect((await ask(started, { Range: 'bytes=2-', 'If-Range': `W/${tag}` })).status).toBe(200);
  });

  test.for([tag, `W/${tag}`, `"another", ${tag}`, '*'])(
    'is not sent again to a client with %s',
    async (tags) => {
      const reply = await ask(await stored(), { 'If-None-Match': tags });
      expect(reply).toMatchObject({ status: 304, headers: { etag: tag } });
      expect(reply.headers['content-length']).toBeUndefined();
    },
  );

  test('is not there when its file is not, and that is logged', async () => {
    const directory = await folder();
    const started = await startImages({ directory });
    await store(started, 'p', letters);
    const [file = ''] = await filesOf(directory);
    rmSync(join(directory, 'lanyard-images', file));
    expect((await ask(started)).status).toBe(404);
    expect(started.logged).toEqual([`box: the file of an image is missing: ${file}`]);
  });

  test.skipIf(!has('curl'))('can be continued by curl', async () => {
    const bytes = randomBytes(1_000_000);
    const { downloads } = await stored(bytes);
    const target = join(await folder(), 'image');
    const curl = (...flags: string[]) =>
      promisify(execFile)('curl', ['-sS', '-f', ...flags, `${downloads}/images/p`]);
    await curl('-r', '0-399999', '-o', target);
    await curl('-C', '-', '-o', target);
    expect(bytes.equals(await readFile(target))).toBe(true);
  });
});

// What a process has open is listed only there.
const listsOpenFiles = process.platform === 'linux';

describe.skipIf(!listsOpenFiles)('the file of an image', () => {
  const openIn = (directory: string): string[] =>
    readdirSync('/proc/self/fd').flatMap((descriptor) => {
      try {
        const file = readlinkSync(`/proc/self/fd/${descriptor}`);
        return file.startsWith(directory) ? [file] : [];
      } catch {
        return [];
      }
    });

  test.for([
    ['a GET', {}, 'GET'],
    ['a HEAD', {}, 'HEAD'],
    ['a range', { Range: 'bytes=1-2' }, 'GET'],
    ['a range that is none', { Range: 'bytes=99-' }, 'GET'],
    ['a tag', { 'If-None-Match': '*' }, 'GET'],
  ] as const)('is closed after %s', async ([, headers, method]) => {
    const directory = await folder();
    const started = await startImages({ directory });
    await store(started, 'p', letters);
    await ask(started, headers, method);
    await eventually(() => expect(openIn(directory)).toEqual([]));
  });

  test('is closed when the client disconnects, whether it read some of it or none', async () => {
    const directory = await folder();
    const started = await startImages({ directory });
    await store(started, 'p', randomBytes(30 * 1024 * 1024));
    const lines = 'GET /images/p HTTP/1.1\r\nHost: localhost\r\n\r\n';
    for (const reads of [true, false]) {
      const socket = connect(Number(new URL(started.downloads).port), '127.0.0.1');
      socket.on('error', () => {});
      if (!reads) socket.pause();
      socket.write(lines);
      await eventually(() => expect(openIn(directory)).toHaveLength(1));
      if (reads) await new Promise((resolve) => socket.once('data', resolve));
      socket.resetAndDestroy();
      await eventually(() => expect(openIn(directory)).toEqual([]));
    }
    expect(started.logged).toEqual([]);
  });
});
