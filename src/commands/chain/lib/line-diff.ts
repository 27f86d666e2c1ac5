/**
 * The line diff of two lists: every line of both, in order, with a prefix: `-` only in the first, `+` only in the second,
 * a space in both.
 */
export function diffLines(before: readonly string[], after: readonly string[]): string[] {
  const commonLength = longestCommonSubsequence(before, after);
  const diff: string[] = [];
  let [one, other] = [0, 0];
  while (one < before.length || other < after.length) {
    const [left, right] = [before[one], after[other]];
    if (left !== undefined && left === right) {
      diff.push(`  ${left}`);
      one += 1;
      other += 1;
    } else if (
      left !== undefined &&
      (commonLength(one + 1, other) >= commonLength(one, other + 1) || right === undefined)
    ) {
      diff.push(`- ${left}`);
      one += 1;
    } else {
      diff.push(`+ ${right}`);
      other += 1;
    }
  }
  return diff;
}

/** The length of the longest common subsequence of the lines after two positions. */
function longestCommonSubsequence(before: readonly string[], after: readonly string[]) {
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  const at = (one: number, other: number): number => lengths[one * width + other] ?? 0;
  for (let one = before.length - 1; one >= 0; one -= 1)
    for (let other = after.length - 1; other >= 0; other -= 1)
      lengths[one * width + other] =
        before[one] === after[other]
          ? at(one + 1, other + 1) + 1
          : Math.max(at(one + 1, other), at(one, other + 1));
  return at;
}
