import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kind, kinds, operationNames } from './growth/kinds.ts';
import { measureGrowth, type Point } from './growth/measure.ts';
import { plotGrowth } from './growth/plot.ts';
import { atMost, type Benchmark, type Finding } from './report.ts';
import { diskOf } from './services.ts';

export interface GrowthOptions {
  /** Names of the kinds of objects; none: all. */
  readonly kinds: readonly string[];
  /** How many objects are created: factors of the number of each kind, ascending. */
  readonly factors: readonly number[];
  /** The directory of the plots, one for each kind. */
  readonly plots?: string | undefined;
  /** Milliseconds that an operation is repeated; less for tests. */
  readonly milliseconds?: number;
}

/**
 * How much an operation may take with the most objects, as a multiple of the least: 30 times as many objects are five
 * more steps of a binary search, and more misses of the processor's caches. A linear cost is 30 times.
 */
const mostGrowth = 3;

/** One read, one write and one page, the start and the memory, with more and more objects. */
export const growth = (options: GrowthOptions): Benchmark => ({
  title:
    'Growth: dev --data with many objects, after a restart; one connection, processor time of the services (median until the response)',
  async run(say) {
    const unknown = options.kinds.filter((name) => !kinds.some((kind) => kind.name === name));
    if (unknown.length > 0)
      throw new Error(`unknown kind ${unknown[0]}: expected ${kinds.map(({ name }) => name).join(', ')}`);
    if (options.factors.length === 0 || options.factors.some((factor) => !(factor > 0)))
      throw new Error('invalid --sizes: expected factors such as 0.1,1,3');
    say(`the data is on ${diskOf(tmpdir())}`);
    if (options.plots !== undefined) mkdirSync(options.plots, { recursive: true });
    const findings: Finding[] = [];
    for (const kind of kinds) {
      if (options.kinds.length > 0 && !options.kinds.includes(kind.name)) continue;
      const counts = options.factors.map((factor) => Math.round(kind.count * factor));
      const points = await measureGrowth(kind, counts, {
        milliseconds: options.milliseconds ?? 3000,
        log: say,
      });
      findings.push(...findingsOf(kind, points));
      if (options.plots !== undefined)
        writeFileSync(join(options.plots, `growth-${kind.name}.svg`), plot(kind, points));
    }
    return findings;
  },
});

function findingsOf({ name }: Kind, points: readonly Point[]): Finding[] {
  const least = points[0];
  /** What each object beyond those of the first point adds. */
  const perObject = (point: Point, unit: string, value: (point: Point) => number): string => {
    if (!least || point === least) return '';
    return `, ${((value(point) - value(least)) / (point.count - least.count)).toFixed(1)} ${unit} per object`;
  };
  return points.flatMap((point) => [
    {
      what: `${point.count} ${name}: start`,
      figure: `${point.startUp.toFixed(2)} s, processor ${point.startUpProcessor.toFixed(2)} s${perObject(point, 'us', ({ startUpProcessor }) => startUpProcessor * 1e6)}`,
    },
    {
      what: `${point.count} ${name}: memory`,
      figure: `${point.memory.toFixed(0)} MiB, after the operations ${point.memoryAfter.toFixed(0)} MiB${perObject(point, 'KiB', ({ memory }) => memory * 1024)}`,
    },
    ...operationNames.map((operation): Finding => {
      const { processor, wall } = point.operations[operation];
      const ratio = processor / (least?.operations[operation].processor ?? Number.NaN);
      return {
        what: `${point.count} ${name}: ${operation}`,
        figure: `${(processor * 1000).toFixed(0)} us (${(wall * 1000).toFixed(0)} us)`,
        ratio,
        ...(point === points.at(-1) && point !== least && { promise: atMost(ratio, mostGrowth) }),
      };
    }),
  ]);
}

function plot({ title }: Kind, points: readonly Point[]): string {
  return plotGrowth(
    title,
    points.map(({ count }) => count),
    [
      {
        title: 'processor time of one operation, microseconds',
        logarithmic: true,
        lines: operationNames.map((label) => ({
          label,
          values: points.map(({ operations }) => operations[label].processor * 1000),
        })),
      },
      {
        title: 'start: seconds of the processor',
        logarithmic: false,
        lines: [{ label: 'start', values: points.map(({ startUpProcessor }) => startUpProcessor) }],
      },
      {
        title: 'memory, MiB',
        logarithmic: false,
        lines: [
          { label: 'started', values: points.map(({ memory }) => memory) },
          { label: 'after use', values: points.map(({ memoryAfter }) => memoryAfter) },
        ],
      },
    ],
  );
}
