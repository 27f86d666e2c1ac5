import { usage } from '../errors.ts';
import type { Pair } from '../io/input-file.ts';
import type { Io } from '../io/io.ts';
import type { Result } from '../output/result.ts';
import { parseDuration, withoutDays } from '../wire/duration.ts';
import type { ServiceName } from '../wire/services.ts';
import type { Context } from './context.ts';

/** What completes a value in the shell; `command` is a command line of its own, as in `dev run -- COMMAND`. */
export type Completes = 'file' | 'directory' | 'profile' | 'command' | readonly string[];

/** A positional argument. */
export interface Arg<Value> {
  /** As the help shows it: `ROLE`. */
  readonly name: string;
  readonly help: string;
  readonly required: boolean;
  readonly repeatable: boolean;
  readonly completes?: Completes;
  readonly parse: (values: readonly string[]) => Value;
}

/** A flag. Its name on the command line is the kebab-case of its key. */
export interface Flag<Value> {
  /** As the help shows the value: `FILE|-`; a flag without one takes no value. */
  readonly value?: string;
  readonly help: string;
  readonly short?: string;
  /** Other names that mean the same, in kebab-case. */
  readonly aliases?: readonly string[];
  /** May be given more than once. */
  readonly repeatable: boolean;
  readonly completes?: Completes;
  /** From the texts given, in order; none when the flag is absent. `flag` is its name, for messages. */
  readonly parse: (values: readonly string[], flag: string) => Value;
}

export type FlagTable = Readonly<Record<string, Flag<unknown>>>;

type Values<Specs> = {
  readonly [Name in keyof Specs]: Specs[Name] extends Arg<infer Value>
    ? Value
    : Specs[Name] extends Flag<infer Value>
      ? Value
      : never;
};

export interface Input<Args, Flags> {
  readonly args: Values<Args>;
  readonly flags: Values<Flags>;
}

/** What a run gives back: something to show, a child's exit code to pass on, or nothing. */
export type Outcome = Result | { readonly exitCode: number; readonly document?: undefined } | undefined;

/** A command: data, and one function. */
export interface Command<Args, Flags> {
  /** Sentences under the summary in the help text. */
  readonly description?: string;
  /** Command lines that work when pasted. */
  readonly examples?: readonly string[];
  /** The service that `--address` and `--namespace` are about; `any`: the only one that a run talks to. */
  readonly service?: ServiceName | 'any';
  /** It changes something, and so it has `--dry-run`. */
  readonly writes?: boolean;
  /** It reads before it writes: with `--dry-run` and `--curl` those reads are really made. */
  readonly readsFirst?: boolean;
  /** Is its result a list, which `--output env` cannot show? */
  readonly returnsList?: (input: Input<Args, Flags>) => boolean;
  /** Its `--format` gives text another form: it goes with no other `--output`, no `--field` and no `--select`. */
  readonly hasTextFormats?: boolean;
  /** It ends in its own time after a signal (a server, a child that shares the terminal). */
  readonly handlesSignals?: boolean;
  /** It prints no result (its child does, or it is a script): the output flags do not apply. */
  readonly hasNoResult?: boolean;
  readonly args: Args;
  readonly flags: Flags;
  readonly run: (input: Input<Args, Flags>, ctx: Context) => Promise<Outcome>;
}

// biome-ignore lint/suspicious/noExplicitAny: the one place where commands of every shape meet
export type AnyCommand = Command<Record<string, Arg<any>>, Record<string, Flag<any>>>;

/** Declares a command; `run` knows the types of its arguments and flags from their declarations. */
export function command<
  const Args extends Record<string, Arg<unknown>>,
  const Flags extends Record<string, Flag<unknown>>,
>(definition: Command<Args, Flags>): AnyCommand {
  return definition as unknown as AnyCommand;
}

interface ArgOptions {
  readonly completes?: Completes;
}

const firstValue = (values: readonly string[]): string => values[0] ?? '';

export const arg = {
  text: (name: string, help: string, options: ArgOptions = {}): Arg<string> => ({
    ...{ name, help, required: true, repeatable: false, parse: firstValue },
    ...options,
  }),
  optional: (name: string, help: string, options: ArgOptions = {}): Arg<string | undefined> => ({
    ...{ name, help, required: false, repeatable: false, parse: (values) => values[0] },
    ...options,
  }),
  choice: <Choice extends string>(name: string, choices: readonly Choice[], help: string): Arg<Choice> => ({
    ...{ name, help, required: true, repeatable: false, completes: choices },
    parse: (values) => parseChoice(choices, firstValue(values), name),
  }),
  /** `K=V` and its like, all that is left; a key may be there once. */
  pairs: (help: string): Arg<readonly Pair[]> => ({
    ...{ name: 'K=V|K=@FILE|K=-', help, required: false, repeatable: true },
    parse: (values) => {
      const pairs = values.map(parsePair);
      const keys = pairs.map(({ key }) => key);
      const duplicate = keys.find((key, index) => keys.indexOf(key) !== index);
      if (duplicate !== undefined) throw usage(`duplicate key "${duplicate}"`);
      return pairs;
    },
  }),
  /** All that is left, at least `least`. */
  rest: (name: string, help: string, minimum: 0 | 1, options: ArgOptions = {}): Arg<readonly string[]> => ({
    ...{ name, help, required: minimum === 1, repeatable: true, parse: (values) => values },
    ...options,
  }),
};

interface FlagOptions extends ArgOptions {
  readonly short?: string;
  readonly aliases?: readonly string[];
  /** How the help shows the value, where it is not the choices themselves. */
  readonly value?: string;
}

