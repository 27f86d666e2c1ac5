import { saying } from './any.ts';

/** What the box registry says. */

/** A version that is released already (422). */
export const isReleasedAlready: (error: unknown) => boolean = saying(/already been released/, 422);

/** The owner of a box that a message says does not exist (box registry 422), else undefined. */
export const missingOwnerIn = (message: string): string | undefined =>
  /^User or organization ([\w.-]+) does not exist$/.exec(message)?.[1];
