import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectExit, homeForAll, servicesForAll } from '../support/command-tests.ts';
import { makeVictim, plants, stateAt, stateOf } from './plants.ts';

// A text that could not be written is kept in XDG_RUNTIME_DIR if that is a private directory of the user, else in the
// temporary directory.

const at = homeForAll();
servicesForAll(at);
const { TMPDIR: before } = process.env;

beforeAll(async () => {
  at.env.EDITOR = at.write('editor', '#!/bin/sh\necho "- not an object" >"$1"\n', 0o700);
  at.env.XDG_RUNTIME_DIR = at.file('runtime');
  mkdirSync(at.file('tmp'));
  process.env.TMPDIR = at.file('tmp');
  expectExit(await at.run('kv put secret/edited k=before'.split(' ')), 0);
});
afterAll(async () => {
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
});

test.each(plants)('XDG_RUNTIME_DIR is $name: a text is written to a private directory', async (plant) => {
  for (const name of ['runtime', 'victim']) rmSync(at.file(name), { recursive: true, force: true });
  makeVictim(at.file('victim'));
  await plant.put(at.file('runtime'), at.file('victim'));
  const planted = stateAt(at.file('runtime'));
  const victim = stateOf(at.file('victim'));
  const ran = await at.run('kv edit secret/edited'.split(' '));
  expect(ran.code, ran.stderr).toBe(2);
  const file = /(\/[^;:,\s]+\.yaml)/.exec(ran.stderr)?.[1] ?? '';
  expect(readFileSync(file, 'utf8')).toContain('not an object');
  expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
  const isUsed = plant.name === 'a folder';
  expect(dirname(dirname(file))).toBe(at.file(isUsed ? 'runtime' : 'tmp'));
  rmSync(dirname(file), { recursive: true });
  expect(stateAt(at.file('runtime'))).toBe(planted);
  expect(stateOf(at.file('victim'))).toEqual(victim);
  expect(existsSync(at.file('absent'))).toBe(false);
});
