/** Hundredths of a percent, the smallest step of a weight; in single precision, as the product computes. */
export const weightSteps = (weight: number): number =>
  Math.round(Math.fround(Math.fround(weight) * Math.fround(100)));

/** The nearest weight in steps of 0.01. */
export const roundWeight = (weight: number): number => weightSteps(weight) / 100;

/** The share of a split of another split: percent of a percentage, rounded. */
export const multiplyWeights = (outer: number, inner: number): number =>
  roundWeight(Math.fround(Math.fround(Math.fround(outer) * Math.fround(inner)) / 100));
