/** How a column may shrink. */
interface ShrinkableColumn {
  /** Width of its widest cell. */
  readonly naturalWidth: number;
  /** Minimum width. */
  readonly minWidth: number;
  /** Columns with the highest number shrink first; 0: never. */
  readonly shrinkPriority: number;
}

/** Shrinks columns to a total of `available` cells, or as far as permitted. */
export function fitWidths(columns: readonly ShrinkableColumn[], available: number): number[] {
  const widths = columns.map(({ naturalWidth, minWidth, shrinkPriority }) =>
    shrinkPriority > 0 ? Math.min(naturalWidth, Math.max(minWidth, available)) : naturalWidth,
  );
  let excess = widths.reduce((sum, width) => sum + width, 0) - available;
  const ranks = [...new Set(columns.map(({ shrinkPriority }) => shrinkPriority))].filter(
    (shrinkPriority) => shrinkPriority > 0,
  );
  for (const rank of ranks.sort((a, b) => b - a)) {
    while (excess > 0) {
      const widest = widestColumn(columns, widths, rank);
      if (widest === undefined) break;
      widths[widest] = (widths[widest] ?? 0) - 1;
      excess -= 1;
    }
  }
  return widths;
}

function widestColumn(
  columns: readonly ShrinkableColumn[],
  widths: readonly number[],
  rank: number,
): number | undefined {
  let widest: number | undefined;
  for (const [index, column] of columns.entries()) {
    const width = widths[index] ?? 0;
    if (column.shrinkPriority !== rank || width <= column.minWidth) continue;
    if (widest === undefined || width > (widths[widest] ?? 0)) widest = index;
  }
  return widest;
}
