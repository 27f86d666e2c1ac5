import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { glob, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../../support/eventually.ts';
import { memoryStorage } from '../../../support/memory-storage.ts';
import { folder, start } from '../support.ts';
import { digest, filesOf, put, type Started, send, startImages, store } from './images-support.ts';

const get = ({ downloads }: Started, key: string) => send(`${downloads}/images/${key}`, 'GET');

/** Sends bytes on a new connection, and reads until it is closed. */
function raw(url: string, bytes: (string | Uint8Array)[]) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  for (const each of bytes) socket.write(each);
  const response = new Promise<string>((resolve) => {
    socket.on('error', () => {});
    socket.on('close', () => resolve(received));
  });
  return { socket, response };
}

const head = (url: string, rest: string): string =>
  `PUT ${new URL(url).pathname} HTTP/1.1\r\nHost: localhost\r\n${rest}\r\n\r\n`;

describe('an image that is uploaded', () => {
  test.for([1, 65_536, 1024 * 1024, 3 * 1024 * 1024 + 7])('of %i bytes is stored unchanged', async (size) => {
    const started = await startImages();
    const bytes = randomBytes(size);
    const reply = await put(started.images.startUpload('p').uploadPath, bytes);
    expect(reply.status).toBe(200);
    expect(reply.headers.etag).toBe(`"${digest('sha256', bytes)}"`);
    expect(started.images.find('p')).toEqual({
      size,
      checksums: { sha256: digest('sha256', bytes) },
      stored: '2026-01-01T00:00:00.000Z',
    });
    expect((await get(started, 'p')).body.equals(bytes)).toBe(true);
  });

  test.for(['md5', 'sha1', 'sha256', 'sha384', 'sha512'] as const)(
    'has its %s if requested',
    async (checksumType) => {
      const { images } = await startImages();
      const bytes = randomBytes(200_000);
      await put(images.startUpload('p', { checksumType }).uploadPath, bytes);
      expect(images.find('p')?.checksums).toEqual({
        sha256: digest('sha256', bytes),
        [checksumType]: digest(checksumType, bytes),
      });
    },
  );

  test('in chunks, without a length, is stored', async () => {
    const started = await startImages();
    const { uploadPath } = started.images.startUpload('p');
    const { response } = raw(uploadPath, [
      head(uploadPath, 'Transfer-Encoding: chunked\r\nConnection: close'),
      '5\r\nhello\r\n',
      '0\r\n\r\n',
    ]);
    expect(await response).toMatch(/^HTTP\/1.1 200 /);
    expect((await get(started, 'p')).body.toString()).toBe('hello');
  });

  test('is stored before the sender gets a response', async () => {
    const { images } = await startImages();
    await put(images.startUpload('p').uploadPath, 'hello');
    expect(images.find('p')?.size).toBe(5);
  });

  test('replaces the one before, which readers read to its end', async () => {
    const data = await folder();
    const started = await startImages({ directory: data });
    const first = randomBytes(30 * 1024 * 1024);
    await store(started, 'p', first);
    const response = await fetch(`${started.downloads}/images/p`);
    await store(started, 'p', 'second');
    expect((await get(started, 'p')).body.toString()).toBe('second');
    expect(await filesOf(data)).toHaveLength(1);
    expect(first.equals(await response.bytes())).toBe(true);
  });

  test('is read by the next process', async () => {
    const directory = await folder();
    const storage = memoryStorage();
    const first = await startImages({ directory, storage });
    await store(first, 'p', 'hello');
    await first.close();
    const second = await startImages({ directory, storage });
    expect((await get(second, 'p')).body.toString()).toBe('hello');
  });

  test('is a file of its owner alone', async () => {
    const directory = await folder();
    const started = await startImages({ directory });
    await store(started, 'p', 'hello');
    const [file = ''] = await filesOf(directory);
    expect(((await stat(join(directory, 'lanyard-images', file))).mode & 0o777).toString(8)).toBe('600');
    expect(((await stat(join(directory, 'lanyard-images'))).mode & 0o777).toString(8)).toBe('700');
  });

  test('no longer exists when it is removed', async () => {
    const directory = await folder();
    const started = await startImages({ directory });
    await store(started, 'p', 'hello');
    await store(started, 'other', 'hello');
    await started.images.remove('p');
    expect(started.images.find('p')).toBeUndefined();
    expect((await get(started, 'p')).status).toBe(404);
    expect((await get(started, 'other')).status).toBe(200);
    expect(await filesOf(directory)).toHaveLength(1);
  });
});

