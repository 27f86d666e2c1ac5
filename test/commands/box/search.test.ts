import { Writable } from 'node:stream';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectFailure, jsonLines } from '../../support/command-tests.ts';
import { serve } from '../../unit/api/support.ts';
import { boxesForAll } from './registry.ts';

const service = boxesForAll();
/** A search finds only boxes with a released version. */
async function released(name: string, description: string): Promise<void> {
  await service.run(`box create ${name} --public --short-description ${description}`);
  await service.run(`box version create ${name} 2.0.0`);
  const provider = name === 'acme/db' ? 'libvirt' : 'virtualbox';
  await service.run(`box provider create ${name} 2.0.0 ${provider} --url https://example.com/x.box`);
  await service.run(`box release ${name} 2.0.0`);
}

beforeAll(async () => {
  for (let number = 0; number < 12; number++) await released(`dev/web${number}`, 'long'.repeat(20));
  await released('acme/db', 'database');
});

const found = async (words: string): Promise<string[]> =>
  (await service.json<{ boxes: { tag: string }[] }>(`box search ${words}`)).boxes.map(({ tag }) => tag);

describe('box search', () => {
  test('finds by owner, name or short description', async () => {
    expect(await found('acme')).toEqual(['acme/db']);
    expect(await found('database')).toEqual(['acme/db']);
    expect(await found('web11')).toEqual(['dev/web11']);
  });

  test('filters by provider', async () => {
    expect(await found('--provider libvirt')).toEqual(['acme/db']);
    expect((await service.run('box search --provider hyperv', { columns: 80 })).stdout).toBe(
      'No boxes found.\n',
    );
  });

  test('sorts, and returns the requested page', async () => {
    expect(await found('web --sort created --order asc --limit 3')).toEqual([
      'dev/web0',
      'dev/web1',
      'dev/web2',
    ]);
    expect(await found('web --sort created --order asc --limit 3 --page 4')).toEqual([
      ...['dev/web9', 'dev/web10', 'dev/web11'],
    ]);
    expect(await found('web')).toHaveLength(10);
  });

  test('shows a table that fits into the terminal', async () => {
    const { stdout } = await service.run('box search', { columns: 60, env: { NO_COLOR: '1' } });
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^BOX +VERSION +PROVIDERS +DESCRIPTION$/);
    expect(lines.every((line) => line.length <= 60)).toBe(true);
    expect(stdout).toContain('\nNot shown: ACCESS, DOWNLOADS. Use ');
  });

  test('prints tab-separated rows to a pipe', async () => {
    const { stdout } = await service.run('box search acme');
    expect(stdout).toBe('acme/db\t2.0.0\tpublic\t0\tlibvirt\tdatabase\n');
  });

  test('reads all pages with --all', async () => {
    const all = await found('web --all --limit 5 --sort created --order asc');
    expect(all).toEqual(Array.from({ length: 12 }, (_, number) => `dev/web${number}`));
    expect(await found('--all')).toHaveLength(13);
    expect((await service.run('box search web --all --limit 12')).stdout.trimEnd().split('\n')).toHaveLength(
      12,
    );
  });

  test('with --all -o jsonl writes each page as it arrives', async () => {
    const { stdout, stderr } = await service.run('box search web --all --limit 5 -o jsonl --verbose');
    const tags = jsonLines(stdout).map((each) => each.tag);
    expect(new Set(tags).size).toBe(12);
    expect(stderr.match(/> GET \S+\/search\?\S*page=\d/g)).toHaveLength(3);
  });

  test('with --all -o jsonl --out writes all pages to the file', async () => {
    await service.run('box search web --all --limit 5 -o jsonl --out found.jsonl');
    expect(service.at.read('found.jsonl').trimEnd().split('\n')).toHaveLength(12);
  });

  test('with --all fails at a service without pages, which may have more boxes', async () => {
    const { url, seen } = await serve(async ({ url: path }, response) => {
      const reply = await fetch(`${service.running.addresses.box}${path.replace(/page=\d+/, 'page=1')}`);
      response.setHeader('Content-Type', 'application/json').end(await reply.text());
    });
    const env = { LANYARD_BOX_ADDR: url };
    const ran = await service.run('box search web --all --limit 5', { env });
    expectFailure(ran, 1, 'the same page was returned twice');
    expect(seen).toHaveLength(2);
    const all = await service.run('box search web --all --limit 20', { env });
    expect(all.stdout.trimEnd().split('\n')).toHaveLength(12);
  });

  test('with --all reads on at a registry with a smaller maximum', async () => {
    const { url } = await serve(async ({ url: path }, response) => {
      const reply = await fetch(`${service.running.addresses.box}${path.replace(/limit=\d+/, 'limit=5')}`);
      response.setHeader('Content-Type', 'application/json').end(await reply.text());
    });
    const { stdout } = await service.run('box search web --all', { env: { LANYARD_BOX_ADDR: url } });
    expect(stdout.trimEnd().split('\n')).toHaveLength(12);
  });

  test('with --all -o jsonl stops when the reader closes the pipe', async () => {
    const closed = Object.assign(new Error('closed'), { code: 'EPIPE' });
    const stdout = new Writable({ write: (_chunk, _encoding, done) => done(closed) });
    const ran = await service.run('box search web --all --limit 5 -o jsonl --verbose', { stdout });
    expect(ran.code).toBe(0);
    expect(ran.stderr.match(/> GET/g)).toHaveLength(1);
  });

  test('accepts the address with and without the path of the API', async () => {
    const { box } = service.running.addresses;
    for (const VAGRANT_SERVER_URL of [box, `${box}/api/v1`]) {
      const env = { LANYARD_BOX_ADDR: '', LANYARD_BOX_TOKEN: '', VAGRANT_SERVER_URL };
      const VAGRANT_CLOUD_TOKEN = service.running.embedded.boxToken;
      expect((await service.run('box search acme', { env })).code).toBe(0);
      expect((await service.run('box token check', { env: { ...env, VAGRANT_CLOUD_TOKEN } })).code).toBe(0);
    }
  });

  test('requires no token', async () => {
    expect((await service.run('box search acme', { env: { LANYARD_BOX_TOKEN: '' } })).code).toBe(0);
  });

  test.each([
    ['--limit 0', 'invalid --limit 0: expected 1 to 100'],
    ['--limit 101', 'invalid --limit 101: expected 1 to 100'],
    ['--page 0', 'invalid --page 0: expected at least 1'],
    ['--page one', 'invalid --page "one": expected a non-negative integer'],
    ['--sort name', 'invalid --sort "name": expected one of downloads, created, updated'],
    ['--order up', 'invalid --order "up": expected one of desc, asc'],
    ['--all --page 2', '--all cannot be combined with --page'],
  ])('rejects "%s"', async (words, why) => {
    expectFailure(await service.run(`box search ${words}`), 2, why);
  });
});
