/** The name that was probably meant: it differs only in case and separators, or by at most two edits. */
export function suggest(name: string, names: readonly string[]): string | undefined {
  const normalize = (text: string): string => text.replace(/[_-]/g, '').toLowerCase();
  const longest = Math.max(...names.map((other) => other.length));
  // Separators do not count as edits, so that a name may be somewhat longer.
  if (name.length > 2 * longest + maxEdits) return undefined;
  const given = normalize(name);
  const [best] = names
    .map((other) => ({ other, off: editDistance(given, normalize(other)) }))
    .filter(({ other, off: edits }) => edits <= Math.min(maxEdits, other.length / 3))
    .sort((one, two) => one.off - two.off);
  return best?.other;
}

const maxEdits = 2;

/** Levenshtein distance; infinite where the lengths differ by too much. */
function editDistance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > maxEdits) return Number.POSITIVE_INFINITY;
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
