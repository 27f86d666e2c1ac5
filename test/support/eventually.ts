import { vi } from 'vitest';

/** Milliseconds that nothing takes, however busy the machine is: the safety net of tests that wait for something. */
export const patience = 120_000;

/** Waits until what is expected holds. */
export const eventually = <Value>(check: () => Value | Promise<Value>): Promise<Value> =>
  vi.waitFor(check, { timeout: patience, interval: 20 });
