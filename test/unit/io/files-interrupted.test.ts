import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';

test('an interrupt at any moment leaves no temporary file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lanyard-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = join(import.meta.dirname, 'write-often.ts');
  for (let round = 0; round < 8; round++) {
    const child = spawn(process.execPath, [program, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    await delay(round * 7);
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    expect(code).toBe(130);
    expect(readdirSync(folder).filter((name) => name !== 'cert')).toEqual([]);
    expect(readFileSync(join(folder, 'cert'), 'utf8')).toHaveLength(100_000);
  }
});
