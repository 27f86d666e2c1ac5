import { onTestFinished } from 'vitest';

/** Users that are neither root nor each other. */
export const someone = 65534;
export const other = 65533;

/** Runs the rest of a test as another user. Only root may. */
export function become(user: number): void {
  process.seteuid?.(user);
  onTestFinished(() => process.seteuid?.(0));
}

/** The umask of the rest of a test. */
export function setUmask(mask: number): void {
  const before = process.umask(mask);
  onTestFinished(() => void process.umask(before));
}
