/** How a column may lose width. */
interface Give {
  /** Cells that its widest content takes. */
  readonly natural: number;
  /** Cells below which it is not cut. */
  readonly least: number;
  /** Columns with the highest number lose width first; with 0 they lose none. */
  readonly give: number;
}

/** The widths at which columns fit into `room` cells, or come as near to it as they may. */
export function fitWidths(columns: readonly Give[], room: number): number[] {
  const widths = columns.map(({ natural, least, give }) =>
    give > 0 ? Math.min(natural, Math.max(least, room)) : natural,
  );
  let excess = widths.reduce((sum, width) => sum + width, 0) - room;
  const ranks = [...new Set(columns.map(({ give }) => give))].filter((give) => give > 0);
  for (const rank of ranks.sort((a, b) => b - a)) {
    while (excess > 0) {
      const widest = widestOf(columns, widths, rank);
      if (widest === undefined) break;
      widths[widest] = (widths[widest] ?? 0) - 1;
      excess -= 1;
    }
  }
  return widths;
}

function widestOf(columns: readonly Give[], widths: readonly number[], rank: number): number | undefined {
  let found: number | undefined;
  for (const [index, column] of columns.entries()) {
    const width = widths[index] ?? 0;
    if (column.give !== rank || width <= column.least) continue;
    if (found === undefined || width > (widths[found] ?? 0)) found = index;
  }
  return found;
}
