import { readFileSync } from 'node:fs';
import type { Completes } from '../../src/command/completes.ts';
import { type ArgModel, type CommandModel, type FlagModel, namesOf } from './model.ts';

/**
 * The notation in which the scripts for bash, fish and PowerShell carry the command line; each of them says at
 * its beginning what it means.
 */

/** `:file`, `:live`, `a|b|c`, or nothing for free text. */
const kindOf = (completes: Completes | undefined): string => {
  if (completes === undefined) return '';
  if (typeof completes === 'object') return completes.join('|');
  return ['file', 'directory', 'profile', 'command'].includes(completes) ? `:${completes}` : ':live';
};

/** `-p,--profile=:profile`; `-q,--quiet`. */
export const flagNotation = (flag: FlagModel): string =>
  `${namesOf(flag).join(',')}${flag.value === undefined ? '' : `=${kindOf(flag.completes)}`}`;

/** `-`, `:file...`. */
export const operandNotation = (arg: ArgModel): string =>
  `${kindOf(arg.completes) || '-'}${arg.repeatable ? '...' : ''}`;

export const pathOf = (command: CommandModel): string => command.words.join(' ');

export const nameOf = (command: CommandModel): string => command.words.at(-1) ?? 'lanyard';

/** The value of a flag in the reference. Many choices would make the term too long: they follow the help. */
export function shownValue({ name, value = '', completes }: FlagModel): {
  readonly placeholder: string;
  readonly choices: readonly string[];
} {
  if (!Array.isArray(completes) || value.length < 20) return { placeholder: value, choices: [] };
  const lastWord = name.split('-').at(-1) ?? name;
  return { placeholder: lastWord.toUpperCase(), choices: completes };
}

/** The word that explains commands, beside the commands of the root. */
export const help = { name: 'help', summary: 'help for a command or a topic' };

/** Reads a script's fixed part. */
export const template = (file: string): string =>
  readFileSync(new URL(`./templates/${file}`, import.meta.url), 'utf8');

/**
 * Puts generated lines in the places that a script's fixed part leaves for them: a line `# {{name}}`, whose
 * indentation they take.
 */
export const fill = (script: string, parts: Readonly<Record<string, readonly string[]>>): string =>
  script.replace(/^( *)# \{\{(\w+)\}\}$/gm, (_line, indentation: string, name: string) => {
    const lines = parts[name];
    if (!lines) throw new Error(`nothing to put in the place of {{${name}}}`);
    return lines.map((line) => (line === '' ? '' : `${indentation}${line}`)).join('\n');
  });

/** Breaks words into lines of at most `room` characters. */
export function wrapped(words: readonly string[], room: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= room)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
