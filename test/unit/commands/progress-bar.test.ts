import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { progressLine } from '../../../src/commands/box/lib/progress-bar.ts';
import { progressText } from '../../../src/commands/ssh/lib/sign-batch.ts';
import { displayWidth } from '../../../src/wire/display-width.ts';
import { has } from '../../support/require.ts';

const draw = join(import.meta.dirname, 'draw-progress.ts');

const transfer = { bytes: 644_245_094, total: 1_288_490_188, speed: 12_897_484 };
const all = '50% of 1.2 GiB, 12.3 MiB/s, 50 s left';

describe('a line of progress', () => {
  test.each([
    [120, `Uploading web.box ${'█'.repeat(12)}${'░'.repeat(12)} ${all}`],
    [77, `Uploading web.box ${'█'.repeat(11)}${'░'.repeat(10)} ${all}`],
    [64, `Uploading web.box ${'█'.repeat(4)}${'░'.repeat(4)} ${all}`],
    [63, `Uploading web.box ${all}`],
    [40, 'Uploading web.box 50%, 50 s left'],
    [37, 'Uploading web.box 50%, 50 s left'],
    [20, '50%, 50 s left'],
  ])('of %i cells', (columns, line) => {
    expect(progressLine('Uploading web.box', transfer, columns)).toBe(line);
  });

  test('shows the details without the name of a file that is too long', () => {
    expect(progressLine(`Uploading ${'x'.repeat(80)}`, transfer, 77)).toBe(all);
  });

  test('has no bar and no time without a length', () => {
    const unknown = { ...transfer, total: undefined };
    expect(progressLine('Downloading web.box', unknown, 77)).toBe(
      'Downloading web.box 614.4 MiB, 12.3 MiB/s',
    );
    expect(progressLine('Downloading web.box', unknown, 20)).toBe('614.4 MiB');
  });

  test.each([80, 40])('of %i cells is never longer', (columns) => {
    for (let done = 0; done <= 1_288_490_188; done += 12_345_678)
      for (const speed of [0, 1, 900, 1_000_000, 2e9])
        expect(
          progressLine('Uploading web.box', { ...transfer, bytes: done, speed }, columns).length,
        ).toBeLessThanOrEqual(columns);
  });
});

test.each([80, 40, 20])('a line with wide characters fits %i cells', (columns) => {
  for (const what of ['Uploading 仮想マシン.box', 'Uploading 📦📦📦.box', 'Uploading e\u0301e\u0301.box'])
    expect(displayWidth(progressLine(what, transfer, columns))).toBeLessThanOrEqual(columns);
});

test.each([
  [77, 100, 'signing: 19 of 100 done, 1 failed, 8 s left'],
  [37, 100, 'signing: 19 of 100 done, 8 s left'],
  [25, 100, 'signing: 19 of 100 done'],
  [17, 100, '20'],
  [77, undefined, 'signing: 19 done, 1 failed'],
  [77, 20, 'signing: 19 of 20 done, 1 failed, 0 s left'],
])('the progress of a batch in %i cells, of %s keys', (columns, total, line) => {
  const counts = { signed: 15, fresh: 4, failed: 1 };
  expect(progressText(counts, { total, elapsedMs: 2000, columns })).toBe(line);
});

describe.skipIf(process.platform !== 'linux' || !has('script'))('on a terminal, which needs script', () => {
  /** The frames that are drawn on a terminal, without control sequences; the second width is that after a second. */
  async function frames(file: string, columns: number, narrower = columns): Promise<readonly string[]> {
    const program = [process.execPath, '--disable-warning=ExperimentalWarning', draw, file]
      .map((word) => `'${word}'`)
      .join(' ');
    const resize =
      narrower === columns
        ? ''
        : `(sleep 1.5; stty cols ${narrower} < /dev/tty; printf '\\r<resized>\\r' > /dev/tty) &`;
    const line = `stty cols ${columns} rows 24; ${resize} ${program}`;
    const child = spawn('script', ['-qec', line, '/dev/null'], {
      env: { ...process.env, TERM: 'xterm', CI: '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const output = await text(child.stdout);
    const afterResize = narrower === columns ? output : output.slice(output.indexOf('<resized>'));
    // The frame that is on the screen at that moment is of the earlier width.
    return afterResize
      .replaceAll('\u001b[1G', '\r')
      .split('\r')
      .map((frame) => stripVTControlCharacters(frame).trimEnd())
      .filter((frame) => /[%█]/.test(frame))
      .slice(narrower === columns ? 0 : 2);
  }

  // Each waits for seconds of a terminal's time.
  test.concurrent.each([
    ['web.box', 80],
    ['web.box', 40],
    ['web.box', 20],
    ['仮想マシン.box', 40],
    [`${'long-name-'.repeat(12)}.box`, 80],
  ])('the line of %s is never wider than %i columns', { timeout: 30_000 }, async (file, columns) => {
    const drawn = await frames(file, columns);
    expect(drawn.length).toBeGreaterThan(5);
    for (const frame of drawn) expect(displayWidth(frame), frame).toBeLessThan(columns);
  });

  test.concurrent('the line follows a terminal that becomes narrower', { timeout: 30_000 }, async () => {
    const drawn = await frames('web.box', 80, 30);
    expect(drawn.length).toBeGreaterThan(2);
    for (const frame of drawn) expect(displayWidth(frame), frame).toBeLessThan(30);
  });
});
