/** Why the embedded services could not start or save data. */
export type EmbeddedReason =
  /** A port is in use, or may not be opened. */
  | 'port'
  /** The data directory is in use by another process. */
  | 'locked'
  /** The data directory, its database or its key file cannot be used. */
  | 'data'
  /** The data directory contains files that Lanyard did not create. */
  | 'foreign'
  /** A write did not reach the disk; the state before it was restored. */
  | 'write';

/** A failure of the embedded services themselves; the message names the port or path and the next step. */
export class EmbeddedError extends Error {
  readonly reason: EmbeddedReason;

  constructor(reason: EmbeddedReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'EmbeddedError';
    this.reason = reason;
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
