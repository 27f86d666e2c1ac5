/** How a column may lose width. */
interface ShrinkableColumn {
  /** Cells that its widest content takes. */
  readonly naturalWidth: number;
  /** Cells below which it is not cut. */
  readonly minWidth: number;
  /** Columns with the highest number lose width first; with 0 they lose none. */
  readonly shrinkPriority: number;
}

/** The widths at which columns fit into `room` cells, or come as near to it as they may. */
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
