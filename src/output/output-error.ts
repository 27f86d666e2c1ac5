import { LanyardError } from '../errors.ts';
import type { Result } from './result.ts';

/** The command succeeded, but its result could not be written in the requested format. */
export class OutputError extends LanyardError {
  /** Shown with the failure, because the result may not be available again. */
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
