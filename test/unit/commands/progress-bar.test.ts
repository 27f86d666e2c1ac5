import { describe, expect, test } from 'vitest';
import { progressLine } from '../../../src/commands/box/lib/progress-bar.ts';

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
