import { type Command as Node, Option } from 'commander';
import { type FlagTable, toKebabCase } from '../../command/command.ts';

/** The words of a command line. Children and flags that they do not name are left out; undefined: none is. */
export type Names = ReadonlySet<string> | undefined;

/** Adds options for flags to a node of the parser. @param names of those that are added; undefined: all are */
export function addFlags(node: Node, flags: FlagTable, names: Names): Node {
  for (const [key, spec] of Object.entries(flags)) {
    const name = toKebabCase(key);
    if (names && !mayContain(names, name, spec)) continue;
    const value = spec.value === undefined ? '' : ` <${spec.value}>`;
    const option = new Option(`${spec.short ? `-${spec.short}, ` : ''}--${name}${value}`, spec.help);
    // Values are collected in order; the flag's own parse converts them.
    option.argParser(spec.short && spec.value ? collectAfterShort : collect);
    option.attributeName = () => key;
    // `--no-color` is a flag of that name, not the opposite of a flag `--color`.
    option.negate = false;
    node.addOption(option);
    for (const alias of spec.aliases ?? []) {
      const other = new Option(`--${alias}${value}`).hideHelp();
      other.argParser(collect);
      other.attributeName = () => key;
      node.addOption(other);
    }
  }
  return node;
}

/** Whether words may contain a flag; true for some that do not, such as `-vy` for a flag `-y`. */
function mayContain(
  names: ReadonlySet<string>,
  name: string,
  { short, aliases = [] }: FlagTable[string],
): boolean {
  const long = [name, ...aliases].map((each) => `--${each}`);
  for (const word of names) {
    if (!word.startsWith('-')) continue;
    if (word.startsWith('--') ? long.includes(word.split('=', 1)[0] ?? '') : short && word.includes(short))
      return true;
  }
  return false;
}

const collect = (text: string, before: unknown): string[] => [...(Array.isArray(before) ? before : []), text];

/** A short flag and its value may be joined by an equals sign: `-o=json`. */
const collectAfterShort = (text: string, before: unknown): string[] =>
  collect(text.replace(/^=/, ''), before);
