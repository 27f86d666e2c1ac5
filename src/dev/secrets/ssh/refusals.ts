import { Refusal } from '../engine.ts';
import { Malformed } from './wire.ts';

/** An error of the engine: 400 and the bare text. */
export function refused(message: string): Refusal {
  return new Refusal(400, message);
}

/**
 * Parses caller input; `failure` precedes the reason in the message.
 * @throws Refusal 400 if it is malformed.
 */
export function readable<T>(failure: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Malformed) throw refused(`${failure}: ${error.message}`);
    throw error;
  }
}

/** An error during handling: 500, in the product's format (docs/protocol/secrets.md#errors). */
export function failed(message: string): Refusal {
  return new Refusal(500, decorated(message));
}

/** The engine does not serve the path. */
export function unsupportedPath(): Refusal {
  return new Refusal(404, decorated('unsupported path'));
}

/** The engine serves the path, but not this operation. */
export function unsupportedOperation(): Refusal {
  return new Refusal(405, decorated('unsupported operation'));
}

/** Nothing exists at the path. */
export function nothingThere(): Refusal {
  return new Refusal(404);
}

function decorated(message: string): string {
  return `1 error occurred:\n\t* ${message}\n\n`;
}
