import { ExpressionError } from '../../../wire/filter/ordered-choice-parser.ts';

/** Tests, and pattern steps times characters: about 20 ms in total. */
const maxWork = 400_000;

/** The remaining work budget of one evaluation. */
export class WorkBudget {
  #remaining = maxWork;

  /** @throws ExpressionError: nothing remains */
  spend(amount: number): void {
    this.#remaining -= amount;
    if (this.#remaining < 0)
      throw new ExpressionError('the expression is too expensive for this amount of data');
  }
}
