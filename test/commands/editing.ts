import { readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { homeForAll } from '../support/command-tests.ts';
import type { Home } from '../support/run.ts';

interface Editing {
  readonly at: Home;
  /** The temporary files that are there: all of a run's are in a folder where they can be counted. */
  readonly leftovers: () => readonly string[];
  /** The environment of an editor: a script that is given the file as `$1`; what it saw and with which modes is kept. */
  readonly editor: (script: string) => Record<string, string>;
}

/** A home for the tests of the calling file, in which texts are edited. */
export function editing(): Editing {
  const at = homeForAll();
  const folder = at.file('tmp');
  const leftovers = () => readdirSync(folder).filter((name) => name !== '.keep');
  beforeAll(() => {
    at.write('tmp/.keep', '');
    process.env.TMPDIR = folder;
  });
  afterAll(() => {
    delete process.env.TMPDIR;
  });
  afterEach(() => {
    for (const name of leftovers()) rmSync(join(folder, name), { recursive: true });
  });
  const editor = (script: string) => {
    const keep = `cp "$1" '${at.file('seen')}'; stat -c %a "$1" "$(dirname "$1")" > '${at.file('modes')}'`;
    at.write('editor.sh', `${keep}\n${script}\n`);
    return { EDITOR: `sh '${at.file('editor.sh')}'`, TMPDIR: folder };
  };
  return { at, leftovers, editor };
}

/** The file of an edited text that could not be written, as the hint names it: for its owner's eyes only. */
export function keptIn(stderr: string): string {
  const path = /Your text is saved in ([^;:,\s]+?)(?:[;:,]|\.\s)/.exec(stderr)?.[1] ?? '';
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  return path;
}
