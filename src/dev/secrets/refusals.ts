import { Refusal } from './engine.ts';

/** The error format of the service itself, as opposed to engines. */

/** The form in which the service itself, not an engine, says what went wrong. */
const decorated = (text: string): string => `1 error occurred:\n\t* ${text}\n\n`;

/** Not found: no error text. */
export const nothing = (): Refusal => new Refusal(404);
export const unsupportedPath = (): Refusal => new Refusal(404, decorated('unsupported path'));
export const unsupportedOperation = (): Refusal => new Refusal(405, decorated('unsupported operation'));
export const rootOnly = (): Refusal => new Refusal(400, 'operation unavailable in namespaces');
export const noToken = (): Refusal => new Refusal(403, 'permission denied');
export const badToken = (): Refusal => new Refusal(403, 'permission denied', 'invalid token');
export const denied = (): Refusal => new Refusal(403, decorated('permission denied'));
export const noRoute = (path: string): Refusal =>
  new Refusal(404, `no handler for route "${path}". route entry not found.`);
export const sealed = (): Refusal => new Refusal(503, 'secrets service is sealed');
export const notInitialised = (): Refusal => new Refusal(501, 'secrets service is not initialized');
export const internal = (): Refusal => new Refusal(500, decorated('internal error'));
