import { LanyardError } from '../errors.ts';
import type { Result } from './result.ts';

/** A command has done what it was to do, and what it gave back could not be shown as it was asked for. */
export class OutputError extends LanyardError {
  /** What is shown with the failure, because it may be there only once. */
  readonly result: Result;

  constructor(error: LanyardError, result: Result) {
    super('unknown', `done, but ${error.message}`, {
      details: error.details,
      hint: 'The change was made: do not run the command again. Its result is shown above.',
    });
    this.name = 'OutputError';
    this.result = result;
  }
}
