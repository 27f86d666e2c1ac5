import type { Step } from '../conformance/step.ts';
import { commandTexts, type Failure, failures, withWarnings } from './trials.ts';
import { addressWithPassword, proxyWithPassword, values } from './values.ts';

export const formats = ['text', 'json', 'jsonl', 'yaml', 'table', 'env', 'dotenv', 'github-env'] as const;
export type Format = (typeof formats)[number];

/** How a command line is run. */
export interface Mode {
  readonly format: Format;
  readonly how: 'plain' | 'verbose' | 'quiet' | 'terminal' | 'github' | 'azure' | 'gitlab';
}

/** One run of a command line. */
export interface Case {
  readonly name: string;
  readonly mode: Mode;
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly words?: (words: readonly string[]) => readonly string[];
  /** Secrets are typed at a prompt. */
  readonly typed?: string;
  readonly keyring?: true;
  /**
   * `success`: the service responds as it did; `failure`: as `failure` says, to writes alone or to everything;
   * `preview`: nothing is sent but reads; `unsent`: nothing is sent.
   */
  readonly kind: 'success' | 'preview' | 'failure' | 'unsent';
  readonly failure?: Failure;
  readonly writesOnly?: boolean;
}

const plainModes: readonly Mode[] = formats.map((format) => ({ format, how: 'plain' }));
const modesOf = (hows: readonly Mode['how'][], only: readonly Format[] = formats): readonly Mode[] =>
  only.flatMap((format) => hows.map((how) => ({ format, how })));

const successModes = [
  ...modesOf(['plain', 'verbose', 'quiet', 'terminal', 'github']),
  ...modesOf(['azure'], ['text', 'json']),
];
const previewModes = [...plainModes, ...modesOf(['verbose', 'github'], ['text', 'json'])];
const hows = ['verbose', 'terminal', 'quiet', 'github'] as const;
/** Every format, and one of the other modes in turn. */
const failureModes = (index: number): readonly Mode[] => [
  ...plainModes,
  ...modesOf([hows[index % hows.length] ?? 'verbose'], [index % 8 < 4 ? 'text' : 'json']),
];

const ciServices = ['github', 'azure', 'gitlab'] as const;

const shown = ({ format, how }: Mode): string => `-o ${format}${how === 'plain' ? '' : `, ${how}`}`;

export interface Facts {
  readonly step: Step;
  /** Flags that the command offers. */
  readonly offers: (flag: string) => boolean;
  /** Are more arguments no error: names in a list, the command line of another program? */
  readonly takesMore: boolean;
  readonly isWriting: boolean;
  readonly readsFirst: boolean;
  /** Does the command handle secrets besides those of every command? */
  readonly hasSecrets: boolean;
  /** The values of the step's variables. */
  readonly env: Readonly<Record<string, string>>;
  /** A certificate that is not one, and a key that is not one. */
  readonly broken: { readonly certificate: string; readonly key: string };
  /** An address where nothing listens. */
  readonly closed: string;
  readonly token: string;
}

const source = /^env:\/\/(\w+)$/;

