import type { DescribedEntry } from '../../../../ssh/krl/describe.ts';

/** An entry in a sentence: `serial 5 of CA SHA256:...`. */
export function entryText({ by, value, ca, type }: DescribedEntry): string {
  const ofCa = ca === 'any' ? 'of any CA' : `of CA ${ca}`;
  switch (by) {
    case 'serial':
      return `serial${value.includes('-') ? 's' : ''} ${value} ${ofCa}`;
    case 'key ID':
      return `key ID "${value}" ${ofCa}`;
    case 'key':
      return `key ${value}${type === undefined ? '' : ` (${type})`}`;
    default:
      return `key ${value}`;
  }
}

/** `1 entry`, `2 entries`. */
export const entryCount = (count: number): string => `${count} ${count === 1 ? 'entry' : 'entries'}`;

const maxNamed = 5;

/** Entries in a question: at most five by name. */
export function entriesText(entries: readonly DescribedEntry[]): string {
  const named = entries.slice(0, maxNamed).map(entryText).join(', ');
  const more = entries.length - maxNamed;
  return more > 0 ? `${named} and ${entryCount(more)} more` : named;
}
