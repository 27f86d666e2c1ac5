/** Bytes of a list, or of its text: as many as are read of a list (src/ssh/krl/format.ts) in base64. */
export const maxListBytes = 44 * 1024 * 1024;

/** How often a change is tried again after somebody else's. */
export const maxAttempts = 50;

/** Waits between two attempts of a change: up to 200 ms, at random, so that two clients do not meet again. */
export const pauseAfterConflict = ({
  sleep,
  random,
}: {
  readonly sleep: (ms: number) => Promise<undefined>;
  readonly random: (bytes: number) => Uint8Array;
}): Promise<undefined> => sleep(10 + ((random(1)[0] ?? 0) * 190) / 255);
