import { LanyardError } from '../errors.ts';
import type { Result } from './result.ts';

/** A command has done what it was to do, and what it gave back could not be shown as it was asked for. */
export class Unshown extends LanyardError {
  /** What is shown with the failure, because it may be there only once. */
  readonly result: Result;

  constructor(error: LanyardError, result: Result) {
    super('unknown', `done, but ${error.message}`, {
      details: error.details,
      hint: 'It is done: do not run it again for the output. What it gave back is above.',
    });
    this.name = 'Unshown';
    this.result = result;
  }
}
