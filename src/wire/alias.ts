/** A part of a word of an alias: text, or the number of the argument that replaces it. */
type Part = string | number;

type Word = readonly Part[];

/** Names of aliases: a letter or digit, then letters, digits, `.`, `_` and `-`. */
export const aliasNamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The prefix of an expansion that `sh` runs. */
const shellPrefix = '!';

/** A stored alias. */
export interface Alias {
  readonly isShell: boolean;
  /** A command line without the program, or a script for `sh`. */
  readonly expansion: string;
}

/** An alias from its stored text. */
export const readAlias = (stored: string): Alias =>
  stored.startsWith(shellPrefix)
    ? { isShell: true, expansion: stored.slice(shellPrefix.length) }
    : { isShell: false, expansion: stored };

/** The stored text of an alias. */
export const storedAlias = ({ isShell, expansion }: Alias): string =>
  isShell ? `${shellPrefix}${expansion}` : expansion;

/**
 * Splits the expansion of an alias into words, with the quotes of a POSIX shell. `$1` to `$9` outside of single quotes
 * stand for arguments. An argument never becomes more than one word.
 *
 * @returns the words, or what is wrong with the text: an open quote, an operator that needs a shell, no words.
 */
export function parseExpansion(text: string): readonly Word[] | string {
  const words: Part[][] = [];
  let word: Part[] | undefined;
  let quote = '';
  const add = (part: Part): void => {
    word ??= [];
    const last = word.at(-1);
    if (typeof part === 'string' && typeof last === 'string') word[word.length - 1] = last + part;
    else word.push(part);
  };
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? '';
    const next = text[index + 1] ?? '';
    if (quote === '' && /[ \t\r\n]/.test(character)) {
      if (word) words.push(word);
      word = undefined;
    } else if (character === quote) quote = '';
    else if (quote === '' && /['"]/.test(character)) {
      quote = character;
      add('');
    } else if (character === '\\' && (quote === '' || (quote === '"' && /["$\\`]/.test(next)))) {
      if (next === '') return 'it ends with a backslash';
      add(next);
      index += 1;
    } else if (character === '$' && quote !== "'" && /[1-9]/.test(next)) {
      add(Number(next));
      index += 1;
    } else if (quote === '' && /[|&;<>()`]/.test(character)) return `it contains an unquoted "${character}"`;
    else add(character);
  }
  if (quote !== '') return `it has an unclosed ${quote}`;
  if (word) words.push(word);
  return words.length === 0 ? 'it is empty' : words;
}

/**
 * The words of an expansion with their arguments. Arguments that no placeholder names are appended in their order.
 *
 * @param absent replaces arguments that are missing.
 * @returns the number of the first argument that is missing, if there are not enough.
 */
export function expandWords(
  words: readonly Word[],
  args: readonly string[],
  absent?: string,
): readonly string[] | number {
  const used = argumentNumbers(words);
  const missing = [...used].sort((one, other) => one - other).find((number) => number > args.length);
  if (missing !== undefined && absent === undefined) return missing;
  const textOf = (part: Part): string => (typeof part === 'string' ? part : (args[part - 1] ?? absent ?? ''));
  return [
    ...words.map((word) => word.map(textOf).join('')),
    ...args.filter((_arg, index) => !used.has(index + 1)),
  ];
}

/** The arguments that replace placeholders of an expansion. */
export function filledArguments(words: readonly Word[], args: readonly string[]): readonly string[] {
  const used = argumentNumbers(words);
  return args.filter((_arg, index) => used.has(index + 1));
}

/** The numbers of the arguments that an expansion names. */
const argumentNumbers = (words: readonly Word[]): ReadonlySet<number> =>
  new Set(words.flat().filter((part) => typeof part === 'number'));

/** The first words of an expansion that are plain text. */
export function leadingWords(words: readonly Word[]): readonly string[] {
  const end = words.findIndex((word) => word.some((part) => typeof part === 'number'));
  return words.slice(0, end < 0 ? undefined : end).map((word) => word.join(''));
}
