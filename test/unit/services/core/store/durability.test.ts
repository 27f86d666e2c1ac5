import { execFile, spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { openStore } from '../../../../../src/services/core/store/store.ts';
import { expectShortTurns, median } from '../../../../support/measure.ts';
import { folder } from '../../support.ts';

const run = promisify(execFile);
const storeModule = JSON.stringify(
  join(import.meta.dirname, '../../../../../src/services/core/store/store.ts'),
);

describe('a store on disk', () => {
  test('accepts its own directory with added files, also after a crash at its first start', async () => {
    const path = await folder();
    const script = `
      const { openStore } = await import(${storeModule});
      const store = await openStore(${JSON.stringify(path)});
      for (let n = 0; n < 300; n++) await store.write([{ key: 'k' + n, value: n }]);
      process.kill(process.pid, 'SIGKILL');`;
    await expect(run(process.execPath, ['--input-type=module', '-e', script])).rejects.toMatchObject({
      signal: 'SIGKILL',
    });
    // The application ID is in the log only.
    expect((await readFile(join(path, 'lanyard.db'))).readUInt32BE(68)).toBe(0);
    await writeFile(join(path, 'note'), 'mine');
    for (let time = 0; time < 2; time++) {
      const store = await openStore(path);
      expect(store.get('k299')).toBe(299);
      await store.close();
    }
    expect(await readFile(join(path, 'note'), 'utf8')).toBe('mine');
  });

  test('never blocks the event loop while it writes', async () => {
    const store = await openStore(await folder());
    let turns = 0;
    let writing = true;
    const others = (async () => {
      for (; writing; turns++) await nextTurn();
    })();
    const waited: number[] = [];
    const work = async (worker: number) => {
      for (let at = 0; at < 150; at++) {
        const before = turns;
        await store.write([{ key: `${worker}/${at}`, value: { text: 'x'.repeat(500) } }]);
        waited.push(turns - before);
      }
    };
    const all = () => Promise.all(Array.from({ length: 20 }, (_, worker) => work(worker)));
    await expectShortTurns(all, 2);
    writing = false;
    await others;
    await store.close();
    // Waiting for the disk in the event loop would block all other work.
    expect(median(waited)).toBeGreaterThan(5);
  });

  test('has every acknowledged write, and no partial one, after SIGKILL', async () => {
    const path = await folder();
    const script = `
      const { openStore } = await import(${storeModule});
      const store = await openStore(${JSON.stringify(path)});
      const from = Number(process.argv.at(-1));
      let next = from;
      const work = async () => {
        for (;;) {
          const n = next++;
          await store.write([{ key: 'left/' + n, value: n }, { key: 'right/' + n, value: n }]);
          process.stdout.write(n + '\\n');
        }
      };
      for (let worker = 0; worker < 8; worker++) work();`;
    const acknowledged = new Set<number>();
    for (let round = 0; round < 5; round++) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script, String(round * 1_000_000)]);
      const ended = new Promise((resolve) => child.on('close', resolve));
      const lines = createInterface(child.stdout);
      const before = acknowledged.size;
      const enough = new Promise<void>((resolve) => {
        lines.on('line', (line) => {
          acknowledged.add(Number(line));
          if (acknowledged.size >= before + 8) resolve();
        });
      });
      await enough;
      await pause(20 + 37 * round);
      child.kill('SIGKILL');
      await ended;
    }
    const store = await openStore(path);
    const left = store.keys('left/').map((key) => store.get(key));
    const right = store.keys('right/').map((key) => store.get(key));
    await store.close();
    expect(left).toEqual(right);
    const kept = new Set(left);
    expect([...acknowledged].filter((n) => !kept.has(n))).toEqual([]);
    expect(acknowledged.size).toBeGreaterThan(20);
  });
});
