import { badRequest, formatError, SecretsError } from '../errors.ts';
import { MalformedError } from './wire.ts';

/** Parses caller input; `failure` precedes the reason. @throws SecretsError 400: malformed */
export function withParseError<T>(failure: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof MalformedError) throw badRequest(`${failure}: ${error.message}`);
    throw error;
  }
}

/** An error during handling: 500, in the product's format (docs/protocol/secrets.md#errors). */
export function internalError(message: string): SecretsError {
  return new SecretsError(500, formatError(message));
}
