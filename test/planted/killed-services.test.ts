import { spawn } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { homeForAll } from '../support/command-tests.ts';
import { counted, sized } from '../support/soak.ts';

// The services are killed just before each change that their first start makes to a file, apart from those of SQLite.
// Then the next start works.

const at = homeForAll();
at.env.LANYARD_CACHE = 'off';

const program = join(import.meta.dirname, '../../bin/lanyard.js');
const preload = join(import.meta.dirname, 'kill-at.cjs');

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderr: string;
}

/** Starts `dev`, and ends it when it is ready, unless it is killed before its n-th change of a file. */
function dev(change = 0): Promise<Ended> {
  return new Promise((done, failed) => {
    const words = ['dev', '--port', '0', '--data', 'data', '-o', 'json'];
    const child = spawn(process.execPath, ['--require', preload, program, ...words], {
      cwd: at.path,
      env: { ...at.env, HOME: at.path, KILL_AT: String(change) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (text) => {
      stdout += text;
      if (/\}\s*$/.test(stdout)) child.kill('SIGTERM');
    });
    child.stderr.on('data', (text) => (stderr += text));
    child.on('error', failed);
    child.on('close', (code, signal) => done({ code, signal, stderr }));
  });
}

test('dev --data, killed at any change of a file, starts again', async () => {
  await counted('kill -9 of the first start of dev --data', async (tried) => {
    for (let change = 1; ; change += sized(1, 7)) {
      tried();
      for (const name of ['config', 'data']) rmSync(at.file(name), { recursive: true, force: true });
      const { signal } = await dev(change);
      const next = await dev();
      expect(next, `change ${change}`).toMatchObject({ code: 0, signal: null });
      expect(readdirSync(at.file('data')).filter((name) => name.endsWith('.new'))).toEqual([]);
      if (signal === null) break;
    }
  });
});
