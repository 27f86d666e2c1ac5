import { type Flag, flag } from './command.ts';
import { usage } from './errors.ts';
import { formats } from './output/formats.ts';
import { parseDuration } from './wire/duration.ts';

/** A duration that is none would let nothing come. */
const aboveZero = (duration: Flag<string | undefined>): Flag<string | undefined> => ({
  ...duration,
  parse: (values, name) => {
    const text = duration.parse(values, name);
    if (text !== undefined && !parseDuration(text)) throw usage(`${name} has to be longer than nothing`);
    return text;
  },
});

/** The flags that every command has; what they mean is the same everywhere. */
export const globalFlags = {
  profile: flag.text('NAME', 'use this profile instead of the active one', {
    short: 'p',
    completes: 'profile',
  }),
  output: flag.choice(
    formats,
    'output format: text (default), json, jsonl, yaml, table, env, dotenv, github-env',
    {
      short: 'o',
      value: 'FORMAT',
    },
  ),
  envPrefix: flag.text('TEXT', 'put this before every name in --output env, dotenv and github-env'),
  field: flag.text('PATH', 'print one value of the result, raw (data.key, items.0.name)'),
  select: flag.text('EXPR', 'print what a JMESPath expression selects from the result'),
  out: flag.text('FILE|-', 'write the result to a file (new, mode 0600) instead of standard output (-)', {
    completes: 'file',
  }),
  timeout: aboveZero(flag.duration('limit for one attempt at a call (default 30s)')),
  yes: flag.boolean('answer yes when asked before something that cannot be undone', { short: 'y' }),
  noInput: flag.boolean('never ask; fail where an answer is needed'),
  quiet: flag.boolean('no notes and no progress on standard error', { short: 'q' }),
  verbose: flag.boolean('say on standard error what is sent and what comes back, without secrets', {
    short: 'v',
  }),
  noColor: flag.boolean('no colour (also NO_COLOR, TERM=dumb)'),
} as const;

/** For commands that talk to one service. */
export const serviceFlags = {
  address: flag.text('URL', 'address of the service, instead of the one from the settings'),
  namespace: flag.text('NS', 'namespace, where the service has them', { short: 'n' }),
  curl: flag.boolean('print the equivalent curl line and send nothing'),
  skipVerify: flag.boolean('do not verify the TLS certificate of the service; every call warns'),
} as const;

/** For commands that change something. */
export const writeFlags = {
  dryRun: flag.boolean('show the request that would be sent, and send no change'),
} as const;

type ValueOf<Specs> = {
  readonly [Name in keyof Specs]: Specs[Name] extends {
    parse: (values: readonly string[], f: string) => infer V;
  }
    ? V
    : never;
};

export type Globals = ValueOf<typeof globalFlags & typeof serviceFlags & typeof writeFlags>;
