import { toPrintable } from '../../wire/printable.ts';

/** A value that a service lists. */
export interface Candidate {
  readonly value: string;
  readonly description?: string | undefined;
}

/** The shells whose scripts ask for candidates. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof shells)[number];

export const isShell = (name: string | undefined): name is Shell => shells.some((shell) => shell === name);

const maxCandidates = 1000;
const maxDescriptionLength = 60;

/**
 * The candidates as lines for a completion script: `VALUE`, or `VALUE<TAB>DESCRIPTION` for a shell that shows
 * descriptions. Values that cannot be typed are omitted: those with control or invisible characters, and those that
 * would be read as a flag.
 *
 * @param prefix what the values are appended to: earlier elements of a list.
 */
export function candidateLines(
  candidates: readonly Candidate[],
  shell: Shell,
  { prefix, isOperand }: { readonly prefix: string; readonly isOperand: boolean },
): string {
  return candidates
    .filter(({ value }) => isTypable(value) && !(isOperand && value.startsWith('-')))
    .slice(0, maxCandidates)
    .map(({ value, description }) => {
      const about = shell === 'bash' ? '' : oneLine(description ?? '');
      return `${prefix}${value}${about === '' ? '' : `\t${about}`}\n`;
    })
    .join('');
}

const isTypable = (value: string): boolean =>
  value !== '' && value.isWellFormed() && !/[\n\t]/.test(value) && toPrintable(value) === value;

function oneLine(text: string): string {
  const line = toPrintable(text.replace(/\s+/g, ' ').trim());
  const characters = [...line];
  return characters.length > maxDescriptionLength
    ? `${characters.slice(0, maxDescriptionLength - 1).join('')}…`
    : line;
}

/**
 * A word of a command line without its quotes; the last quote may be open.
 *
 * @param word typed in bash or fish.
 */
export function withoutQuotes(word: string, shell: 'bash' | 'fish'): string {
  let text = '';
  let quote = '';
  for (let index = 0; index < word.length; index += 1) {
    const character = word[index] ?? '';
    const next = word[index + 1] ?? '';
    if (character === quote) quote = '';
    else if (quote === '' && (character === '"' || character === "'")) quote = character;
    else if (character === '\\' && isEscape(next, quote, shell)) {
      text += next;
      index += 1;
    } else text += character;
  }
  return text;
}

/** Whether a backslash before this character quotes it. */
function isEscape(next: string, quote: string, shell: 'bash' | 'fish'): boolean {
  if (quote === '') return true;
  if (quote === "'") return shell === 'fish' && (next === "'" || next === '\\');
  return ['"', '$', '\\', ...(shell === 'bash' ? ['`'] : [])].includes(next);
}