describe('an upload path', () => {
  test('that was never issued is 404', async () => {
    const { images } = await startImages();
    const { uploadPath } = images.startUpload('p');
    expect(await put(`${uploadPath}x`, 'hello')).toMatchObject({ status: 404 });
    expect((await put(new URL('/', uploadPath).href, 'hello')).status).toBe(404);
  });

  test('accepts only PUT', async () => {
    const { images } = await startImages();
    const reply = await send(images.startUpload('p').uploadPath, 'POST', { body: 'hello' });
    expect(reply).toMatchObject({ status: 405, headers: { allow: 'PUT' } });
  });

  test('is 410 once it was used', async () => {
    const started = await startImages();
    const { uploadPath } = started.images.startUpload('p');
    await put(uploadPath, 'hello');
    expect(await put(uploadPath, 'other')).toMatchObject({
      status: 410,
      body: Buffer.from('the upload path was used, or its provider is gone; ask for a new one\n'),
    });
    expect((await get(started, 'p')).body.toString()).toBe('hello');
  });

  test('is 403 when 15 minutes passed before it was used, and 404 at last', async () => {
    const started = await startImages();
    const { uploadPath, expires } = started.images.startUpload('p');
    expect(expires.toISOString()).toBe('2026-01-01T00:15:00.000Z');
    started.wait(15);
    expect((await put(uploadPath, 'hello')).status).toBe(403);
    started.wait(60);
    expect((await put(uploadPath, 'hello')).status).toBe(404);
  });

  test('works concurrently with another of the same provider', async () => {
    const started = await startImages();
    const [first, second] = [started.images.startUpload('p'), started.images.startUpload('p')];
    expect(first.uploadPath).not.toBe(second.uploadPath);
    expect((await put(second.uploadPath, 'second')).status).toBe(200);
    expect((await put(first.uploadPath, 'first')).status).toBe(200);
    expect((await get(started, 'p')).body.toString()).toBe('first');
  });

  test('with two concurrent senders takes the one that completes first', async () => {
    const directory = await folder();
    const started = await startImages({ directory });
    const { uploadPath } = started.images.startUpload('p');
    const slow = raw(uploadPath, [head(uploadPath, 'Content-Length: 4\r\nConnection: close'), 'sl']);
    await eventually(async () => expect(await filesOf(directory)).toHaveLength(1));
    expect((await put(uploadPath, 'quick')).status).toBe(200);
    slow.socket.write('ow');
    expect(await slow.response).toMatch(/^HTTP\/1.1 410 /);
    expect(await filesOf(directory)).toHaveLength(1);
    expect((await get(started, 'p')).body.toString()).toBe('quick');
  });

  test('ends with its provider, while it is used too', async () => {
    const directory = await folder();
    const started = await startImages({ directory });
    const { uploadPath } = started.images.startUpload('p');
    const { socket, response } = raw(uploadPath, [
      head(uploadPath, 'Content-Length: 4\r\nConnection: close'),
      'ha',
    ]);
    await eventually(async () => expect(await filesOf(directory)).toHaveLength(1));
    await started.images.remove('p');
    socket.write('lf');
    expect(await response).toMatch(/^HTTP\/1.1 410 /);
    expect((await put(uploadPath, 'hello')).status).toBe(410);
    expect(await filesOf(directory)).toEqual([]);
    expect(started.images.find('p')).toBeUndefined();
  });

  test.for([
    ['an empty body', { body: '' }, 'the body is empty; send the image\n'],
    [
      'a part of an image',
      { body: 'x', headers: { 'Content-Range': 'bytes 0-0/5' } },
      'an image is sent whole, not in ranges\n',
    ],
  ] as const)('rejects %s and can still be used', async ([, sent, message]) => {
    const { images } = await startImages();
    const { uploadPath } = images.startUpload('p');
    expect(await send(uploadPath, 'PUT', sent)).toMatchObject({ status: 400, body: Buffer.from(message) });
    expect((await put(uploadPath, 'hello')).status).toBe(200);
  });

  test.for([
    ['rejects, being held,', true, /^HTTP\/1.1 413 /],
    ['takes, being plain,', false, /^HTTP\/1.1 100 /],
  ] as const)('%s more than 5 GiB', async ([, held, expected]) => {
    const { images } = await startImages();
    const { uploadPath } = images.startUpload('p', { requiresConfirmation: held });
    const length = 5 * 1024 ** 3 + 1;
    const { socket } = raw(uploadPath, [
      head(uploadPath, `Content-Length: ${length}\r\nExpect: 100-continue`),
    ]);
    const first = await new Promise((resolve) => socket.once('data', (chunk) => resolve(chunk.toString())));
    socket.destroy();
    expect(first).toMatch(expected);
  });
});

