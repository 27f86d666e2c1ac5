import type { LanyardError } from '../errors.ts';
import { hasStatus, saying } from './conditions.ts';

/** What the products say about locks that are not held any more, and about the sessions of locks. */

const saysLockLost = saying(/variable doesn't (hold a lock|exist)/i);

/**
 * A lock of a variable that is not held with the given ID any more (Nomad 409, and 500 for a release; 404: the variable
 * does not exist).
 */
export const isLockLost = (error: unknown): error is LanyardError =>
  hasStatus(error, 404, 409) || saysLockLost(error);

/** A session that does not exist any more (Consul 404 for a renewal, 500 for a key that it would lock). */
export const isSessionGone: (error: unknown) => boolean = saying(
  /^Session id '[^']*' not found|invalid session "/i,
  404,
  500,
);

/** The node of a new session is not in the datacenter (Consul 500). */
export const isNodeMissing: (error: unknown) => error is LanyardError = saying(
  /Missing node registration/,
  500,
);