/** Every run of a command line. */
export function casesOf(facts: Facts): readonly Case[] {
  const { step, offers, isWriting, readsFirst, hasSecrets } = facts;
  const successes = [
    { name: 'success', play: undefined },
    { name: withWarnings.name, play: withWarnings },
  ];
  const previews = ['--dry-run', '--curl'].filter((flag) => offers(flag.slice(2)));
  return [
    ...successes.flatMap(({ name, play }) =>
      (play ? failureModes(0) : successModes).map(
        (mode): Case => ({
          name: `${name}, ${shown(mode)}`,
          mode,
          kind: 'success',
          ...(play ? { failure: play } : {}),
        }),
      ),
    ),
    ...previews.flatMap((flag) =>
      previewModes.map(
        (mode): Case => ({ name: `${flag}, ${shown(mode)}`, mode, kind: 'preview', flags: [flag] }),
      ),
    ),
    ...failures.flatMap((failure, index) =>
      (isWriting && readsFirst ? [true, false] : [false]).flatMap((writesOnly) =>
        failureModes(index)
          .filter(
            (_mode, at) => (hasSecrets && writesOnly === (isWriting && readsFirst)) || (at + index) % 4 === 0,
          )
          .map(
            (mode): Case => ({
              name: `${failure.name}${writesOnly ? ' (writes)' : ''}, ${shown(mode)}`,
              mode,
              kind: 'failure',
              failure,
              writesOnly,
            }),
          ),
      ),
    ),
    ...commandTexts.flatMap((failure, index) =>
      (['text', 'json', 'yaml', 'table', 'jsonl'] as const).map((format, at): Case => {
        const how = ciServices[(index + at) % ciServices.length] ?? 'github';
        return {
          name: `${failure.name}, ${shown({ format, how })}`,
          mode: { format, how },
          kind: 'failure',
          failure,
        };
      }),
    ),
    ...beforeSending(facts),
    ...(step.as === 'login' && /login|token create/.test(step.command)
      ? [
          {
            name: 'with a keyring',
            mode: { format: 'json', how: 'plain' },
            kind: 'success',
            keyring: true,
          } as const,
        ]
      : []),
  ];
}

/** What fails before a service responds, and what is typed. */
function beforeSending({ step, env, broken, closed, token, offers, takesMore }: Facts): readonly Case[] {
  const service = `LANYARD_${step.service.toUpperCase()}`;
  const modes = [
    ...modesOf(['plain'], ['text', 'json', 'env']),
    ...modesOf(['verbose', 'terminal'], ['text']),
  ];
  const unsent = (name: string, more: Partial<Case>): readonly Case[] =>
    modes.map((mode): Case => ({ name: `${name}, ${shown(mode)}`, mode, kind: 'unsent', ...more }));
  const at = (address: string): Record<string, string> => ({
    [`${service}_ADDR`]: address,
    ...(step.as === 'login' ? {} : { [`${service}_TOKEN`]: token }),
  });
  const tls = { [`${service}_CLIENT_CERT`]: broken.certificate, [`${service}_CLIENT_KEY`]: broken.key };
  const proxy = { ...at('http://127.0.0.1:9'), [`${service}_PROXY`]: proxyWithPassword };
  const sources = step.argv.filter((word) => source.test(word));
  const typed = sources.flatMap((word) => {
    const value = env[source.exec(word)?.[1] ?? ''] ?? '';
    const isNew = /--new-password$/.test(step.argv[step.argv.indexOf(word) - 1] ?? '');
    return isNew || /account (create|set)/.test(step.command) ? [value, value] : [value];
  });
  return [
    ...unsent('connection refused', { env: at(closed) }),
    ...unsent('an address with a password', { env: at(addressWithPassword) }),
    ...(offers('address')
      ? unsent('an address with a password as a flag', { flags: ['--address', addressWithPassword] })
      : []),
    ...unsent('a proxy with a password', { env: proxy }),
    ...['--curl', '--dry-run']
      .filter((flag) => offers(flag.slice(2)))
      .flatMap((flag) => unsent(`a proxy with a password, ${flag}`, { env: proxy, flags: [flag] })),
    ...unsent('a client key that is none', { env: { ...at('https://127.0.0.1:9'), ...tls } }),
    ...unsent('a flag that does not exist', { words: (words) => [...words, `--pasword=${values.mistyped}`] }),
    ...(takesMore
      ? []
      : unsent('an argument too many', { words: (words) => [...words, values.mistyped, values.mistyped] })),
    ...(sources.length === 0
      ? []
      : [
          ...unsent('a secret in place of its source', {
            words: (words) => words.map((word) => (source.test(word) ? values.mistyped : word)),
          }),
          ...unsent('a variable that is not set', {
            words: (words) => words.map((word) => (source.test(word) ? `${word}_MISSING` : word)),
          }),
          ...modesOf(['terminal'], ['text', 'json']).map(
            (mode): Case => ({
              name: `typed at a prompt, ${shown(mode)}`,
              mode,
              kind: 'success',
              words: (words) => words.map((word) => (source.test(word) ? '-' : word)),
              typed: typed.map((value) => `${value}\n`).join(''),
            }),
          ),
        ]),
  ];
}
