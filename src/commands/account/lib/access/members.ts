import { notFound } from '../../../../errors.ts';
import { code, text } from '../../../../output/document.ts';
import { doneLine, objectTitle } from './views.ts';

interface Labelled {
  readonly id: string;
  readonly version: number;
  readonly name?: string | undefined;
}

/** `2 accounts`, `an account` */
export const counted = (count: number, what: string): string => {
  if (count > 1) return `${count} ${what}s`;
  return `${/^[aeiou]/.test(what) ? 'an' : 'a'} ${what}`;
};

/** The result of adding or removing. @param done such as `Added 2 accounts to user` */
export const membersResult = <Body extends Labelled>(done: string, object: Body) => ({
  data: object,
  document: [doneLine(done, object)],
});

/** The result if there was nothing to do. @param why such as `already has these accounts` */
export const unchangedResult = <Body extends Labelled>(noun: string, object: Body, why: string) => ({
  data: object,
  document: [text(`${noun} `, code(objectTitle(object)), ` ${why}.`)],
});

/** @throws LanyardError not_found: what should be removed is not there: a wrong one would keep its permissions. */
export function requireMembers(title: string, what: string, missing: readonly string[]): void {
  if (missing.length === 0) return;
  throw notFound(`cannot remove ${what}s: ${title} does not have them`, {
    service: 'accounts',
    details: missing,
    hint: 'Nothing was changed.',
  });
}
