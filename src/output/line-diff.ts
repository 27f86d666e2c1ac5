/** A line of a text, and whether it is in both versions; `…`: lines of both that are not shown. */
export interface DiffLine {
  readonly sign: '+' | '-' | ' ' | '…';
  readonly line: string;
}

/** Lines around a change that are shown. */
const context = 2;

/** The lines that differ between two texts, with some around them. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const [old, current] = [linesOf(before), linesOf(after)];
  return withContext(diffLines(old, current));
}

const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

/** Above this number of cells the texts are shown completely: the table would be too large. */
const maxCells = 4_000_000;

/** Every line of both lists, in order: the longest common subsequence stays. */
export function diffLines(old: readonly string[], current: readonly string[]): readonly DiffLine[] {
  const removed = (line: string): DiffLine => ({ sign: '-', line });
  const added = (line: string): DiffLine => ({ sign: '+', line });
  if (old.length * current.length > maxCells) return [...old.map(removed), ...current.map(added)];
  const width = current.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1)
    for (let column = current.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        old[row] === current[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  const lines: DiffLine[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < current.length) {
    const [left, right] = [old[row], current[column]];
    if (left !== undefined && left === right) {
      lines.push({ sign: ' ', line: left });
      row += 1;
      column += 1;
    } else if (left !== undefined && (right === undefined || at(row + 1, column) >= at(row, column + 1))) {
      lines.push(removed(left));
      row += 1;
    } else {
      lines.push(added(right ?? ''));
      column += 1;
    }
  }
  return lines;
}

/** The lines that differ, with some around them. */
export function withContext(lines: readonly DiffLine[]): readonly DiffLine[] {
  const isNear = (index: number): boolean =>
    lines.slice(Math.max(0, index - context), index + context + 1).some(({ sign }) => sign !== ' ');
  let last = -1;
  return lines.flatMap((line, index): readonly DiffLine[] => {
    if (line.sign === ' ' && !isNear(index)) return [];
    const isAfterGap = last >= 0 && index > last + 1;
    last = index;
    return isAfterGap ? [{ sign: '…', line: '' }, line] : [line];
  });
}
