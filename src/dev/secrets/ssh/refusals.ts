import { Refusal } from '../engine.ts';
import { Malformed } from './wire.ts';

/** A refusal that the engine decides on: 400 and the bare text. */
export function refused(message: string): Refusal {
  return new Refusal(400, message);
}

/**
 * Reads something that a caller sent, for which `failure` is the message in front of the reason.
 *
 * @throws Refusal 400 when it is malformed.
 */
export function readable<T>(failure: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Malformed) throw refused(`${failure}: ${error.message}`);
    throw error;
  }
}

/** A failure in the midst of handling: 500, with the service's decoration (docs/protocol/secrets.md#errors). */
export function failed(message: string): Refusal {
  return new Refusal(500, decorated(message));
}

/** The engine does not serve the path: its shape, or a name that no path parameter matches. */
export function unsupportedPath(): Refusal {
  return new Refusal(404, decorated('unsupported path'));
}

/** The engine serves the path, but not with this operation. */
export function unsupportedOperation(): Refusal {
  return new Refusal(405, decorated('unsupported operation'));
}

/** There is nothing at the path. */
export function nothingThere(): Refusal {
  return new Refusal(404);
}

function decorated(message: string): string {
  return `1 error occurred:\n\t* ${message}\n\n`;
}
