import { mkdirSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { homeForAll } from '../support/command-tests.ts';
import { start } from '../support/process.ts';
import { sized } from '../support/soak.ts';
import { makeVictim, type Plant, type PlantName, plants, stateAt, stateOf } from './plants.ts';

const at = homeForAll();

/** The plants with which the services start; every other is an error that names the file. */
interface Row {
  readonly accepts: readonly PlantName[];
}

const texts = ['random bytes', 'truncated JSON', 'JSON of the wrong types', 'deep JSON'] as const;
/** Files of the user's own, whatever is in them. */
const own = ['a file that others may write', 'a huge file', ...texts, 'an empty file'] as const;

/** Every name that a data directory has. SQLite reads what is left of its own files after a crash. */
const rows: Readonly<Record<string, Row>> = {
  'lanyard.db': { accepts: ['an empty file'] },
  'lanyard.db-wal': { accepts: own },
  'lanyard.db-shm': { accepts: own },
  'lanyard.db-journal': { accepts: own },
  'secrets.key': { accepts: [] },
  'registry.key': { accepts: [] },
  'scheduler.key': { accepts: [] },
  'secrets.key.new': { accepts: own },
  'registry.key.new': { accepts: own },
  'scheduler.key.new': { accepts: own },
  'lanyard-images': { accepts: ['a folder'] },
};

const patience = 60_000;

/** Starts `dev` with the directory, and ends it when it runs. */
async function dev(): Promise<{ started: boolean; hangs: boolean; stderr: string }> {
  const running = start(at, ['dev', '--port', '0', '--data', 'data', '-o', 'json']);
  let hangs = false;
  const timer = setTimeout(() => {
    hangs = true;
    running.child.kill('SIGKILL');
  }, patience);
  const started = await Promise.race([
    running.until(/\}\s*$/).then(() => true),
    running.ended.then(() => false),
  ]);
  running.child.kill('SIGTERM');
  const { stderr } = await running.ended;
  clearTimeout(timer);
  return { started, hangs, stderr };
}

const all = Object.entries(rows).map(([name, row], place) => {
  const own = plants.filter((_plant, index) => (index + place) % sized(1, 9) === 0);
  return { name, row, own };
});

describe.each(all)('dev --data: $name', ({ name, row, own }) => {
  test.each(own)('$name', (plant) => tryPlant(name, row, plant));
});

async function tryPlant(name: string, row: Row, plant: Plant): Promise<void> {
  for (const folder of ['data', 'victim']) rmSync(at.file(folder), { recursive: true, force: true });
  makeVictim(at.file('victim'));
  mkdirSync(at.file('data'), { mode: 0o700 });
  if (name !== 'lanyard.db') at.write('data/lanyard.db', '');
  const path = at.file(`data/${name}`);
  await plant.put(path, at.file('victim'));
  const before = stateAt(path);
  const victim = stateOf(at.file('victim'));
  const { started, hangs, stderr } = await dev();
  expect(hangs, 'hangs').toBe(false);
  expect(stateOf(at.file('victim'))).toEqual(victim);
  expect({ started, stderr }).toMatchObject({ started: row.accepts.includes(plant.name) });
  // A file of the user's own that others may write is closed to them in any case.
  const isClosed = plant.name === 'a file that others may write';
  if (!isClosed && (!started || plant.name === 'a folder')) expect(stateAt(path)).toBe(before);
  if (started) return;
  expect(stderr).toContain(basename(path));
  expect(stderr).not.toMatch(/Lanyard itself|\n\s+at /);
}
