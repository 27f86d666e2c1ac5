import { appendFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { expectExit, expectFailure } from '../../support/command-tests.ts';
import { has } from '../../support/require.ts';
import { smallDisk } from '../../support/small-disk.ts';
import { listen } from '../../unit/api/support.ts';
import { answering, cutting, registryWith } from './faults.ts';
import { type Images, images, imagesForAll, type Json } from './images.ts';

const all = imagesForAll();
let image: ReturnType<Images['image']>;
beforeAll(async () => {
  image = all.image('web.box', 8_000_000);
});

let count = 0;
const newBox = (): string => `dev/box${count++}`;

/** The final version and downloadable image. */
async function outcome(box: string): Promise<{ status: string | undefined; checksum: string | undefined }> {
  const version = await all.run(`box version get ${box} 1.0.0 -o json`);
  const provider = await all.run(`box provider get ${box} 1.0.0 libvirt -o json`);
  const read = ({ stdout }: { stdout: string }): Json => (stdout === '' ? {} : JSON.parse(stdout));
  return { status: read(version).status, checksum: read(provider).checksum };
}

/** A released version never has a missing or wrong image. */
async function expectHonest(box: string): Promise<void> {
  const { status } = await outcome(box);
  if (status !== 'active') return;
  expectExit(await all.run(`box download ${box} 1.0.0 --out ${box.replace('/', '-')}.check --force`), 0);
  expect(all.at.bytes(`${box.replace('/', '-')}.check`).equals(image.bytes)).toBe(true);
}

const publish = (box: string, address: string, flags = ''): string =>
  `box publish ${box} 1.0.0 libvirt ${image.name} --address ${address}${flags}`;

describe('an upload with a lost connection', () => {
  const places = [0, 1, 100, 400, 70_000, 1_000_000, 3_000_000, 5_000_000, 7_900_000, 8_000_000];
  test.each(places)('after %i bytes is sent again to a new URL', async (up) => {
    const box = newBox();
    expectExit(await all.run(publish(box, await cutting(all, [{ up }]))), 0, 'retrying with a new address');
    expect(await outcome(box)).toEqual({ status: 'active', checksum: image.sha256 });
    await expectHonest(box);
  });

  test('before the response to the last byte is either found stored or sent again', async () => {
    const box = newBox();
    // The server sends 100 Continue, but its response is lost.
    expect((await all.run(publish(box, await cutting(all, [{ down: 30 }])))).code).toBe(0);
    expect(await outcome(box)).toEqual({ status: 'active', checksum: image.sha256 });
  });

  test('several times fails; nothing is released, and the next run continues', async () => {
    const box = newBox();
    const ran = await all.run(publish(box, await cutting(all, Array(9).fill({ up: 2_000_000 }))));
    expectFailure(ran, 7, 'attempt 5 of 5', 'Run the same command again to continue.');
    expect((await outcome(box)).status).toBe('unreleased');
    expect((await all.run(publish(box, all.address))).code).toBe(0);
    await expectHonest(box);
  });
});

describe('an upload URL', () => {
  test('that has expired is requested again', async () => {
    const box = newBox();
    let first = true;
    const address = await registryWith(all, (uploads) => {
      // The first URL is truncated and therefore unknown.
      if (first) uploads.pathname = '/upload/expired';
      first = false;
      return Number(uploads.port);
    });
    expectExit(await all.run(publish(box, address)), 0, 'retrying with a new address');
    await expectHonest(box);
  });

  test('at an origin that responds with 500 fails, and nothing is released', async () => {
    const box = newBox();
    const address = await answering(all, (_request, response) => response.writeHead(500).end('no'));
    expectFailure(await all.run(publish(box, address)), 1, 'responded with status 500');
    expect((await outcome(box)).status).toBe('unreleased');
  });

  test('at an origin that responds with a web page fails, with any status', async () => {
    const box = newBox();
    const address = await answering(all, (request, response) => {
      request.resume();
      request.on('end', () => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>Log in'));
    });
    expectFailure(await all.run(publish(box, address)), 1, 'and an HTML page');
    expect((await outcome(box)).status).toBe('unreleased');
  });

  test('at an origin that reports success but stores nothing fails before the release', async () => {
    const box = newBox();
    const address = await answering(all, (request, response) => {
      request.resume();
      request.on('end', () => response.writeHead(200).end());
    });
    const { code } = await all.run(publish(box, address));
    expect(code).not.toBe(0);
    expect((await outcome(box)).status).toBe('unreleased');
  });

  test('at an origin that redirects fails with the target; it receives neither image nor token', async () => {
    const box = newBox();
    const elsewhere: string[] = [];
    const other = createServer((request, response) => {
      elsewhere.push(request.url ?? '');
      response.end();
    });
    const target = `http://127.0.0.1:${await listen(other)}`;
    const address = await answering(all, (_request, response) =>
      response.writeHead(307, { Location: `${target}/steal?sig=secret` }).end(),
    );
    const ran = await all.run(publish(box, address));
    expectFailure(ran, 1, `redirects to ${target}; uploads are not redirected (307)`);
    expect(ran.stderr).not.toContain('secret');
    expect(elsewhere).toEqual([]);
    expect((await outcome(box)).status).toBe('unreleased');
  });

  test('receives no token', async () => {
    const seen: unknown[] = [];
    const address = await answering(all, (request, response) => {
      seen.push(JSON.stringify(request.headers));
      request.resume();
      response.writeHead(500).end();
    });
    await all.run(publish(newBox(), address));
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.join()).not.toMatch(/authorization|token/i);
  });
});

describe('an upload', () => {
  /** Replaces a released image with one of the same length, while some requests are lost. */
  async function replaced(drops: (request: IncomingMessage) => boolean) {
    const box = newBox();
    const before = all.image('before.box', image.bytes.length);
    await all.json(`box publish ${box} 1.0.0 libvirt ${before.name}`);
    const address = await registryWith(all, ({ port }) => Number(port), drops);
    const line = `box publish ${box} 1.0.0 libvirt ${image.name} --yes --address ${address}`;
    return { box, before, ...(await all.run(line)) };
  }

  test.for([
    ['confirmation', /\/upload\/direct\//],
    ['removal of the old checksum', /\/provider\/libvirt$/],
  ] as const)('with a lost %s sends it again', async ([, path]) => {
    let lost = 0;
    const { box, code, stderr } = await replaced(
      ({ method, url = '' }) => method === 'PUT' && path.test(url) && lost++ === 0,
    );
    expect(code, stderr).toBe(0);
    await expectHonest(box);
  });

  test('with a confirmation that is lost several times has an unknown outcome, and stores no checksum', async () => {
    const { box, before, code } = await replaced(({ url = '' }) => /\/upload\/direct\//.test(url));
    expect(code).toBe(9);
    expect(await outcome(box)).toEqual({ status: 'active', checksum: before.sha256 });
  });

  test('of a file that changes during the upload fails', async () => {
    const box = newBox();
    all.at.write('growing.box', image.bytes);
    const address = await registryWith(all, (uploads) => {
      appendFileSync(all.at.file('growing.box'), 'more');
      return Number(uploads.port);
    });
    const ran = await all.run(`box publish ${box} 1.0.0 libvirt growing.box --address ${address}`);
    expectFailure(ran, 6, 'growing.box changed while it was read');
    expect(await outcome(box)).toMatchObject({ status: 'unreleased', checksum: null });
  });

  test('that is interrupted releases nothing', async () => {
    const box = newBox();
    const interrupt = new AbortController();
    const address = await answering(all, (request) => {
      request.once('data', () => interrupt.abort('SIGINT'));
    });
    expect((await all.run(publish(box, address), { signal: interrupt.signal })).code).toBe(130);
    expect((await outcome(box)).status).toBe('unreleased');
  });

  test('that is slow is not aborted; a stalled one is', async () => {
    const slow = newBox();
    const address = await answering(all, (request, response) => {
      // A chunk from time to time: the upload takes several times the timeout.
      request.on('data', () => {
        request.pause();
        setTimeout(() => request.resume(), 30);
      });
      request.on('end', () => response.writeHead(400).end());
    });
    const started = performance.now();
    const moving = await all.run(publish(slow, address, ' --timeout 2 -v'));
    expect(moving.stderr).toContain('responded with status 400');
    expect(performance.now() - started).toBeGreaterThan(2000);

    const stopped = await answering(all, () => undefined);
    expectFailure(await all.run(publish(newBox(), stopped, ' --timeout 0.2')), 7, 'request timed out');
  });

  test('prints progress from time to time without a terminal', async () => {
    let time = 0;
    const ran = await all.run(publish(newBox(), all.address), {
      clock: () => {
        time += 4000;
        return new Date(time);
      },
    });
    expectExit(ran, 0, /^Uploading web\.box: \d+% of 7\.6 MiB, .*\/s, .* left$/m);
  });

  test('to a registry with a full disk releases nothing', async (context) => {
    const disk = await smallDisk();
    if (disk === undefined) return context.skip(!has('mount'), 'this user may not mount a disk');
    const small = await images({ dataDirectory: `${disk}/data` });
    onTestFinished(() => small.close());
    const { name } = small.image('large.box', 8_000_000);
    const { code, stderr } = await small.run(`box publish dev/full 1.0.0 libvirt ${name}`);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/responded with status 5\d\d/);
    expect(await small.json('box version get dev/full 1.0.0')).toMatchObject({ status: 'unreleased' });
  });
});
