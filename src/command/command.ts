import { usage } from '../errors.ts';
import type { Pair } from '../io/input-file.ts';
import type { Messages } from '../io/io.ts';
import type { Result } from '../output/result.ts';
import type { ServiceName } from '../wire/services.ts';
import type { Changed } from './changed.ts';
import type { Completes } from './completes.ts';
import type { Context } from './context.ts';
import { parseChoice, parseDurationFlag, parseInteger, parseMap, splitList } from './flag-values.ts';

/** A positional argument. */
export interface Arg<Value> {
  /** In the help: `ROLE`. */
  readonly name: string;
  readonly help: string;
  readonly required: boolean;
  readonly repeatable: boolean;
  readonly completes?: Completes;
  readonly parse: (values: readonly string[]) => Value;
}

/** A flag. Its name on the command line is the kebab-case of its key. */
export interface Flag<Value> {
  /** The value in the help: `FILE|-`; absent: the flag takes no value. */
  readonly value?: string;
  readonly help: string;
  readonly short?: string;
  /** Other names, in kebab-case. */
  readonly aliases?: readonly string[];
  readonly repeatable: boolean;
  /** A value is several, separated by commas. */
  readonly isList?: true;
  readonly completes?: Completes;
  /** Its value where the flag is absent, and `parse` returns undefined: a setting. */
  readonly fallback?: (ctx: Context) => Promise<unknown>;
  /** Gets the values in order, none if the flag is absent. `flag` is its name, for messages. */
  readonly parse: (values: readonly string[], flag: string) => Value;
}

export type FlagTable = Readonly<Record<string, Flag<unknown>>>;

/** The values of the arguments or flags of a table. */
export type Values<Specs> = {
  readonly [Name in keyof Specs]: Specs[Name] extends Arg<infer Value>
    ? Value
    : Specs[Name] extends { readonly fallback: (ctx: Context) => Promise<infer Value> }
      ? Value
      : Specs[Name] extends Flag<infer Value>
        ? Value
        : never;
};

export interface Input<Args, Flags> {
  readonly args: Values<Args>;
  readonly flags: Values<Flags>;
}

/** The outcome of a command: a result to show, the exit code of a child, or nothing. */
export type Outcome<Data = unknown> =
  | Result<Data>
  | { readonly exitCode: number; readonly document?: undefined }
  | undefined;

/** A command: data, and one function. */
export interface Command<Args, Flags> {
  /** Sentences under the summary in the help text. */
  readonly description?: string;
  /** Command lines that work as written in `lanyard dev`. */
  readonly examples?: readonly string[];
  /** The service that `--address` and `--namespace` apply to; `any`: the only service of a run. */
  readonly service?: ServiceName | 'any';
  /** The service that `--namespace` applies to, of a command that calls several. */
  readonly namespaceOf?: ServiceName;
  /**
   * It changes something, and has `--dry-run`. `after reads`: it reads before it writes, and `--dry-run` and `--curl` send
   * these reads.
   */
  readonly writes?: true | 'after reads';
  /** What it changes besides the objects of its group: `writes` alone permits `acl policy put` to change policies. */
  readonly changes?: readonly Changed[];
  /** Its reads go to the active server, as those before a write. */
  readonly readsActive?: boolean;
  /** It sends many requests, and waits for rate limits. */
  readonly waitsForRateLimits?: boolean;
  /** Whether its result is a list, which `--output env` cannot show. */
  readonly returnsList?: (input: Input<Args, Flags>) => boolean;
  /** It has text formats (`--format`), which exclude other values of `--output`, `--field` and `--select`. */
  readonly hasTextFormats?: boolean;
  /** Its results have a form for comments on pull requests: `--output markdown`. */
  readonly hasMarkdown?: boolean;
  /** It handles signals itself (a server, a child that shares the terminal). */
  readonly handlesSignals?: boolean;
  /** It prints no result (its child does, or it is a script): the output flags do not apply. */
  readonly hasNoResult?: boolean;
  /** Absent: none. */
  readonly args?: Args;
  /** Absent: none. */
  readonly flags?: Flags;
  readonly run: (input: Input<Args, Flags>, ctx: Context) => Promise<Outcome>;
}

