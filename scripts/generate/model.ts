import { services } from '../../src/api/services.ts';
import { guides } from '../../src/cli/help/guides.ts';
import { topics } from '../../src/cli/help/topics.ts';
import { commandFlags } from '../../src/cli/parse/command-flags.ts';
import { commonFlags, resultFlags, serviceFlags, writeFlags } from '../../src/cli/parse/globals.ts';
import type { CommandEntry } from '../../src/command/command.ts';
import {
  type AnyCommand,
  type Arg,
  type Flag,
  type FlagTable,
  toKebabCase,
} from '../../src/command/command.ts';
import type { Completes } from '../../src/command/completes.ts';

/** The command line as plain data, for the generators of completions and reference. */
export interface Model {
  readonly root: CommandModel;
  /** Flags that several commands share, in the order in which they are listed. */
  readonly shared: readonly SharedFlags[];
  /** The topics and guides of `lanyard help`. */
  readonly topics: readonly Topic[];
}

export interface CommandModel {
  /** The words after `lanyard`; none for the root. */
  readonly words: readonly string[];
  readonly summary: string;
  readonly description: string | undefined;
  readonly examples: readonly string[];
  /** False for a group, which only has commands below it. */
  readonly runs: boolean;
  readonly commands: readonly CommandModel[];
  readonly args: readonly ArgModel[];
  /** Its own. */
  readonly flags: readonly FlagModel[];
  /** The sets of shared flags that it offers whole. */
  readonly shared: readonly SetName[];
  /** Shared flags of the sets that it offers in part, because a flag of its own takes the place of another. */
  readonly remaining: readonly FlagModel[];
  /** In messages, the service that it talks to. */
  readonly service: string | undefined;
}

export interface ArgModel {
  readonly name: string;
  readonly help: string;
  readonly required: boolean;
  readonly repeatable: boolean;
  readonly completes: Completes | undefined;
}

export interface FlagModel {
  /** In kebab-case, without dashes. */
  readonly name: string;
  readonly short: string | undefined;
  readonly aliases: readonly string[];
  /** As the help shows the value; undefined for a flag that takes none. */
  readonly value: string | undefined;
  readonly help: string;
  readonly repeatable: boolean;
  readonly completes: Completes | undefined;
}

export type SetName = 'service' | 'namespace' | 'writes' | 'out' | 'result' | 'every';

interface SharedFlags {
  readonly name: SetName;
  readonly flags: readonly FlagModel[];
}

interface Topic {
  readonly name: string;
  readonly summary: string;
}

const helpTopics: readonly Topic[] = [
  ...Object.entries(topics).map(([name, { summary }]) => ({ name, summary })),
  ...Object.entries(guides).map(([name, [title]]) => ({ name, summary: title })),
];

const { namespace, ...otherServiceFlags } = serviceFlags;
// Many commands have an --out of their own, and commands that run another program have no result.
const { out, ...otherResultFlags } = resultFlags;

const sharedSets = {
  service: otherServiceFlags,
  namespace: { namespace },
  writes: writeFlags,
  out: { out },
  result: otherResultFlags,
  every: commonFlags,
} as const satisfies Record<SetName, FlagTable>;

const setNames = Object.keys(sharedSets) as SetName[];

const switchOf = (name: string, short: string, help: string): FlagModel => ({
  name,
  short,
  aliases: [],
  value: undefined,
  help,
  repeatable: false,
  completes: undefined,
});

/** Commander's own, on every command. */
const helpFlag = switchOf('help', 'h', 'show the help of the command');

/**
 * Loads every command and describes the whole command line.
 *
 * @param leaves the table of commands.
 * @param groups summaries of the areas and nouns above them, by path.
 * @throws Error when a command cannot be completed: a choice that a shell would read as more than a word.
 */
export async function modelOf(
  leaves: readonly CommandEntry[],
  groups: Readonly<Record<string, string>>,
): Promise<Model> {
  const loaded = new Map<string, Loaded>();
  for (const { path, summary, load } of leaves)
    loaded.set(path, { summary, command: (await load()).default });
  return {
    root: {
      ...groupModel([], 'One command line for five control-plane services', childrenOf('', loaded, groups)),
      flags: [switchOf('version', 'V', 'print the version')],
      // Before a command, every shared flag may follow: also -n takes a value.
      shared: setNames,
    },
    shared: setNames.map((name) => ({
      name,
      flags: name === 'every' ? [...flagModels(sharedSets.every), helpFlag] : flagModels(sharedSets[name]),
    })),
    topics: helpTopics,
  };
}

