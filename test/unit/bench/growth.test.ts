import { describe, expect, test } from 'vitest';
import { plotGrowth } from '../../bench/growth/plot.ts';
import { growth } from '../../bench/growth.ts';

describe('the plot of a growth', () => {
  const svg = plotGrowth(
    'keys',
    [1000, 10_000, 100_000],
    [
      { title: 'cost', logarithmic: true, lines: [{ label: 'read', values: [10, 20, 30] }] },
      { title: 'memory', logarithmic: false, lines: [{ label: 'started', values: [0, 4.5, 45] }] },
    ],
  );

  test('has a panel for each quantity, side by side', () => {
    expect(svg).toContain('viewBox="0 0 760 300"');
    expect(svg.match(/<g transform/g)).toHaveLength(2);
    for (const text of ['keys', 'cost', 'memory', 'read', 'started', '1 k', '100 k'])
      expect(svg).toContain(`>${text}</text>`);
  });

  test('shows a logarithmic cost as a straight line, and a linear one over linear numbers', () => {
    const points = [...svg.matchAll(/class="l0" d="M([\d.]+ [\d.]+(?:L[\d.]+ [\d.]+)+)"/g)].map(
      ([, path = '']) => path.split('L').map((point) => point.split(' ').map(Number) as [number, number]),
    );
    const slopes = points.map((line) =>
      line.slice(1).map(([x, y], at) => (y - (line[at]?.[1] ?? 0)) / (x - (line[at]?.[0] ?? 0))),
    );
    const [cost = [], memory = []] = slopes;
    expect(cost[0]).toBeCloseTo(cost[1] ?? 0, 1);
    expect(memory[0]).toBeCloseTo(memory[1] ?? 0, 1);
  });
});

test('an unknown kind or an invalid size is an error', async () => {
  await expect(growth({ kinds: ['clouds'], factors: [1] }).run(() => {})).rejects.toThrow(
    'unknown kind clouds: expected keys, variables, roles, boxes, accounts',
  );
  for (const factors of [[], [0], [Number.NaN]])
    await expect(growth({ kinds: [], factors }).run(() => {})).rejects.toThrow('invalid --sizes');
});
