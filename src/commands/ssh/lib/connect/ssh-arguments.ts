export interface SshArguments {
  /** Options by letter, in order; the value is empty for options without one. */
  readonly options: readonly (readonly [letter: string, value: string])[];
  readonly hasCommand: boolean;
}

/** The options of ssh(1) that take a value. */
const optionsWithValue = 'BbcDEeFIiJLlmOopPQRSWw';

/** Separates options from the command, which begins at the first word that is not an option. */
export function parseSshArguments(args: readonly string[]): SshArguments {
  const options: [string, string][] = [];
  let at = 0;
  for (; at < args.length; at += 1) {
    const word = args[at] ?? '';
    if (word === '--') return { options, hasCommand: at + 1 < args.length };
    if (!word.startsWith('-') || word === '-') return { options, hasCommand: true };
    for (let index = 1; index < word.length; index += 1) {
      const letter = word.charAt(index);
      if (!optionsWithValue.includes(letter)) {
        options.push([letter, '']);
        continue;
      }
      // The value is the rest of the word, or the next word.
      const rest = word.slice(index + 1);
      if (rest === '') at += 1;
      options.push([letter, rest === '' ? (args[at] ?? '') : rest]);
      break;
    }
  }
  return { options, hasCommand: false };
}
