import { existsSync, readdirSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { embeddedForEach, expectFailure, quietOutputOf, runnerOf } from '../../support/command-tests.ts';
import { setTokens } from '../../support/services.ts';
import { serve } from '../../unit/api/support.ts';

const { at, running } = embeddedForEach();
const snapshot = runnerOf(at, 'registry snapshot');
const registry = runnerOf(at, 'registry');

const filled = async () => {
  await setTokens(at, running);
  quietOutputOf(await registry('kv put app/a one'));
  quietOutputOf(await registry('service register web --port 80'));
};

describe('registry snapshot', () => {
  test('saves, inspects and restores the state', async () => {
    await filled();
    const saved = await snapshot('save a.snap', { cwd: at.path });
    expect(saved).toMatchObject({ code: 0, stderr: '' });
    expect(saved.stdout).toMatch(
      /^Saved snapshot a\.snap\.\nsize\t.*\nindex\t\d+\nterm\t1\nID\t1-\d+-\d+\n$/,
    );
    expect(statSync(at.file('a.snap')).mode & 0o777).toBe(0o600);
    const inspected = JSON.parse(quietOutputOf(await snapshot('inspect a.snap -o json', { cwd: at.path })));
    expect(inspected).toMatchObject({ version: 1, index: expect.any(Number) });
    expect(inspected.types).toContainEqual({ Type: 'kv', Count: 1, Size: expect.any(Number) });
    quietOutputOf(await registry('kv put app/a two'));
    quietOutputOf(await registry('kv put app/b three'));
    expect(quietOutputOf(await snapshot('restore a.snap --yes', { cwd: at.path }))).toBe(
      'Restored snapshot a.snap.\n',
    );
    expect(quietOutputOf(await registry('kv get app/ --recursive'))).toContain('one');
    expect(await registry('kv get app/b')).toMatchObject({ code: 3 });
  });

  test('asks before it restores, and sends nothing in a dry run', async () => {
    await filled();
    quietOutputOf(await snapshot('save a.snap', { cwd: at.path }));
    quietOutputOf(await registry('kv put app/a two'));
    expectFailure(await snapshot('restore a.snap --no-input', { cwd: at.path }), 2, 'cannot prompt');
    const dry = quietOutputOf(await snapshot('restore a.snap --dry-run --dc dc1', { cwd: at.path }));
    expect(dry).toContain('/v1/snapshot?dc=dc1');
    expect(quietOutputOf(await registry('kv get app/a'))).toContain('two');
  });

  test('keeps an existing file, unless --force is given', async () => {
    await filled();
    at.write('a.snap', 'mine');
    expectFailure(await snapshot('save a.snap', { cwd: at.path }), 2, 'already exists', 'Use --force');
    expect(at.read('a.snap')).toBe('mine');
    expect((await snapshot('save a.snap --force', { cwd: at.path })).code).toBe(0);
  });

  test('requires acl:write, and leaves no file', async () => {
    await filled();
    const env = { LANYARD_REGISTRY_TOKEN: '' };
    const ran = await snapshot('save a.snap', { cwd: at.path, env });
    expectFailure(ran, 4, 'cannot save snapshot');
    expect(readdirSync(at.path).filter((name) => name.includes('.snap'))).toEqual([]);
  });

  test('rejects a file that is not a complete snapshot before anything is sent', async () => {
    await filled();
    quietOutputOf(await snapshot('save a.snap', { cwd: at.path }));
    at.write('cut.snap', at.bytes('a.snap').subarray(0, -40));
    at.write('text.snap', 'text');
    for (const name of ['cut.snap', 'text.snap'])
      for (const line of [`inspect ${name}`, `restore ${name} --yes`])
        expectFailure(await snapshot(line, { cwd: at.path }), 1, `invalid snapshot ${name}`);
    expectFailure(
      await snapshot('save -', { cwd: at.path }),
      2,
      'cannot write a snapshot to standard output',
    );
  });

  test('leaves no file if the response is cut off or is no snapshot', async () => {
    const cut = await serve((_seen, response) => {
      response.writeHead(200, { 'Content-Type': 'application/x-gzip', 'Content-Length': '1000' });
      response.write(Buffer.alloc(10));
      response.destroy();
    });
    const page = await serve((_seen, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html></html>');
    });
    const noLeader = await serve((_seen, response) => {
      response.writeHead(500, { 'Content-Type': 'text/plain' }).end('No cluster leader');
    });
    for (const [{ url }, code] of [
      [cut, 7],
      [page, 1],
      [noLeader, 1],
    ] as const) {
      const env = { LANYARD_REGISTRY_ADDR: url };
      expect((await snapshot('save a.snap', { cwd: at.path, env })).code).toBe(code);
      expect(readdirSync(at.path).filter((name) => name.includes('.snap'))).toEqual([]);
    }
  });

  test('says how to continue after a lost response', async () => {
    await filled();
    quietOutputOf(await snapshot('save a.snap', { cwd: at.path }));
    const { url } = await serve((_seen, response) => void response.destroy());
    const env = { LANYARD_REGISTRY_ADDR: url };
    expectFailure(
      await snapshot('restore a.snap --yes', { cwd: at.path, env }),
      9,
      'restoring the same snapshot twice is safe',
    );
    expect(existsSync(at.file('a.snap'))).toBe(true);
  });
});
