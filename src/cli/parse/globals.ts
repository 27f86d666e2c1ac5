import { type Flag, flag, type Values } from '../../command/command.ts';
import { usage } from '../../errors.ts';
import { type Format, formats } from '../../output/formats.ts';
import { parseDuration } from '../../wire/duration.ts';

const positiveDuration = (duration: Flag<string | undefined>): Flag<string | undefined> => ({
  ...duration,
  parse: (values, name) => {
    const text = duration.parse(values, name);
    if (text !== undefined && !parseDuration(text)) throw usage(`${name} must be greater than zero`);
    return text;
  },
});

const outputFlag = (choices: readonly Format[]): Flag<Format | undefined> =>
  flag.choice(choices, `output format: ${choices.join(', ').replace('text', 'text (default)')}`, {
    short: 'o',
    value: 'FORMAT',
  });

/** `--output` of commands that also have a form for comments on pull requests. */
export const markdownOutput = { output: outputFlag([...formats, 'markdown']) };

/** Flags that every command accepts. */
export const commonFlags = {
  profile: flag.text('NAME', 'profile to use instead of the active one', {
    short: 'p',
    completes: 'profile',
  }),
  output: outputFlag(formats),
  timeout: positiveDuration(flag.duration('request timeout per attempt (default 30s)')),
  yes: flag.boolean('skip confirmation prompts', { short: 'y' }),
  noInput: flag.boolean('disable prompts; fail if input is required'),
  quiet: flag.boolean('suppress notes, progress and messages of success', { short: 'q' }),
  verbose: flag.boolean('log requests and responses to standard error, without secrets', { short: 'v' }),
  debug: flag.file('FILE', 'append a trace of requests and responses to a file, without secrets'),
  noColor: flag.boolean('disable color (also NO_COLOR, TERM=dumb)'),
} as const;

/** Flags of commands that print a result. */
export const resultFlags = {
  envPrefix: flag.text('TEXT', 'prefix for variable names with --output env, dotenv and github-env'),
  field: flag.text('PATH', 'print one field of the result as a raw value (data.key, items.0.name)', {
    completes: 'field',
  }),
  select: flag.text('EXPR', 'print the part of the result that a JMESPath expression selects'),
  out: flag.text('FILE|-', 'write the result to a new file (mode 0600) instead of standard output (-)', {
    completes: 'file',
  }),
} as const;

/** The flags that have the same meaning for every command that has a result. */
export const globalFlags = { ...commonFlags, ...resultFlags } as const;

/** Flags of commands that call one service. */
export const serviceFlags = {
  address: flag.text('URL', 'address of the service (default: from the settings)'),
  namespace: flag.text('NS', 'namespace, for services that have namespaces', {
    short: 'n',
    completes: 'namespace',
  }),
  curl: flag.boolean('print the equivalent curl command and send nothing'),
  skipVerify: flag.boolean('skip verification of the TLS certificate; prints a warning'),
} as const;

/** Flags of commands that change something. */
export const writeFlags = { dryRun: flag.boolean('print the request without sending any change') } as const;

export type Globals = Values<typeof globalFlags & typeof serviceFlags & typeof writeFlags>;
