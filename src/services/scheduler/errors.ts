import { HttpError } from '../core/http/http-service.ts';

/** An invalid variable, with the prefix that Nomad leaves in the message. */
export const invalidVariable = (message: string) => new HttpError(400, `RPC Error:: 400,${message}`);

/** The problems of checks that are false or a message. */
export const problems = (found: readonly (string | false)[]): string[] =>
  found.filter((each) => each !== false);

/** Several errors in one message, as Nomad formats them. */
export function errorList(messages: readonly string[]): string {
  const count = messages.length === 1 ? '1 error' : `${messages.length} errors`;
  return `${count} occurred:\n${messages.map((message) => `\t* ${message}\n`).join('')}\n`;
}

/** @throws HttpError 403 */
export function requirePermission(permitted: boolean): void {
  if (!permitted) throw new HttpError(403, 'Permission denied');
}
