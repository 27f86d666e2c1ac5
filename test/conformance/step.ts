import { tree } from '../../src/commands/tree.ts';
import type { ServiceName } from '../../src/wire/services.ts';
import type { SignIn } from './sign-in.ts';

/**
 * Who runs a step: the token that the run was given; a token without permissions, made by the run; no token; a
 * token that does not exist; a profile that logins store their token in.
 */
export type Identity = 'admin' | 'limited' | 'anonymous' | 'invalid' | 'login';

/**
 * One command line of the scenario. Texts may have `{name}` for a value of the run: `{run}` is the prefix of all
 * names, others are saved by earlier steps. A step that names an unset value is skipped.
 */
export interface Step {
  readonly service: ServiceName;
  /** Unique. Recordings, the baseline and the dialects refer to the step by it. */
  readonly name: string;
  /** The command, as in the tree. */
  readonly command: string;
  readonly argv: readonly string[];
  /** The exit code on the embedded service. */
  readonly code: number;
  /**
   * `read` needs nothing that the run made and changes nothing. `write` makes or changes something of the run's
   * own. `after` reads what a `write` made. `prepare` is a `write` that is not under test. `cleanup` removes what
   * the run made, and runs in any case.
   */
  readonly kind: 'read' | 'write' | 'after' | 'prepare' | 'cleanup';
  readonly as: Identity;
  /** Instead of the token of `as`. */
  readonly token?: string;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Files in the working directory, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** Values for later steps: name, and path in the JSON that the step prints (`data.id`, `[0].ID`, `$` for all). */
  readonly save?: Readonly<Record<string, string>>;
  /** Names of saved values that are secrets. */
  readonly secrets?: readonly string[];
  /** The command has no JSON output, or prints another program's. */
  readonly text?: true;
  /** Who signs in at the page whose URL the step prints. Not in a replay, in which the responses are recorded. */
  readonly signIn?: SignIn;
  /** A program that has to be on the machine. */
  readonly program?: string;
  /** Run only on these products. */
  readonly only?: readonly string[];
  /** Names that have to be set, besides those in the texts. */
  readonly needs?: readonly string[];
}

type Options = Partial<Omit<Step, 'service' | 'name' | 'command' | 'argv' | 'kind'>>;

/** Adds a step; `line` is split at blanks, except within single quotes. */
type Add = (name: string, line: string, options?: Options) => Step;

/** Ways to write steps of one service. */
export function stepsOf(service: ServiceName): Readonly<Record<Step['kind'], Add>> {
  const add =
    (kind: Step['kind']): Add =>
    (name, line, options = {}) => {
      const argv = [...line.matchAll(/'([^']*)'|[^ ']+/g)].map(([word, quoted]) => quoted ?? word);
      return {
        service,
        name,
        command: commandOf(argv),
        argv,
        kind,
        code: 0,
        as: 'admin',
        ...options,
      };
    };
  return {
    read: add('read'),
    write: add('write'),
    after: add('after'),
    prepare: add('prepare'),
    cleanup: add('cleanup'),
  };
}

/** The longest path of the tree that a command line begins with. */
function commandOf(argv: readonly string[]): string {
  const begins = (path: string): boolean => path.split(' ').every((word, index) => argv[index] === word);
  const [longest] = tree
    .map(({ path }) => path)
    .filter(begins)
    .sort((one, other) => other.length - one.length);
  if (longest === undefined) throw new Error(`no command: ${argv.join(' ')}`);
  return longest;
}
