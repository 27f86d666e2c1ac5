import { createServer } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectExit, expectFailure } from '../../support/command-tests.ts';
import { has } from '../../support/require.ts';
import { smallDisk } from '../../support/small-disk.ts';
import { listen } from '../../unit/api/support.ts';
import { type Images, imagesForAll, sumOf } from './images.ts';

const all = imagesForAll();
let image: ReturnType<Images['image']>;
beforeAll(async () => {
  image = all.image('web.box', 5_000_000);
  await all.json(`box publish dev/web 1.0.0 libvirt ${image.name}`);
  await all.json(`box publish dev/web 1.1.0 libvirt ${all.image('later.box', 1000).name} --no-release`);
});

const tagged = (bytes: Buffer): string => `"${sumOf(bytes).slice(0, 12)}"`;
const partOf = (name: string, etag: string): string =>
  `${name}.${Buffer.from(etag).toString('base64url')}.part`;

interface Asked {
  readonly range: string | undefined;
  readonly ifRange: string | undefined;
  readonly token: string | undefined;
}

/** An origin with one image; `cut` closes the connection after that number of bytes of each response. */
async function origin(bytes: Buffer, how: { cut?: number; etag?: string | undefined; type?: string } = {}) {
  const requests: Asked[] = [];
  const etag = 'etag' in how ? how.etag : tagged(bytes);
  const server = createServer(({ headers }, response) => {
    const { range, authorization: token } = headers;
    const ifRange = headers['if-range']?.toString();
    requests.push({ range, ifRange, token });
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
  return { url: `http://127.0.0.1:${await listen(server)}/images/web.box`, asked: requests };
}

let count = 0;
/** A released version with an image at a URL. */
async function at(url: string, checksum = ''): Promise<string> {
  const version = `2.0.${count++}`;
  const sum = checksum === '' ? '' : ` --checksum ${checksum}`;
  await all.json(`box publish dev/elsewhere ${version} libvirt --url ${url}${sum}`);
  return `dev/elsewhere ${version}`;
}

describe('box download', () => {
  test('downloads and verifies the latest released version, and names the file after the box', async () => {
    const { code, stdout, stderr } = await all.run('box download dev/web');
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).toContain(`sha256\t${image.sha256}, verified`);
    expect(sumOf(all.at.bytes('web-1.0.0-libvirt.box'))).toBe(image.sha256);
    expect(all.at.list().filter((file) => file.endsWith('.part'))).toEqual([]);
  });

  test('downloads an unreleased version if it is specified', async () => {
    expect(await all.json('box download dev/web 1.1.0 libvirt --out later.out')).toMatchObject({
      file: 'later.out',
      bytes: 1000,
    });
  });

  test('overwrites an existing file only with --force', async () => {
    all.at.write('there.box', 'mine');
    expectFailure(await all.run('box download dev/web --out there.box'), 2, 'already exists');
    expect(all.at.read('there.box')).toBe('mine');
    await all.json('box download dev/web --out there.box --force');
    expect(sumOf(all.at.bytes('there.box'))).toBe(image.sha256);
  });

  test('resumes the partial file of an earlier run if it is of the same image', async () => {
    const { url, asked: requests } = await origin(image.bytes);
    const part = partOf('part.box', tagged(image.bytes));
    all.at.write(part, image.bytes.subarray(0, 3_000_000));
    const ran = await all.run(`box download ${await at(url, image.sha256)} --out part.box`);
    expect(ran.stderr).toContain('Resuming the download after 2.9 MiB.');
    expect(sumOf(all.at.bytes('part.box'))).toBe(image.sha256);
    expect(requests.at(-1)).toMatchObject({ range: 'bytes=3000000-', ifRange: tagged(image.bytes) });
    expect(all.at.list()).not.toContain(part);
  });

  test('deletes the partial file of another image', async () => {
    const { url } = await origin(image.bytes);
    all.at.write(partOf('other.box', '"another"'), 'of another image');
    await all.json(`box download ${await at(url, image.sha256)} --out other.box`);
    expect(sumOf(all.at.bytes('other.box'))).toBe(image.sha256);
    expect(all.at.list().filter((file) => file.endsWith('.part'))).toEqual([]);
  });

  test('resumes after each of several lost connections', async () => {
    const { url, asked: requests } = await origin(image.bytes, { cut: 600_000 });
    const ran = await all.run(`box download ${await at(url, image.sha256)} --out cut.box`);
    expectExit(ran, 0, 'resuming in 0.0 s');
    expect(requests.length).toBeGreaterThan(7);
    expect(sumOf(all.at.bytes('cut.box'))).toBe(image.sha256);
  });

  test('keeps no partial file without an entity tag', async () => {
    const { url } = await origin(image.bytes, { cut: 600_000, etag: undefined });
    expect((await all.run(`box download ${await at(url)} --out never.box`)).code).toBe(7);
    expect(all.at.list().filter((file) => file.includes('never'))).toEqual([]);
  });

  test('does not write an image with a wrong checksum', async () => {
    const { url } = await origin(image.bytes);
    const ran = await all.run(`box download ${await at(url, 'ab'.repeat(32))} --out bad.box`);
    expectFailure(ran, 1, `sha256 of the download: ${image.sha256}`);
    expect(all.at.list().filter((file) => file.includes('bad.box'))).toEqual([]);
  });

  test('downloads an image without a checksum with a warning', async () => {
    const { url } = await origin(image.bytes);
    expectExit(await all.run(`box download ${await at(url)} --out unsure.box`), 0, 'warning: dev/elsewhere');
  });

  test('sends the token to the registry only, not to a redirect target', async () => {
    const { url, asked: requests } = await origin(image.bytes);
    await all.json(`box download ${await at(url)} --out token.box`);
    expect(requests.length).toBeGreaterThan(0);
    expect(requests.every(({ token }) => token === undefined)).toBe(true);
  });

  test('rejects a web page instead of an image', async () => {
    const { url } = await origin(Buffer.from('<!doctype html><p>Log in'), { type: 'text/html' });
    const ran = await all.run(`box download ${await at(url)} --out page.box`);
    expectFailure(ran, 1, 'an HTML page instead of an image');
    expect(all.at.list().filter((file) => file.includes('page.box'))).toEqual([]);
  });

  test('reports the partial file of an interrupted download, and resumes it', async () => {
    const { url } = await origin(image.bytes, { cut: 2_000_000 });
    const version = await at(url, image.sha256);
    const interrupt = new AbortController();
    const ran = await all.run(`box download ${version} --out int.box`, {
      signal: interrupt.signal,
      onStderr: (output) => {
        if (output.includes('resuming')) interrupt.abort('SIGINT');
      },
    });
    expectFailure(ran, 130, /Kept \S*int\.box\.\S+\.part; run the same command again to resume\./);
    expect(all.at.list().filter((file) => file.includes('int.box'))).toHaveLength(1);
    await all.json(`box download ${version} --out int.box`);
    expect(sumOf(all.at.bytes('int.box'))).toBe(image.sha256);
  });

  test('reports a full disk, and keeps the partial file', async (context) => {
    const disk = await smallDisk();
    if (disk === undefined) return context.skip(!has('mount'), 'this user may not mount a disk');
    const ran = await all.run(`box download dev/web 1.0.0 --out ${disk}/full.box`);
    expectFailure(ran, 1, 'no space left on device');
    expect(ran.stderr).toMatch(/^Kept \S+\.part; run the same command again to resume\.$/m);
  });

  test('fails without a released version', async () => {
    await all.json('box create dev/empty');
    expectFailure(await all.run('box download dev/empty'), 3, 'dev/empty has no released version');
  });

  test('rejects standard output, which cannot be verified', async () => {
    const { code, stderr } = await all.run('box download dev/web --out -');
    expect([code, stderr.split('\n')[0]]).toEqual([
      2,
      'error: cannot write an image to standard output: it must be verified first',
    ]);
    expect(all.at.list()).not.toContain('-');
  });

  test.for([
    ['1.0.0\\..\\..\\x', 'libvirt'],
    ['1.0.0', '..\\x'],
    ['../../x', 'libvirt'],
  ])('rejects version %s and provider %s of the service as parts of a file name', async ([number, name]) => {
    const version = { version: number, status: 'active', providers: [{ name }] };
    const server = createServer((_request, response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ username: 'dev', name: 'web', current_version: version }));
    });
    const address = `http://127.0.0.1:${await listen(server)}`;
    const ran = await all.run(`box download dev/web --address ${address}`);
    expectFailure(ran, 1, /^error: unexpected response from the box registry: /);
  });

  test('reports an invalid image URL', async () => {
    const version = { version: '1.0.0', status: 'active', providers: [{ name: 'libvirt' }] };
    const server = createServer(({ url = '' }, response) => {
      response.setHeader('Content-Type', 'application/json');
      const provider = { name: 'libvirt', download_url: 'http://[no' };
      response.end(JSON.stringify(url.endsWith('/libvirt') ? provider : version));
    });
    const address = `http://127.0.0.1:${await listen(server)}`;
    const ran = await all.run(`box download dev/web 1.0.0 libvirt --out no.box --address ${address}`);
    expect([ran.code, ran.stderr]).toEqual([
      1,
      'error: cannot download image: the box registry returned an invalid URL\n',
    ]);
  });
});
