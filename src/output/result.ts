import type { Document } from './document.ts';

/** What a command found out: the same thing for a program and for a person. */
export interface Result {
  /** What the service sent, whole; `-o json` shows it. */
  readonly data: unknown;
  /** The part that is meant when someone says "the result"; the whole when absent. */
  readonly payload?: unknown;
  /** The names in the payload are the user's own, so that `--field` looks there first. */
  readonly payloadFirst?: true;
  /** The items of a list, one a line in `-o jsonl`. */
  readonly rows?: readonly unknown[];
  /** In `-o table` it has the columns of its text, not a column a field: its items hold others. */
  readonly isTabular?: boolean;
  /** What a person reads. */
  readonly document: Document;
  /** When a result is shown and yet all is not well (`status`); 0 when absent. */
  readonly exitCode?: number | undefined;
  /** It shows requests instead of sending them. */
  readonly isDryRun?: true;
}
