import type { LanyardError } from '../errors.ts';
import { hasStatus } from './conditions.ts';

/** What the registry says of keys: part of `conditions.ts`. */

/** A transaction that reads a key that does not exist (Consul 409, `operation 0: key "x" doesn't exist`). */
export const isMissingKey = (error: unknown): error is LanyardError =>
  // A key may have several lines, and each is a detail.
  hasStatus(error, 409) && /^operation 0: key ".*" doesn't exist$/s.test(error.details.join('\n'));

/** The headers of the response with an error, in lower case; empty: a service did not respond. */
export const headersOf = (error: LanyardError): Readonly<Record<string, string | undefined>> =>
  (error as { readonly headers?: Readonly<Record<string, string | undefined>> }).headers ?? {};
