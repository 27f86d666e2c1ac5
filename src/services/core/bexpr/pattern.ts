import type { WorkBudget } from './work-budget.ts';

const maxPatternSteps = 1_000;

/** Reports whether a pattern matches anywhere in a text. */
export type Pattern = (text: string, budget: WorkBudget) => boolean;

/** Compiles patterns as RE2 does: linear time, without backtracking. @param invalid the error if invalid or too large */
export async function compilePatterns(
  sources: readonly string[],
  invalid: (source: string, error: unknown) => Error,
): Promise<ReadonlyMap<string, Pattern>> {
  if (sources.length === 0) return new Map();
  const { RE2JS } = await import('re2js');
  const patternOf = (source: string): Pattern => {
    let compiled: ReturnType<typeof RE2JS.compile>;
    try {
      compiled = RE2JS.compile(source);
    } catch (error) {
      throw invalid(source, error);
    }
    const steps = compiled.programSize();
    if (steps > maxPatternSteps) throw invalid(source, new Error('too large'));
    return (text, budget) => {
      budget.spend(steps * text.length);
      return compiled.matcher(text).find();
    };
  };
  return new Map(sources.map((source) => [source, patternOf(source)]));
}
