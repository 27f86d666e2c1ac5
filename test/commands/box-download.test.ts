import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { has } from '../support/require.ts';
import { smallDisk } from '../support/small-disk.ts';
import { listen } from '../unit/api/support.ts';
import { type Images, images, sumOf } from './box-images.ts';

let all: Images;
let image: ReturnType<Images['image']>;
beforeAll(async () => {
  all = await images();
  image = all.image('web.box', 5_000_000);
  await all.json(`box publish dev/web 1.0.0 libvirt ${image.name}`);
  await all.json(`box publish dev/web 1.1.0 libvirt ${all.image('later.box', 1000).name} --no-release`);
});
afterAll(() => all.close());

const tagged = (bytes: Buffer): string => `"${sumOf(bytes).slice(0, 12)}"`;
const partOf = (name: string, etag: string): string =>
  `${name}.${Buffer.from(etag).toString('base64url')}.part`;

interface Asked {
  readonly range: string | undefined;
  readonly ifRange: string | undefined;
  readonly token: string | undefined;
}

/** An origin of its own that has one image; `cut` ends the connection after so many bytes of each answer. */
async function origin(bytes: Buffer, how: { cut?: number; etag?: string | undefined; type?: string } = {}) {
  const asked: Asked[] = [];
  const etag = 'etag' in how ? how.etag : tagged(bytes);
  const server = createServer(({ headers }, response) => {
    const { range, authorization: token } = headers;
    const ifRange = headers['if-range']?.toString();
    asked.push({ range, ifRange, token });
    const from = range !== undefined && ifRange === etag ? Number(/bytes=(\d+)-/.exec(range)?.[1]) : 0;
    const rest = bytes.subarray(from);
    response.writeHead(from > 0 ? 206 : 200, {
      'Content-Length': rest.length,
      ...(etag === undefined ? {} : { ETag: etag }),
      ...(how.type === undefined ? {} : { 'Content-Type': how.type }),
      ...(from > 0 ? { 'Content-Range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : {}),
    });
    if (how.cut === undefined || rest.length <= how.cut) response.end(rest);
    else response.write(rest.subarray(0, how.cut), () => setTimeout(() => response.destroy(), 20));
  });
  return { url: `http://127.0.0.1:${await listen(server)}/images/web.box`, asked };
}

let count = 0;
/** A released version whose image is at a URL. */
async function at(url: string, checksum = ''): Promise<string> {
  const version = `2.0.${count++}`;
  const sum = checksum === '' ? '' : ` --checksum ${checksum}`;
  await all.json(`box publish dev/elsewhere ${version} libvirt --url ${url}${sum}`);
  return `dev/elsewhere ${version}`;
}

describe('box download', () => {
  test('gets the latest version that is released, verifies it and names it after the box', async () => {
    const { code, stdout, stderr } = await all.run('box download dev/web');
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).toContain(`sha256\t${image.sha256}, verified`);
    expect(sumOf(all.at.bytes('web-1.0.0-libvirt.box'))).toBe(image.sha256);
    expect(all.at.list().filter((file) => file.endsWith('.part'))).toEqual([]);
  });

  test('a version that is not released is got when it is named', async () => {
    expect(await all.json('box download dev/web 1.1.0 libvirt --out later.out')).toMatchObject({
      file: 'later.out',
      bytes: 1000,
    });
  });

  test('a file that is there is replaced with --force only', async () => {
    all.at.write('there.box', 'mine');
    const { code, stderr } = await all.run('box download dev/web --out there.box');
    expect(code).toBe(2);
    expect(stderr).toContain('already exists');
    expect(all.at.read('there.box')).toBe('mine');
    await all.json('box download dev/web --out there.box --force');
    expect(sumOf(all.at.bytes('there.box'))).toBe(image.sha256);
  });

  test('a part that an earlier run left is gone on with, if it is of this very image', async () => {
    const { url, asked } = await origin(image.bytes);
    const part = partOf('part.box', tagged(image.bytes));
    all.at.write(part, image.bytes.subarray(0, 3_000_000));
    const ran = await all.run(`box download ${await at(url, image.sha256)} --out part.box`);
    expect(ran.stderr).toContain('Going on after the 2.9 MiB that are here already.');
    expect(sumOf(all.at.bytes('part.box'))).toBe(image.sha256);
    expect(asked.at(-1)).toMatchObject({ range: 'bytes=3000000-', ifRange: tagged(image.bytes) });
    expect(all.at.list()).not.toContain(part);
  });

  test('a part of another image is dropped', async () => {
    const { url } = await origin(image.bytes);
    all.at.write(partOf('other.box', '"another"'), 'of another image');
    await all.json(`box download ${await at(url, image.sha256)} --out other.box`);
    expect(sumOf(all.at.bytes('other.box'))).toBe(image.sha256);
    expect(all.at.list().filter((file) => file.endsWith('.part'))).toEqual([]);
  });

  test('a connection that breaks again and again is gone on with where it broke', async () => {
    const { url, asked } = await origin(image.bytes, { cut: 600_000 });
    const { code, stderr } = await all.run(`box download ${await at(url, image.sha256)} --out cut.box`);
    expect(stderr).toContain('resuming in 0.0 s');
    expect(code).toBe(0);
    expect(asked.length).toBeGreaterThan(7);
    expect(sumOf(all.at.bytes('cut.box'))).toBe(image.sha256);
  });

  test('without an entity tag nothing can be gone on with: no part is left', async () => {
    const { url } = await origin(image.bytes, { cut: 600_000, etag: undefined });
    const { code } = await all.run(`box download ${await at(url)} --out never.box`);
    expect(code).toBe(7);
    expect(all.at.list().filter((file) => file.includes('never'))).toEqual([]);
  });

  test('an image that is not the one that was published does not get the name', async () => {
    const { url } = await origin(image.bytes);
    const { code, stderr } = await all.run(`box download ${await at(url, 'ab'.repeat(32))} --out bad.box`);
    expect(code).toBe(1);
    expect(stderr).toContain(`sha256 of what came: ${image.sha256}`);
    expect(all.at.list().filter((file) => file.includes('bad.box'))).toEqual([]);
  });

  test('an image without a checksum is got with a warning', async () => {
    const { url } = await origin(image.bytes);
    const { code, stderr } = await all.run(`box download ${await at(url)} --out unsure.box`);
    expect(code).toBe(0);
    expect(stderr).toContain('warning: dev/elsewhere');
  });

  test('the token goes to the registry only, not to where it redirects', async () => {
    const { url, asked } = await origin(image.bytes);
    await all.json(`box download ${await at(url)} --out token.box`);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.every(({ token }) => token === undefined)).toBe(true);
  });

  test('a web page in the place of an image is none', async () => {
    const { url } = await origin(Buffer.from('<!doctype html><p>Log in'), { type: 'text/html' });
    const { code, stderr } = await all.run(`box download ${await at(url)} --out page.box`);
    expect(code).toBe(1);
    expect(stderr).toContain('an HTML page instead of an image');
    expect(all.at.list().filter((file) => file.includes('page.box'))).toEqual([]);
  });

  test('an interrupted one says what is kept, and goes on from there', async () => {
    const { url } = await origin(image.bytes, { cut: 2_000_000 });
    const version = await at(url, image.sha256);
    const interrupt = new AbortController();
    const { code, stderr } = await all.run(`box download ${version} --out int.box`, {
      signal: interrupt.signal,
      onStderr: (said) => {
        if (said.includes('resuming')) interrupt.abort('SIGINT');
      },
    });
    expect(code).toBe(130);
    expect(stderr).toMatch(/int\.box\.\S+\.part is kept; the same command goes on from there\./);
    expect(all.at.list().filter((file) => file.includes('int.box'))).toHaveLength(1);
    await all.json(`box download ${version} --out int.box`);
    expect(sumOf(all.at.bytes('int.box'))).toBe(image.sha256);
  });

  test('a disk that fills is told of, and the part is kept', async (context) => {
    const disk = await smallDisk();
    if (disk === undefined) return context.skip(!has('mount'), 'this user may not mount a disk');
    const { code, stderr } = await all.run(`box download dev/web 1.0.0 --out ${disk}/full.box`);
    expect(code).toBe(1);
    expect(stderr).toContain('no space left on device');
    expect(stderr).toContain('is kept');
  });

  test('without a version that is released there is nothing to get', async () => {
    await all.json('box create dev/empty');
    const { code, stderr } = await all.run('box download dev/empty');
    expect(code).toBe(3);
    expect(stderr).toContain('no version of dev/empty is released');
  });

  test('standard output is refused, because what was not verified would be used', async () => {
    const { code, stderr } = await all.run('box download dev/web --out -');
    expect([code, stderr.split('\n')[0]]).toEqual([2, 'error: an image is not written to standard output']);
    expect(all.at.list()).not.toContain('-');
  });

  test.for([
    ['1.0.0\\..\\..\\x', 'libvirt'],
    ['1.0.0', '..\\x'],
    ['../../x', 'libvirt'],
  ])('a service that names a version %s and a provider %s names no file', async ([number, name]) => {
    const version = { version: number, status: 'active', providers: [{ name }] };
    const server = createServer((_request, response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ username: 'dev', name: 'web', current_version: version }));
    });
    const address = `http://127.0.0.1:${await listen(server)}`;
    const { code, stderr } = await all.run(`box download dev/web --address ${address}`);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^error: unexpected response from the box registry: /),
    ]);
  });

  test('reports an invalid URL', async () => {
    const version = { version: '1.0.0', status: 'active', providers: [{ name: 'libvirt' }] };
    const server = createServer(({ url = '' }, response) => {
      response.setHeader('Content-Type', 'application/json');
      const provider = { name: 'libvirt', download_url: 'http://[no' };
      response.end(JSON.stringify(url.endsWith('/libvirt') ? provider : version));
    });
    const address = `http://127.0.0.1:${await listen(server)}`;
    const { code, stderr } = await all.run(
      `box download dev/web 1.0.0 libvirt --out no.box --address ${address}`,
    );
    expect([code, stderr]).toEqual([
      1,
      'error: cannot download image: the box registry returned an invalid URL\n',
    ]);
  });
});