const lastValue = (values: readonly string[]): string | undefined => values[values.length - 1];

export const flag = {
  boolean: (help: string, options: FlagOptions = {}): Flag<boolean> => ({
    ...{ help, repeatable: false, parse: (values) => values.length > 0 },
    ...options,
  }),
  /** One that must be given. */
  required: (value: string, help: string, options: FlagOptions = {}): Flag<string> => ({
    ...{ value, help: `${help} (required)`, repeatable: false },
    ...options,
    parse: (values, name) => {
      const text = lastValue(values);
      if (text === undefined || text === '') throw usage(`${name} ${value} is required`);
      return text;
    },
  }),
  text: (value: string, help: string, options: FlagOptions = {}): Flag<string | undefined> => ({
    ...{ value, help, repeatable: false, parse: lastValue },
    ...options,
  }),
  /** One that names something, and so is not empty. */
  name: (value: string, help: string, options: FlagOptions = {}): Flag<string | undefined> => ({
    ...{ value, help, repeatable: false },
    ...options,
    parse: (values, name) => {
      const text = lastValue(values);
      if (text === '') throw usage(`${name} ${value} must not be empty`);
      return text;
    },
  }),
  choice: <Choice extends string>(
    choices: readonly Choice[],
    help: string,
    options: FlagOptions = {},
  ): Flag<Choice | undefined> => ({
    ...{ value: choices.join('|'), help, repeatable: false, completes: choices },
    ...options,
    parse: (values, name) => {
      const value = lastValue(values);
      return value === undefined ? undefined : parseChoice(choices, value, name);
    },
  }),
  integer: (value: string, help: string, options: FlagOptions = {}): Flag<number | undefined> => ({
    ...{ value, help, repeatable: false },
    ...options,
    parse: (values, name) => {
      const text = lastValue(values);
      if (text === undefined) return undefined;
      if (!/^\d{1,15}$/.test(text)) throw usage(`invalid ${name} "${text}": expected a non-negative integer`);
      return Number(text);
    },
  }),
  /** Go style, with days, or a bare number of seconds; handed on as text that every service reads. */
  duration: (help: string, options: FlagOptions = {}): Flag<string | undefined> => ({
    ...{ value: 'DURATION', help, repeatable: false },
    ...options,
    parse: (values, name) => {
      const given = lastValue(values);
      if (given === undefined) return undefined;
      const text = withoutDays(given);
      const seconds = parseDuration(text);
      if (seconds === undefined || seconds < 0 || text.trim() === '')
        throw usage(`invalid ${name} "${given}": expected a duration such as 30s, 1h30m, 7d or 90 (seconds)`);
      return /^\d+(\.\d+)?$/.test(text.trim()) ? `${text.trim()}s` : text.trim();
    },
  }),
  /** `--dc`: the datacenter of the registry; the settings' own goes with the call where this is absent. */
  datacenter: (help: string): Flag<string | undefined> =>
    flag.text('DC', `${help} (default: from the settings, or that of the agent)`, {
      aliases: ['datacenter'],
    }),
  /** `A,B`, repeatable; the parts in order. */
  list: (value: string, help: string, options: FlagOptions = {}): Flag<readonly string[] | undefined> => ({
    ...{ value, help, repeatable: true },
    ...options,
    parse: (values) =>
      values.length === 0
        ? undefined
        : values
            .flatMap((text) => text.split(','))
            .map((part) => part.trim())
            .filter((part) => part !== ''),
  }),
  /** Repeatable; values may contain commas. */
  texts: (value: string, help: string, options: FlagOptions = {}): Flag<readonly string[]> => ({
    ...{ value, help, repeatable: true, parse: (values) => values },
    ...options,
  }),
  /** `K=V`, repeatable; where `value` is `K[=V]`, a name without `=` has the empty value. */
  map: (
    value: string,
    help: string,
    options: FlagOptions = {},
  ): Flag<Readonly<Record<string, string>> | undefined> => ({
    ...{ value, help, repeatable: true },
    ...options,
    parse: (values, name) => {
      if (values.length === 0) return undefined;
      const given = new Map<string, string>();
      for (const text of values) {
        const equalsIndex = text.indexOf('=');
        const key = equalsIndex < 0 ? text : text.slice(0, equalsIndex);
        if (key === '' || (equalsIndex < 0 && !value.includes('[=')))
          throw usage(`invalid ${name} "${text}": expected ${value}`);
        const own = equalsIndex < 0 ? '' : text.slice(equalsIndex + 1);
        if ((given.get(key) ?? own) !== own) throw usage(`${name}: conflicting values for "${key}"`);
        given.set(key, own);
      }
      return Object.fromEntries(given);
    },
  }),
};

function parseChoice<Choice extends string>(choices: readonly Choice[], value: string, name: string): Choice {
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw usage(`invalid ${name} "${value}": expected one of ${choices.join(', ')}`);
  return found;
}

function parsePair(text: string): Pair {
  const equalsIndex = text.indexOf('=');
  // The text may be a secret that does not belong there; it is not repeated.
  if (equalsIndex < 1) throw usage('invalid argument: expected KEY=VALUE, KEY=@FILE or KEY=-');
  const value = text.slice(equalsIndex + 1);
  return { key: text.slice(0, equalsIndex), value, isSource: value === '-' || value.startsWith('@') };
}

/** Shows the warnings that came with a response. */
export function showWarnings(
  io: Pick<Io, 'warn'>,
  body: { readonly warnings?: readonly string[] | null | undefined } | null | undefined,
): void {
  for (const warning of body?.warnings ?? []) io.warn(warning);
}

/** `certType` → `cert-type`. */
export const toKebabCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