// biome-ignore lint/suspicious/noExplicitAny: commands of every type
type Definition = Command<Record<string, Arg<any>>, Record<string, Flag<any>>>;
export type AnyCommand = Required<Pick<Definition, 'args' | 'flags'>> & Definition;

/** A command: its path is the command line and the file. */
export interface CommandEntry {
  readonly path: string;
  readonly summary: string;
  readonly load: () => Promise<{ default: AnyCommand }>;
}

/** Declares a command; the types of its arguments and flags follow from their declarations. */
export function command<
  const Args extends Record<string, Arg<unknown>> = Record<never, never>,
  const Flags extends Record<string, Flag<unknown>> = Record<never, never>,
>(definition: Command<Args, Flags>): AnyCommand {
  return { args: {}, flags: {}, ...(definition as unknown as Definition) };
}

type ArgOptions = Pick<Arg<unknown>, 'completes'>;

const firstValue = (values: readonly string[]): string => values[0] ?? '';

const positional = <Value>(
  name: string,
  help: string,
  parse: Arg<Value>['parse'],
  options: Partial<Arg<Value>> = {},
): Arg<Value> => ({ name, help, required: true, repeatable: false, parse, ...options });

export const arg = {
  text: (name: string, help: string, options: ArgOptions = {}): Arg<string> =>
    positional(name, help, firstValue, options),
  optional: (name: string, help: string, options: ArgOptions = {}): Arg<string | undefined> =>
    positional<string | undefined>(name, help, (values) => values[0], { required: false, ...options }),
  choice: <Choice extends string>(name: string, choices: readonly Choice[], help: string): Arg<Choice> =>
    positional(name, help, (values) => parseChoice(choices, firstValue(values), name), {
      completes: choices,
    }),
  /** The remaining arguments as `K=V` and the like; keys are unique. */
  pairs: (help: string, options: ArgOptions = {}): Arg<readonly Pair[]> =>
    positional('K=V|K=@FILE|K=-', help, parsePairs, { required: false, repeatable: true, ...options }),
  /** The remaining arguments, at least `minimum`. */
  rest: (name: string, help: string, minimum: 0 | 1, options: ArgOptions = {}): Arg<readonly string[]> =>
    positional(name, help, (values) => values, { required: minimum === 1, repeatable: true, ...options }),
};

interface FlagOptions extends ArgOptions {
  readonly short?: string;
  readonly aliases?: readonly string[];
  /** The value in the help (default for choices: the choices). */
  readonly value?: string;
}

const ofDatacenter: FlagOptions = { aliases: ['datacenter'], completes: 'registry-datacenter' };

const lastValue = (values: readonly string[]): string | undefined => values[values.length - 1];

/** A flag whose last value counts; `parse` gets it if the flag is given. */
const single = <Value>(
  value: string,
  help: string,
  parse: (text: string, name: string) => Value,
  options: FlagOptions = {},
): Flag<Value | undefined> => ({
  value,
  help,
  repeatable: false,
  ...options,
  parse: (values, name) => {
    const text = lastValue(values);
    return text === undefined ? undefined : parse(text, name);
  },
});

const repeatable = <Value>(
  value: string,
  help: string,
  parse: Flag<Value>['parse'],
  options: FlagOptions & Pick<Flag<Value>, 'isList'> = {},
): Flag<Value> => ({ value, help, repeatable: true, parse, ...options });

