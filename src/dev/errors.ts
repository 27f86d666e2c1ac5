/** Why the embedded services could not start or keep what they were given. */
export type EmbeddedReason =
  /** A port is taken, or may not be opened. */
  | 'port'
  /** The data directory is in use by another process. */
  | 'locked'
  /** The data directory, its database or its key file cannot be used as it is. */
  | 'data'
  /** The data directory has files in it that Lanyard did not create. */
  | 'foreign'
  /** A write did not reach the disk; the state is as it was before it. */
  | 'write';

/** A failure of the embedded services themselves; the message names the port or path and what to do next. */
export class EmbeddedError extends Error {
  readonly reason: EmbeddedReason;

  constructor(reason: EmbeddedReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'EmbeddedError';
    this.reason = reason;
  }
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
