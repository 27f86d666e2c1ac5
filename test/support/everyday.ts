import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A line of a product's own program, and the line for it here. */
interface EverydayLine {
  readonly theirs: string;
  /** Undefined: there is none. */
  readonly ours: string | undefined;
  /** Why there is none; empty otherwise. */
  readonly reason: string;
}

/** The lines of one program. */
export interface EverydayLines {
  readonly program: string;
  /** The documentation that the lines are from. */
  readonly source: string;
  /** Commands that are left out as a whole, and why. */
  readonly leftOut: readonly (readonly [commands: string, reason: string])[];
  readonly lines: readonly EverydayLine[];
}

const programs = ['bao', 'consul', 'nomad', 'boundary', 'vagrant'];

/** The lines of `test/everyday`, in files of one program each. */
export const everydayLines: readonly EverydayLines[] = programs.map((program) => {
  const file = join(import.meta.dirname, '../everyday', `${program}.txt`);
  const rows = readFileSync(file, 'utf8').trimEnd().split('\n');
  const starting = (mark: string): string[] =>
    rows.filter((row) => row.startsWith(mark)).map((row) => row.slice(mark.length));
  return {
    program,
    source: starting('# ').join(' '),
    leftOut: starting('! ').map((row) => [row.split(': ')[0] ?? '', row.split(': ').slice(1).join(': ')]),
    lines: rows.flatMap((theirs, index): EverydayLine[] => {
      if (!theirs.startsWith(`${program} `)) return [];
      const next = rows[index + 1]?.trim() ?? '';
      return next.startsWith('- ')
        ? [{ theirs, ours: undefined, reason: next.slice(2) }]
        : [{ theirs, ours: next, reason: '' }];
    }),
  };
});
