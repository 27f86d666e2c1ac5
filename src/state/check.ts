import { apiVersion } from './documents.ts';
import type { StateInput } from './input.ts';
import { objectLabel } from './kind.ts';
import { findCycle } from './order.ts';
import { type Problem, sortProblems } from './problems.ts';

/** Every problem that can be found without the services, in the order of the files. */
export function checkState(input: StateInput, paths: readonly string[]): readonly Problem[] {
  const problems: Problem[] = [...input.problems];
  const [file = ''] = paths;
  // The documents of a directory are a set; single files may be a part of one.
  if (!input.set && input.isFromDirectories)
    problems.push({
      position: { file, line: 1, column: 1 },
      message: `no document of kind Set: a set needs exactly one (apiVersion: ${apiVersion}, kind: Set)`,
    });
  const cycle = findCycle(input.documents);
  if (cycle)
    problems.push({
      position: cycle.source,
      message: `references form a cycle through ${objectLabel(cycle)}`,
    });
  return sortProblems(problems, input.names);
}