export const flag = {
  boolean: (help: string, options: FlagOptions = {}): Flag<boolean> => ({
    help,
    repeatable: false,
    parse: (values) => values.length > 0,
    ...options,
  }),
  required: (value: string, help: string, options: FlagOptions = {}): Flag<string> => ({
    ...single(value, `${help} (required)`, String, options),
    parse: (values, name) => {
      const text = lastValue(values);
      if (text === undefined || text === '') throw usage(`${name} ${value} is required`);
      return text;
    },
  }),
  text: (value: string, help: string, options?: FlagOptions) => single(value, help, String, options),
  /** A value of its own form, which `parse` reads. */
  parsed: single,
  file: (value: string, help: string) => flag.text(value, help, { completes: 'file' }),
  /** The source of a secret; `help` says of which, `otherwise` what happens without the flag. */
  source: (help: string, otherwise = '', value = 'SRC') =>
    flag.file(value, `${help}: -, @FILE or env://NAME${otherwise}`),
  /** The source of a JWT, including sources of CI services. */
  jwt: (help: string) =>
    flag.file('SRC', `${help}: -, @FILE, env://NAME; in CI github://AUDIENCE or gitlab://NAME`),
  /** A text that must not be empty. */
  name: (value: string, help: string, options?: FlagOptions) =>
    single(
      value,
      help,
      (text, name) => {
        if (text === '') throw usage(`${name} ${value} must not be empty`);
        return text;
      },
      options,
    ),
  choice: <Choice extends string>(choices: readonly Choice[], help: string, options?: FlagOptions) =>
    single(choices.join('|'), help, (value, name) => parseChoice(choices, value, name), {
      completes: choices,
      ...options,
    }),
  integer: (value: string, help: string, options?: FlagOptions) => single(value, help, parseInteger, options),
  /** A Go duration, with days, or a number of seconds; the value is a text that every service accepts. */
  duration: (help: string, options?: FlagOptions) => single('DURATION', help, parseDurationFlag, options),
  /** `--dc`: the datacenter of the registry. */
  datacenter: (help: string) =>
    flag.text('DC', `${help} (default: from settings, else agent's)`, ofDatacenter),
  /** `A,B`, repeatable; the parts in order. */
  list: (value: string, help: string, options?: FlagOptions): Flag<readonly string[] | undefined> =>
    repeatable(value, help, (values) => (values.length === 0 ? undefined : splitList(values.join(','))), {
      ...options,
      isList: true,
    }),
  /** Repeatable; values may contain commas. */
  texts: (value: string, help: string, options?: FlagOptions): Flag<readonly string[]> =>
    repeatable(value, help, (values) => values, options),
  /** `K=V`, repeatable; if `value` is `K[=V]`, a name without `=` has the empty value. */
  map: (value: string, help: string, options?: FlagOptions) =>
    repeatable(value, help, (values, name) => parseMap(values, name, value), options),
};

/** The pairs of arguments. @throws LanyardError usage: an argument is not a pair, a duplicate key */
export function parsePairs(values: readonly string[]): readonly Pair[] {
  const pairs = values.map(parsePair);
  const duplicate = pairs.map(({ key }) => key).find((key, index, keys) => keys.indexOf(key) !== index);
  if (duplicate !== undefined) throw usage(`duplicate key "${duplicate}"`);
  return pairs;
}

function parsePair(text: string): Pair {
  const equalsIndex = text.indexOf('=');
  // The text may be a misplaced secret, and is not repeated.
  if (equalsIndex < 1) throw usage('invalid argument: expected KEY=VALUE, KEY=@FILE or KEY=-');
  const value = text.slice(equalsIndex + 1);
  return { key: text.slice(0, equalsIndex), value, isSource: value === '-' || value.startsWith('@') };
}

/** Shows the warnings of a response. */
export function showWarnings(
  output: Pick<Messages, 'warn'>,
  body: { readonly warnings?: readonly string[] | null | undefined } | null | undefined,
): void {
  for (const warning of body?.warnings ?? []) output.warn(warning);
}

/** `certType` → `cert-type`. */
export const toKebabCase = (name: string): string => name.replace(/[A-Z]/g, (one) => `-${one.toLowerCase()}`);
