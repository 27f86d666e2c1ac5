import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { folderForTest } from '../../support/folders.ts';

test('an interrupt at any moment leaves no temporary file', async () => {
  const folder = folderForTest();
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
