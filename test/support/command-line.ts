import { commonFlags, resultFlags, serviceFlags, writeFlags } from '../../src/cli/parse/globals.ts';
import { toKebabCase } from '../../src/command/command.ts';
import { tree } from '../../src/commands/tree.ts';

const sharedFlags = [commonFlags, resultFlags, serviceFlags, writeFlags].flatMap((group) =>
  Object.entries(group),
);

/** The command that a line begins with, and the words after it. @throws Error: no command begins so. */
function commandOf(words: readonly string[]) {
  for (let length = words.length; length > 0; length -= 1) {
    const entry = tree.find(({ path }) => path === words.slice(0, length).join(' '));
    if (entry) return { entry, rest: words.slice(length) };
  }
  throw new Error(`no command: ${words.join(' ')}`);
}

/** What is wrong with a command line without the name of the program, by the declaration of its command: nothing, or sentences. */
export async function problemsOf(line: string): Promise<readonly string[]> {
  const words = line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  const { entry, rest } = commandOf(words);
  const { args, flags } = (await entry.load()).default;
  const all = [...Object.entries(flags), ...sharedFlags];
  const flagOf = (word: string) =>
    all.find(([key, { short }]) => word === `--${toKebabCase(key)}` || (short && word === `-${short}`))?.[1];
  const end = rest.indexOf('--');
  const own = end < 0 ? rest : rest.slice(0, end);
  const isFlag = (word: string | undefined): word is string => word !== undefined && /^-./.test(word);
  const operands = own.filter(
    (word, index) => !isFlag(word) && !(isFlag(own[index - 1]) && flagOf(own[index - 1] ?? '')?.value),
  );
  const given = [...operands, ...(end < 0 ? [] : [rest.slice(end + 1).join(' ')])];
  const declared = Object.values(args);
  const most = declared.some(({ repeatable }) => repeatable) ? Number.POSITIVE_INFINITY : declared.length;
  const least = declared.filter(({ required }) => required).length;
  const valueAt = (index: number): string | undefined =>
    isFlag(own[index + 1]) && own[index + 1] !== '-' ? undefined : own[index + 1];
  return [
    ...own
      .filter((word, index) => isFlag(word) && flagOf(word)?.value && valueAt(index) === undefined)
      .map((word) => `${word} requires a value`),
    ...own.filter((word) => isFlag(word) && !flagOf(word)).map((word) => `${entry.path} has no flag ${word}`),
    ...(given.length < least || given.length > most
      ? [`${entry.path} has ${given.length} arguments, not ${least} to ${most}`]
      : []),
  ];
}
