/** The name that was probably meant: it differs only in case and separators, or by at most two edits. */
export function suggest(name: string, names: readonly string[]): string | undefined {
  const normalize = (text: string): string => text.replace(/[_-]/g, '').toLowerCase();
  const [best] = names
    .map((other) => ({ other, off: editDistance(normalize(name), normalize(other)) }))
    .filter(({ other, off: edits }) => edits <= Math.min(2, other.length / 3))
    .sort((one, two) => one.off - two.off);
  return best?.other;
}

/** Levenshtein distance. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_none, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [at, against] of [...other].entries())
      next.push(
        Math.min((row[at] ?? 0) + (letter === against ? 0 : 1), (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
