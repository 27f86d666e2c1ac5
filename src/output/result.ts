import type { Document } from './document.ts';

/** The result of a command, for programs and for users. */
export interface Result<Data = unknown> {
  /** The complete response; shown by `-o json`. */
  readonly data: Data;
  /** The main part of the response; absent: all of it. */
  readonly payload?: unknown;
  /** The names in the payload are the user's own, so that `--field` searches there first. */
  readonly payloadFirst?: true;
  /** The items of a list, one per line in `-o jsonl`. */
  readonly rows?: readonly unknown[];
  /** `-o table` uses the columns of the text: the items have nested fields. */
  readonly isTabular?: boolean;
  readonly document: Document;
  /** The form of `-o markdown`, of commands that have it. */
  readonly markdown?: () => Promise<string>;
  /** An exit code other than 0 for a result that is not an error (`status`). */
  readonly exitCode?: number | undefined;
  /** It shows requests instead of sending them. */
  readonly isDryRun?: true;
}

/** A result that shows what would be done. */
export interface DryRunResult<Data = unknown> extends Result<Data> {
  readonly isDryRun: true;
}
