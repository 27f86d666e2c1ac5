import { type LanyardError, usage } from '../errors.ts';

/** A place in a file; lines and columns are counted from 1. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** What is wrong with a file. Its text never has a value of the file. */
export interface Problem {
  readonly position: Position;
  readonly message: string;
}

export const formatPosition = ({ file, line, column }: Position): string => `${file}:${line}:${column}`;

/** Problems by file, line and column. @param names of the files, in their order. */
export function sortProblems(problems: readonly Problem[], names: readonly string[]): readonly Problem[] {
  const order = new Map(names.map((name, index) => [name, index]));
  const rank = ({ position }: Problem): number => order.get(position.file) ?? -1;
  return problems.toSorted(
    (one, other) =>
      rank(one) - rank(other) ||
      one.position.line - other.position.line ||
      one.position.column - other.position.column,
  );
}

/** One error for all problems, a line each, in the order of the files. */
export function problemsError(problems: readonly Problem[], hint = 'Nothing was sent.'): LanyardError {
  const lines = problems.map(({ position, message }) => `${formatPosition(position)}: ${message}`);
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  return usage(`invalid files: ${count}`, { details: lines, hint });
}
