interface ShrinkableColumn {
  /** Width of its widest cell. */
  readonly naturalWidth: number;
  readonly minWidth: number;
  /** Columns with the highest number shrink first; 0: never. */
  readonly shrinkPriority: number;
}

/** Shrinks columns to a total of `available` cells, or as far as permitted: the widest one first, cell by cell. */
export function fitWidths(columns: readonly ShrinkableColumn[], available: number): number[] {
  const fitted = columns.map((column) => {
    const { naturalWidth, minWidth, shrinkPriority } = column;
    const maxWidth = shrinkPriority > 0 ? Math.max(minWidth, available) : naturalWidth;
    return { ...column, width: Math.min(naturalWidth, maxWidth) };
  });
  let excess = fitted.reduce((sum, { width }) => sum + width, 0) - available;
  for (; excess > 0; excess -= 1) {
    const [widest] = fitted
      .filter(({ width, minWidth, shrinkPriority }) => shrinkPriority > 0 && width > minWidth)
      .sort((one, other) => other.shrinkPriority - one.shrinkPriority || other.width - one.width);
    if (widest === undefined) break;
    widest.width -= 1;
  }
  return fitted.map(({ width }) => width);
}
