/** Whether the long tests run in full size, as `npm run test:soak` has it. */
export const isSoak = process.env.LANYARD_SOAK === '1';

/** How many rounds, or how large: all of them in a soak, else enough to test the same behaviour once. */
export const sized = <Size>(full: Size, small: Size): Size => (isSoak ? full : small);

/** Prints how many cases of a row were tried and how many of them failed, in a soak. */
export function report(row: string, tried: number, failed: number): void {
  if (isSoak) process.stdout.write(`${row}: ${tried} tried, ${failed} failed\n`);
}

/**
 * Runs the cases of a row and reports their number in a soak. The first case that fails is the last.
 *
 * @param run calls `tried` with a number of cases (1 unless given) before it tries them.
 */
export async function counted<Value>(
  row: string,
  run: (tried: (cases?: number) => void) => Promise<Value>,
): Promise<Value> {
  let cases = 0;
  let failed = 1;
  try {
    const value = await run((more = 1) => {
      cases += more;
    });
    failed = 0;
    return value;
  } finally {
    report(row, cases, failed);
  }
}
