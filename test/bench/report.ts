import { type Comparison, quantile } from './harness.ts';
import type { Seen } from './load.ts';

/** One line of the report. Figures carry their unit; the ratio decides whether the promise is kept. */
export interface Finding {
  readonly what: string;
  readonly figure: string;
  readonly floor?: string;
  readonly ratio?: number;
  readonly promise?: Bound;
}

/** What is promised of a finding, in words, and whether that was seen. */
interface Bound {
  readonly words: string;
  readonly kept: boolean;
}

/** No more than so much; `unit` goes behind the number. */
export const atMost = (seen: number, most: number, unit = ''): Bound => ({
  words: `at most ${most}${unit}`,
  kept: seen <= most,
});

/** No less than so much. */
export const atLeast = (seen: number, least: number, unit = ''): Bound => ({
  words: `at least ${least}${unit}`,
  kept: seen >= least,
});

/** A group of measurements, one file each; `run` tells in `say` what it had to leave out, and why. */
export interface Benchmark {
  readonly title: string;
  readonly run: (say: (line: string) => void) => Promise<readonly Finding[]>;
}

export const isBroken = ({ promise }: Finding): boolean => promise?.kept === false;

/** A finding about time. */
export function timed(what: string, { subject, floor, ratio }: Comparison, most?: number): Finding {
  const figure = ({ median, min, max }: Comparison['subject']): string =>
    `${median.toFixed(1)} ms (${min.toFixed(1)}-${max.toFixed(1)})`;
  return {
    what,
    figure: figure(subject),
    floor: figure(floor),
    ratio,
    ...(most === undefined ? {} : { promise: atMost(ratio, most) }),
  };
}

/** A finding about acts a second; `ceiling` is how many a bare server answers. */
export function rated(what: string, { rate, waits }: Seen, ceiling: number, least?: number): Finding {
  return {
    what,
    figure: `${rate.toFixed(0)}/s, ${percentiles(waits)}`,
    floor: `${ceiling.toFixed(0)}/s`,
    ratio: ceiling / rate,
    ...(least === undefined ? {} : { promise: atLeast(rate, least, '/s') }),
  };
}

/** What half and what all but one of a hundred waited at the most. */
export function percentiles(waits: readonly number[]): string {
  const ms = (share: number): string => `${quantile(waits, share).toFixed(1)} ms`;
  return `p50 ${ms(0.5)}, p99 ${ms(0.99)}`;
}

/** A finding about the most memory held, in MiB; undefined where the system cannot tell. */
export function memory(
  what: string,
  held: number | undefined,
  bare: number | undefined,
  most?: number,
): Finding {
  if (held === undefined || bare === undefined)
    return { what: `${what}, memory`, figure: 'not measured on this system' };
  const ratio = held / bare;
  return {
    what: `${what}, memory`,
    figure: `${held.toFixed(1)} MiB`,
    floor: `${bare.toFixed(1)} MiB`,
    ratio,
    ...(most === undefined ? {} : { promise: atMost(ratio, most) }),
  };
}

const columns = ['what', 'measured', 'floor', 'ratio', 'promised', ''] as const;

/** The findings side by side, as lines of text. */
export function tabulate(findings: readonly Finding[]): string[] {
  const rows: readonly (readonly string[])[] = [
    columns,
    ...findings.map((finding) => [
      finding.what,
      finding.figure,
      finding.floor ?? '',
      finding.ratio?.toFixed(2) ?? '',
      finding.promise?.words ?? '',
      finding.promise === undefined ? '' : isBroken(finding) ? 'NOT' : 'ok',
    ]),
  ];
  const widths = columns.map((_title, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
