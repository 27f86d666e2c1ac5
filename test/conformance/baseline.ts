import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Outcome } from './run.ts';
import { differences, type Shape } from './shape.ts';

/** Exit code and shape of the output of each step on the embedded services, by the name of the step. */
export type Baseline = Readonly<Record<string, { readonly code: number; readonly shape: Shape }>>;

export const baselineFile = fileURLToPath(new URL('baseline.json', import.meta.url));

export const readBaseline = (): Baseline => JSON.parse(readFileSync(baselineFile, 'utf8')) as Baseline;

/** Steps under test: preparations and removals have no place in the baseline. */
export const isTested = ({ step }: Outcome): boolean => step.kind !== 'prepare' && step.kind !== 'cleanup';

/** The baseline that a complete run makes. */
export function baselineOf(outcomes: readonly Outcome[]): Baseline {
  const rows = outcomes
    .filter(isTested)
    .map(({ step, code, shape }): [string, Baseline[string]] => [step.name, { code: code ?? -1, shape }]);
  return Object.fromEntries(rows);
}

/** The text of the baseline's file: one line for each step. */
export const textOfBaseline = (baseline: Baseline): string =>
  `{\n${Object.entries(baseline)
    .map(([name, row]) => `  ${JSON.stringify(name)}: ${JSON.stringify(row)}`)
    .join(',\n')}\n}\n`;

/** How the outcome of a step differs from the baseline, one line each. */
export function differencesFrom(baseline: Baseline, { step, code, shape }: Outcome): string[] {
  const row = baseline[step.name];
  // A step that runs only on other products.
  if (row === undefined && step.only !== undefined)
    return code === step.code ? [] : [`exit code ${code}, not ${step.code}`];
  if (row === undefined) return ['not in the baseline'];
  if (code !== row.code) return [`exit code ${code}, not ${row.code}`];
  return differences(shape, row.shape);
}