describe('a held upload', () => {
  test('is the image of its provider once it is confirmed', async () => {
    const started = await startImages();
    const { id, uploadPath } = started.images.startUpload('p', { requiresConfirmation: true });
    expect(await started.images.confirmUpload('p', id)).toBeUndefined();
    expect((await put(uploadPath, 'hello')).status).toBe(200);
    expect(started.images.find('p')).toBeUndefined();
    const image = await started.images.confirmUpload('p', id);
    expect(image).toMatchObject({ size: 5 });
    expect((await get(started, 'p')).body.toString()).toBe('hello');
    expect((await put(uploadPath, 'other')).status).toBe(410);
  });

  test('that is confirmed several times, also concurrently, is confirmed once', async () => {
    const { images } = await startImages();
    const { id, uploadPath } = images.startUpload('p', { requiresConfirmation: true });
    await put(uploadPath, 'hello');
    const [first, second] = await Promise.all([images.confirmUpload('p', id), images.confirmUpload('p', id)]);
    expect(first).toEqual(images.find('p'));
    expect(second).toEqual(first);
    expect(await images.confirmUpload('p', id)).toEqual(first);
  });

  test('cannot be confirmed for another provider, nor another upload as if it were held', async () => {
    const { images } = await startImages();
    const held = images.startUpload('p', { requiresConfirmation: true });
    const plain = images.startUpload('p');
    await put(held.uploadPath, 'hello');
    await put(plain.uploadPath, 'hello');
    expect(await images.confirmUpload('other', held.id)).toBeUndefined();
    expect(await images.confirmUpload('p', plain.id)).toBeUndefined();
  });

  test('that takes hours is received, confirmed, and confirmed again', async () => {
    const directory = await folder();
    const started = await startImages({ directory });
    const { id, uploadPath } = started.images.startUpload('p', { requiresConfirmation: true });
    const { socket, response } = raw(uploadPath, [head(uploadPath, 'Content-Length: 5'), 'he']);
    await eventually(async () => expect(await filesOf(directory)).toHaveLength(1));
    started.wait(180);
    started.images.startUpload('another');
    socket.write('llo');
    await eventually(() => expect(socket.bytesRead).toBeGreaterThan(0));
    const image = await started.images.confirmUpload('p', id);
    expect(image).toMatchObject({ size: 5 });
    started.images.startUpload('another');
    expect(await started.images.confirmUpload('p', id)).toEqual(image);
    socket.destroy();
    expect(await response).toMatch(/^HTTP\/1.1 200 /);
  });

  test.for(['an hour', 'its provider', 'the process'])(
    'that is not confirmed is removed after %s',
    async (what) => {
      const directory = await folder();
      const started = await startImages({ directory });
      const { id, uploadPath } = started.images.startUpload('p', { requiresConfirmation: true });
      await put(uploadPath, 'hello');
      expect(await filesOf(directory)).toHaveLength(1);
      if (what === 'an hour') started.wait(60);
      if (what === 'its provider') await started.images.remove('p');
      if (what === 'the process') await started.close();
      expect(await started.images.confirmUpload('p', id)).toBeUndefined();
      expect(await filesOf(directory)).toEqual([]);
    },
  );
});