/** A command and all below it, in the order of the reference. */
export function everyCommand(command: CommandModel): CommandModel[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

/** Every flag that a command offers, its own first. */
export function flagsOf(command: CommandModel, model: Model): FlagModel[] {
  const whole = model.shared.filter(({ name }) => command.shared.includes(name));
  return [...command.flags, ...command.remaining, ...whole.flatMap(({ flags }) => flags)];
}

/** The remaining flags of a command, without those that every command accepts. */
export function remainingIn(command: CommandModel, model: Model): FlagModel[] {
  const every = model.shared.find((set) => set.name === 'every')?.flags ?? [];
  return command.remaining.filter((own) =>
    every.every(({ name, completes }) => name !== own.name || completes !== own.completes),
  );
}

/** The names of a flag as they are typed: `-p`, `--profile`. */
export const namesOf = (flag: FlagModel): string[] => [
  ...(flag.short === undefined ? [] : [`-${flag.short}`]),
  `--${flag.name}`,
  ...flag.aliases.map((alias) => `--${alias}`),
];

interface Loaded {
  readonly summary: string;
  readonly command: AnyCommand;
}

function childrenOf(
  path: string,
  loaded: ReadonlyMap<string, Loaded>,
  groups: Readonly<Record<string, string>>,
): CommandModel[] {
  const above = path === '' ? '' : `${path} `;
  const names = [...loaded.keys()]
    .filter((other) => other.startsWith(above))
    .map((other) => other.slice(above.length).split(' ')[0] ?? '');
  return [...new Set(names)]
    .filter((name) => name !== '')
    .map((name) => {
      const child = `${above}${name}`;
      const commands = childrenOf(child, loaded, groups);
      const leaf = loaded.get(child);
      return leaf
        ? leafModel(child.split(' '), leaf, commands)
        : groupModel(child.split(' '), groups[child] ?? '', commands);
    });
}

const groupModel = (words: readonly string[], summary: string, commands: CommandModel[]): CommandModel => ({
  words,
  summary,
  commands,
  runs: false,
  description: undefined,
  examples: [],
  service: undefined,
  args: [],
  flags: [],
  remaining: [],
  shared: setNames,
});

function leafModel(
  words: readonly string[],
  { summary, command }: Loaded,
  commands: CommandModel[],
): CommandModel {
  const offered = commandFlags(command);
  // The formats of some commands are more.
  const isWhole = (name: SetName): boolean =>
    Object.entries<Flag<unknown>>(sharedSets[name]).every(
      ([key, { completes }]) => Object.hasOwn(offered, key) && offered[key]?.completes === completes,
    );
  const shared = setNames.filter(isWhole);
  const wholly = new Set(shared.flatMap((name) => Object.keys(sharedSets[name])));
  const partly = Object.entries(offered).filter(([key]) => !wholly.has(key));
  return {
    words,
    summary,
    commands,
    runs: true,
    description: command.description,
    shared,
    examples: command.examples ?? [],
    args: Object.values(command.args).map(argModel),
    flags: flagModels(command.flags),
    remaining: [...flagModels(Object.fromEntries(partly)), ...(shared.includes('every') ? [] : [helpFlag])],
    service:
      command.service && (command.service === 'any' ? 'named service' : services[command.service].title),
  };
}

const argModel = ({ name, help, required, repeatable, completes }: Arg<unknown>): ArgModel => ({
  name,
  help,
  required,
  repeatable,
  completes: checked(completes, name),
});

const flagModels = (flags: FlagTable): FlagModel[] =>
  Object.entries(flags).map(
    ([key, { value, help, short, aliases, repeatable, completes }]: [string, Flag<unknown>]) => ({
      name: toKebabCase(key),
      short,
      aliases: aliases ?? [],
      value,
      help,
      repeatable,
      completes: checked(completes, `--${toKebabCase(key)}`),
    }),
  );

/** Choices go into scripts of four shells as they are, and so they are plain words. */
function checked(completes: Completes | undefined, what: string): Completes | undefined {
  const odd = Array.isArray(completes) && completes.find((choice) => !/^[\w./@%+-]+$/.test(choice));
  if (odd) throw new Error(`the choice "${odd}" of ${what} is not a plain word, and cannot be completed`);
  return completes;
}
