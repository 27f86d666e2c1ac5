import { type ErrorFacts, type Kind, LanyardError } from '../errors.ts';
import { stateIndexOf } from '../wire/state-index.ts';
import type { RawResponse } from './http/response.ts';
import type { Body } from './operation.ts';

/** A service responded with an error status; its own messages are the `details`. */
export class ServiceError extends LanyardError {
  // Not a property: a conflict's body may hold a variable's items, and properties reach logs.
  readonly #body: Body;
  readonly #headers: RawResponse['headers'];

  constructor(
    kind: Kind,
    message: string,
    facts: ErrorFacts,
    response: { readonly body: Body; readonly headers: RawResponse['headers'] },
  ) {
    super(kind, message, facts);
    this.#body = response.body;
    this.#headers = response.headers;
  }

  /** The body as the service sent it: a rolled-back transaction, a conflicting variable. */
  get body(): Body {
    return this.#body;
  }

  /** The headers of the response, in lower case. */
  get headers(): RawResponse['headers'] {
    return this.#headers;
  }

  /** The index of the state, for a blocking query: a 404 has one too. */
  get index(): string | undefined {
    return stateIndexOf(this.#headers);
  }
}

// Node prints it with the error, and programs only know the class that the package exports.
Object.defineProperty(ServiceError, 'name', { value: 'LanyardError' });
