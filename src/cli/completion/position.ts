import { type AnyCommand, type Arg, type Flag, type FlagTable, toKebabCase } from '../../command/command.ts';
import { allSharedFlags } from '../help/help.ts';
import { findEntry, isGroup } from '../help/usage-hints.ts';
import { commandFlags } from '../parse/command-flags.ts';

/** What the word at the cursor is, and the command line before it. */
export interface Position {
  /** `ssh sign` */
  readonly path: string;
  readonly command: AnyCommand;
  /** The argument or flag that the word is a value of. */
  readonly spec: Arg<unknown> | Flag<unknown>;
  /** The value that is typed so far, without its flag. */
  readonly value: string;
  /** The arguments before it. */
  readonly operands: readonly string[];
  /** Values of the flags by key: `dryRun`. */
  readonly flags: ReadonlyMap<string, readonly string[]>;
}

/**
 * Finds the argument or flag at the cursor.
 *
 * @param words those after the program, before the cursor, without quotes.
 * @param current the word at the cursor, up to it, without quotes.
 * @returns undefined: no command, or the word is no value of an argument or flag.
 */
export async function positionOf(words: readonly string[], current: string): Promise<Position | undefined> {
  let path = '';
  let command: AnyCommand | undefined;
  let table: FlagTable = allSharedFlags;
  let pending: string | undefined;
  let hasEnded = false;
  const operands: string[] = [];
  const flags = new Map<string, string[]>();
  const add = (key: string, value: string): void => {
    flags.set(key, [...(flags.get(key) ?? []), value]);
  };
  for (const word of words) {
    if (pending !== undefined) {
      add(pending, word);
      pending = undefined;
    } else if (hasEnded) operands.push(word);
    else if (word === '--') hasEnded = true;
    else if (word.startsWith('--')) {
      const [name = '', ...rest] = word.split('=');
      const key = keyOf(table, name);
      if (key === undefined) continue;
      if (rest.length > 0 || table[key]?.value === undefined) add(key, rest.join('='));
      else pending = key;
    } else if (/^-./.test(word)) {
      const letters = shortFlags(table, word.slice(1));
      for (const { key, value } of letters.given) add(key, value);
      pending = letters.pending;
    } else {
      const next = path === '' ? word : `${path} ${word}`;
      const entry = operands.length === 0 ? findEntry(next) : undefined;
      if (operands.length > 0 || (entry === undefined && !isGroup(next))) {
        operands.push(word);
        continue;
      }
      path = next;
      command = entry && (await entry.load()).default;
      table = command ? { ...commandFlags(command), ...command.flags } : allSharedFlags;
    }
  }
  if (command === undefined) return undefined;
  const at = { path, command, operands, flags };
  if (pending !== undefined) return found(at, table[pending], current);
  const [, name, value = ''] = /^(--[^=]+)=(.*)$/s.exec(hasEnded ? '' : current) ?? [];
  if (name !== undefined) return found(at, table[keyOf(table, name) ?? ''], value);
  if (!hasEnded && current.startsWith('-')) return undefined;
  const args = Object.values(command.args);
  const last = args.at(-1);
  return found(at, args[operands.length] ?? (last?.repeatable ? last : undefined), current);
}

const found = (
  at: Omit<Position, 'spec' | 'value'>,
  spec: Position['spec'] | undefined,
  value: string,
): Position | undefined => spec && { ...at, spec, value };

/** The key of a long flag or its alias. */
export const keyOf = (table: FlagTable, name: string): string | undefined =>
  Object.entries(table).find(
    ([key, { aliases }]) => `--${toKebabCase(key)}` === name || aliases?.some((each) => `--${each}` === name),
  )?.[0];

/** Short flags in one word: the first that takes a value has the rest of the word, or else the next word. */
export function shortFlags(table: FlagTable, letters: string) {
  const given: { readonly key: string; readonly value: string }[] = [];
  for (let index = 0; index < letters.length; index += 1) {
    const [key, spec] = Object.entries(table).find(([, { short }]) => short === letters[index]) ?? [];
    if (key === undefined || spec === undefined) continue;
    const rest = letters.slice(index + 1);
    if (spec.value === undefined) given.push({ key, value: '' });
    else if (rest === '') return { given, pending: key };
    else {
      given.push({ key, value: rest.replace(/^=/, '') });
      break;
    }
  }
  return { given };
}
