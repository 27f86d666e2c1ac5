import { notAllowed } from './refusals.ts';

/** Letters, digits, `.`, `-` and `_`, and first a letter or digit: a segment of a path and of a key. */
const nameForm = /^[A-Za-z0-9][\w.-]{0,127}$/;

/** @returns the name. @throws HttpRefusal 403: it is no name */
export function checkName(what: string, name: string): string {
  if (!nameForm.test(name))
    throw notAllowed(
      `${what} may have letters, digits, periods, dashes and underscores, begins with a letter or digit, and has at most 128 characters`,
    );
  return name;
}
