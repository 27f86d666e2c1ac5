import { forbidden } from './errors.ts';

/** Letters, digits, `.`, `-` and `_`, starting with a letter or digit: a segment of a path and of a key. */
const namePattern = /^[A-Za-z0-9][\w.-]{0,127}$/;

/** @returns the name. @throws HttpError 403: invalid */
export function checkName(field: string, name: string): string {
  if (!namePattern.test(name))
    throw forbidden(
      `${field} may have letters, digits, periods, dashes and underscores, begins with a letter or digit, and has at most 128 characters`,
    );
  return name;
}