describe('a failed upload', () => {
  const size = 3 * 1024 * 1024;
  const cuts = [0, 1, 100, 65_535, 65_536, 1_000_000, 1024 * 1024, 2_000_001, size - 65_536, size - 1];

  test.for(cuts)(
    'after %i bytes leaves the old image and nothing else, and can be begun again',
    async (cut) => {
      const directory = await folder();
      const started = await startImages({ directory });
      await store(started, 'p', 'old');
      const { uploadPath } = started.images.startUpload('p');
      const bytes = randomBytes(size);
      const { socket } = raw(uploadPath, [
        head(uploadPath, `Content-Length: ${size}`),
        bytes.subarray(0, cut),
      ]);
      await eventually(async () => expect(await filesOf(directory)).toHaveLength(2));
      await pause(20);
      socket.resetAndDestroy();
      await eventually(async () => expect(await filesOf(directory)).toHaveLength(1));
      expect((await get(started, 'p')).body.toString()).toBe('old');
      expect((await put(uploadPath, bytes)).status).toBe(200);
      expect(started.images.find('p')?.checksums.sha256).toBe(digest('sha256', bytes));
      expect(started.logged).toEqual([]);
    },
  );

  test('because its chunks are invalid leaves nothing', async () => {
    const directory = await folder();
    const { images } = await startImages({ directory });
    const { uploadPath } = images.startUpload('p');
    const { response } = raw(uploadPath, [
      head(uploadPath, 'Transfer-Encoding: chunked'),
      '5\r\nhello\r\nzz\r\n',
    ]);
    expect(await response).toMatch(/^HTTP\/1.1 400 /);
    await eventually(async () => expect(await filesOf(directory)).toEqual([]));
    expect(images.find('p')).toBeUndefined();
  });

  test('because its sender stalls is 408 and leaves nothing', async () => {
    const directory = await folder();
    const { images } = await startImages({ directory, stallTimeoutMs: 50 });
    const { uploadPath } = images.startUpload('p');
    const { response } = raw(uploadPath, [head(uploadPath, 'Content-Length: 10'), 'half']);
    expect(await response).toMatch(/^HTTP\/1.1 408 /);
    expect(await filesOf(directory)).toEqual([]);
  });

  test('is not caused by a slow sender', async () => {
    const { images } = await startImages({ stallTimeoutMs: 2_000 });
    const { uploadPath } = images.startUpload('p');
    const { socket, response } = raw(uploadPath, [
      head(uploadPath, 'Content-Length: 20\r\nConnection: close'),
    ]);
    for (let sent = 0; sent < 20; sent++) {
      await pause(120);
      socket.write('x');
    }
    expect(await response).toMatch(/^HTTP\/1.1 200 /);
    expect(images.find('p')?.size).toBe(20);
  });

  test('because the services end leaves nothing', async () => {
    const directory = await folder();
    const started = await startImages({ directory });
    const { uploadPath } = started.images.startUpload('p');
    raw(uploadPath, [head(uploadPath, 'Content-Length: 10'), 'half']);
    await eventually(async () => expect(await filesOf(directory)).toHaveLength(1));
    await started.close();
    expect(await filesOf(directory)).toEqual([]);
  });

  test('because the record of the image cannot be written leaves the old one, and can be started again', async () => {
    const directory = await folder();
    const storage = memoryStorage();
    let full = false;
    const started = await startImages({
      directory,
      storage: {
        ...storage,
        write: async (changes) => {
          if (full) throw new Error('database or disk is full');
          await storage.write(changes);
        },
      },
    });
    await store(started, 'p', 'old');
    const { uploadPath } = started.images.startUpload('p');
    full = true;
    expect((await put(uploadPath, 'new')).status).toBe(500);
    expect((await get(started, 'p')).body.toString()).toBe('old');
    expect(await filesOf(directory)).toHaveLength(1);
    full = false;
    expect((await put(uploadPath, 'new')).status).toBe(200);
  });

  test('because the process was killed leaves nothing after the next start, which counts the removed files', async () => {
    const data = await folder();
    await (await start({ dataDirectory: data })).close();
    await mkdir(join(data, 'lanyard-images'));
    await writeFile(join(data, 'lanyard-images', `${'ab'.repeat(16)}.part`), 'half');
    await writeFile(join(data, 'lanyard-images', 'cd'.repeat(16)), 'replaced');
    const printed: string[] = [];
    await start({ dataDirectory: data, print: (line) => printed.push(line) });
    expect(await filesOf(data)).toEqual([]);
    expect(printed).toEqual([`Removed 2 image files no longer used from ${join(data, 'lanyard-images')}.`]);
  });
});

