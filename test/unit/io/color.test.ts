import { expect, test } from 'vitest';
import { shouldUseColor } from '../../../src/io/color.ts';

const terminal = { isTTY: true };
const pipe = {};

test.each<[string, { isTTY?: boolean }, NodeJS.ProcessEnv, boolean, boolean]>([
  ['a terminal', terminal, {}, false, true],
  ['a pipe', pipe, {}, false, false],
  ['a terminal, with NO_COLOR', terminal, { NO_COLOR: '1' }, false, false],
  ['a terminal, with an empty NO_COLOR', terminal, { NO_COLOR: '' }, false, true],
  ['a terminal, with TERM=dumb', terminal, { TERM: 'dumb' }, false, false],
  ['a pipe, with FORCE_COLOR', pipe, { FORCE_COLOR: '1' }, false, true],
  ['a pipe, with FORCE_COLOR and NO_COLOR', pipe, { FORCE_COLOR: '1', NO_COLOR: '1' }, false, true],
  ['a terminal, with FORCE_COLOR=0', terminal, { FORCE_COLOR: '0' }, false, false],
  ['a pipe, with FORCE_COLOR and --no-color', pipe, { FORCE_COLOR: '1' }, true, false],
])('%s', (_, stream, env, flag, wanted) => {
  expect(shouldUseColor(stream, env, flag)).toBe(wanted);
});
