import { apiVersion, type StateDocument } from './documents.ts';
import type { StateInput } from './input.ts';
import { objectLabel } from './kind.ts';
import { findCycle, objectId } from './order.ts';
import { formatPosition, type Problem, sortProblems } from './problems.ts';

/** Every problem that can be found without the services, in the order of the files. */
export function checkState(input: StateInput): readonly Problem[] {
  const problems: Problem[] = [...input.problems];
  const [file = ''] = input.paths;
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

/** Whether sets have a base in common: they are environments, for clusters of their own. */
export function areEnvironments(inputs: readonly StateInput[]): boolean {
  const bases = inputs.flatMap(({ set }) => set?.bases.map(({ path }) => path) ?? []);
  return new Set(bases).size < bases.length;
}

/** The objects that two sets state. */
export function sharedObjects(inputs: readonly StateInput[]): readonly Problem[] {
  const seen = new Map<string, { readonly input: StateInput; readonly document: StateDocument }>();
  return inputs.flatMap((input) =>
    input.documents.flatMap((document): Problem[] => {
      const id = objectId(document.kind, document.identity);
      const first = seen.get(id);
      if (first?.input === input) return [];
      if (!first) {
        seen.set(id, { input, document });
        return [];
      }
      const place = formatPosition(first.document.source);
      const message = `${objectLabel(document)} is also in set "${first.input.set?.name}", at ${place}`;
      return [{ position: document.source, message }];
    }),
  );
}