describe('the folder of images in a data directory', () => {
  const name = 'ab'.repeat(16);

  test('keeps every file with another name than images have, and everything that is not a file', async () => {
    const data = await folder();
    await (await start({ dataDirectory: data })).close();
    const images = join(data, 'lanyard-images');
    await mkdir(join(images, 'cd'.repeat(16)), { recursive: true });
    await writeFile(join(images, 'photo.jpg'), 'mine');
    await writeFile(join(images, `${name}.jpg`), 'mine');
    await writeFile(join(data, 'precious'), 'mine');
    await symlink('../precious', join(images, name));
    const before = await filesOf(data);
    await (await start({ dataDirectory: data })).close();
    expect(await filesOf(data)).toEqual(before);
    expect(await readFile(join(data, 'precious'), 'utf8')).toBe('mine');
  });

  test.for(['lanyard-images', 'images'])(
    'that is a symbolic link, %s, is rejected, and its target is left alone',
    async (link) => {
      const data = await folder();
      const [directory, kept] = [data, memoryStorage()];
      const first = await startImages({ directory, storage: kept });
      await store(first, 'p', 'hello');
      await first.close();
      const elsewhere = await folder();
      await rename(join(data, 'lanyard-images'), join(elsewhere, 'moved'));
      await writeFile(join(elsewhere, 'moved', name), 'mine');
      await symlink(join(elsewhere, 'moved'), join(data, link));
      const before = await readdir(join(elsewhere, 'moved'));
      await expect(startImages({ directory, storage: kept })).rejects.toThrow(
        `cannot use ${join(data, link)} for images: it is a symbolic link`,
      );
      expect(await readdir(join(elsewhere, 'moved'))).toEqual(before);
    },
  );

  test('returns no image through a symbolic link or a pipe with its name', async () => {
    const directory = await folder();
    const started = await startImages({ directory });
    await store(started, 'p', 'hello');
    const [file = ''] = await filesOf(directory);
    const path = join(directory, 'lanyard-images', file);
    await rename(path, join(directory, 'elsewhere'));
    await symlink('../elsewhere', path);
    expect((await get(started, 'p')).status).toBe(404);
    expect(started.logged).toEqual([`box: the file of an image is missing: ${file}`]);
    if (process.platform === 'win32') return;
    await rm(path);
    execFileSync('mkfifo', [path]);
    expect((await get(started, 'p')).status).toBe(404);
  });

  test('takes over the images of an earlier version, and nothing else from their folder', async () => {
    const directory = await folder();
    const storage = memoryStorage();
    const first = await startImages({ directory, storage });
    await store(first, 'p', 'one');
    await store(first, 'q', 'two');
    await first.close();
    const files = await filesOf(directory);
    await rename(join(directory, 'lanyard-images'), join(directory, 'images'));
    for (const mine of ['photo.jpg', name]) await writeFile(join(directory, 'images', mine), 'mine');
    const noted: string[] = [];
    const second = await startImages({ directory, storage, onNotice: (line) => noted.push(line) });
    expect((await get(second, 'p')).body.toString()).toBe('one');
    expect((await get(second, 'q')).body.toString()).toBe('two');
    expect((await filesOf(directory)).sort()).toEqual(files.sort());
    expect((await readdir(join(directory, 'images'))).sort()).toEqual([name, 'photo.jpg']);
    expect(noted).toEqual([
      `Moved 2 image files from ${join(directory, 'images')} to ${join(directory, 'lanyard-images')}.`,
    ]);
    await second.close();
    await startImages({ directory, storage, onNotice: (line) => noted.push(line) });
    expect(noted).toHaveLength(1);
  });

  test('takes the place of the former one, which is removed when nothing else is in it', async () => {
    const directory = await folder();
    const storage = memoryStorage();
    const first = await startImages({ directory, storage });
    await store(first, 'p', 'one');
    await first.close();
    await rename(join(directory, 'lanyard-images'), join(directory, 'images'));
    await startImages({ directory, storage });
    expect(await readdir(directory)).toEqual(['lanyard-images']);
  });
});

/** Temporary folders of images that hold these bytes; others run tests beside this one. */
async function foldersWith(bytes: Buffer): Promise<string[]> {
  const found: string[] = [];
  for await (const file of glob(join(tmpdir(), 'lanyard-images-*', '*'))) {
    if (bytes.equals(await readFile(file).catch(() => Buffer.of()))) found.push(dirname(file));
  }
  return found;
}

describe('images without a data directory', () => {
  test('are in a private folder that is removed with the services', async () => {
    const started = await startImages();
    const own = randomBytes(32);
    await store(started, 'p', own);
    const [made = ''] = await foldersWith(own);
    expect(((await stat(made)).mode & 0o777).toString(8)).toBe('700');
    await started.close();
    await expect(stat(made)).rejects.toThrow('ENOENT');
  });
});
