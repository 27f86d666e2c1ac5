import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { has } from '../../../support/require.ts';
import { smallDisk } from '../../../support/small-disk.ts';
import { digest, filesOf, put, send, startImages, store } from './images-support.ts';

describe.skipIf(process.platform !== 'linux' || !has('mount'))('on a full disk', () => {
  test('an upload is 507, leaves the old image and nothing else, and can be begun again', async ({
    skip,
  }) => {
    const directory = await smallDisk();
    if (directory === undefined) return skip('only root may mount a small disk');
    const started = await startImages({ directory });
    const old = randomBytes(1024 * 1024);
    await store(started, 'p', old);
    const { uploadPath } = started.images.startUpload('p');
    expect((await put(uploadPath, Buffer.alloc(20 * 1024 * 1024))).status).toBe(507);
    expect(await filesOf(directory)).toHaveLength(1);
    expect((await send(`${started.downloads}/images/p`, 'GET')).body.equals(old)).toBe(true);

    const fits = randomBytes(2 * 1024 * 1024);
    expect((await put(uploadPath, fits)).status).toBe(200);
    expect(started.images.find('p')?.checksums.sha256).toBe(digest('sha256', fits));
    expect(started.logged).toEqual([]);
  });

  test('the sender of an image that just does not fit gets an error', async ({ skip }) => {
    const directory = await smallDisk();
    if (directory === undefined) return skip('only root may mount a small disk');
    const { images } = await startImages({ directory });
    expect(await put(images.startUpload('p').uploadPath, Buffer.alloc(5 * 1024 * 1024))).toMatchObject({
      status: 507,
      body: Buffer.from('the disk is full: the image cannot be stored\n'),
    });
    expect(await filesOf(directory)).toEqual([]);
    expect(images.find('p')).toBeUndefined();
  });
});
