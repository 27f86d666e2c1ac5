import type { Settings } from '../../api/settings.ts';
import type { Host } from '../../command/host.ts';
import { serviceNames } from '../../wire/services.ts';
import { type Candidate, candidateLines, isShell, type Shell, withoutQuotes } from './candidates.ts';
import type { Position } from './position.ts';
import { named } from './source.ts';

/** How long a completion may take: with the start and the end of the program less than 400 ms. */
const limitMs = 300;

/**
 * Handles `lanyard __complete SHELL =CURRENT -- WORDS...`, which the completion scripts call for a value that a service
 * lists: WORDS are those after the program before the cursor, CURRENT is the word at the cursor. It never
 * prompts, also not to unlock a keyring, and any failure is an empty result.
 *
 * @param argv without `__complete`.
 * @returns the candidates as lines (`candidateLines`).
 */
export async function complete(argv: readonly string[], host: Host): Promise<string> {
  const [shell, current, separator, ...words] = argv;
  if (host.env.LANYARD_COMPLETION === 'static' || !isShell(shell)) return '';
  if (!current?.startsWith('=') || separator !== '--') return '';
  const signal = AbortSignal.any([host.signal, host.timeout(limitMs)]);
  const aborted = new Promise<string>((resolve) => {
    if (signal.aborted) resolve('');
    else signal.addEventListener('abort', () => resolve(''), { once: true });
  });
  const listed = linesFor({ shell, current: current.slice(1), words }, hostFor(host, signal));
  return Promise.race([listed.catch(() => ''), aborted]);
}

interface Line {
  readonly shell: Shell;
  readonly current: string;
  readonly words: readonly string[];
}

type CompletionHost = Omit<Host, 'stdin' | 'stdout' | 'stderr' | 'onSignal'>;

/** The host without its streams and retries. */
const hostFor = (host: Host, signal: AbortSignal): CompletionHost => ({
  get cwd() {
    return host.cwd;
  },
  env: withoutRetries(host.env),
  home: host.home,
  platform: host.platform,
  clock: host.clock,
  timeout: host.timeout,
  random: host.random,
  signal,
  selfCommand: host.selfCommand,
  keyring: host.keyring,
});

const withoutRetries = (env: Host['env']): Host['env'] => ({
  ...env,
  ...Object.fromEntries(serviceNames.map((service) => [`LANYARD_${service.toUpperCase()}_MAX_RETRIES`, '0'])),
});

async function linesFor(line: Line, host: CompletionHost): Promise<string> {
  const { shell } = line;
  const unquote = (word: string): string =>
    shell === 'bash' || shell === 'fish' ? withoutQuotes(word, shell) : word;
  // fish itself removes the quotes of the words before the cursor.
  const words = shell === 'bash' ? line.words.map(unquote) : line.words;
  const { expandLine } = await import('./own-names.ts');
  const expanded = await expandLine(words, unquote(line.current), host);
  if ('candidates' in expanded)
    return candidateLines(expanded.candidates, shell, { prefix: '', isOperand: false });
  const { positionOf } = await import('./position.ts');
  const position = await positionOf(expanded.words, expanded.current);
  if (position === undefined) return '';
  const { command, spec } = position;
  if (expanded.words !== words && (spec.completes === 'file' || spec.completes === 'directory'))
    return ':file\n';
  const isOperand = Object.values(command.args).some((each) => each === spec);
  const isList = 'isList' in spec && spec.isList === true;
  const prefix = isList ? position.value.slice(0, position.value.lastIndexOf(',') + 1) : '';
  const value = position.value.slice(prefix.length);
  const candidates = await candidatesFor({ ...position, value }, host);
  const continuing = candidates.filter((candidate) => candidate.value.startsWith(value));
  return candidateLines(continuing, shell, { prefix, isOperand });
}

/** What the source of a value lists, from the cache or from its service. */
async function candidatesFor(position: Position, host: CompletionHost): Promise<readonly Candidate[]> {
  const { completes } = position.spec;
  if (typeof completes === 'object') return named(completes);
  if (completes === 'profile') return (await import('./own-names.ts')).profileNames(host);
  if (completes === undefined || completes === 'file' || completes === 'directory' || completes === 'command')
    return [];
  if (completes === 'alias') return (await import('./own-names.ts')).aliasNames(host);
  const { path, command, operands, flags, value } = position;
  if (completes === 'result') return (await import('./result-words.ts')).resultWords(operands);
  const [{ sourceOf }, { completionApi }] = await Promise.all([
    import('./sources.ts'),
    import('./completion-api.ts'),
  ]);
  const { settings, profileName, sshMount, token, api } = completionApi(position, host);
  const given = (key: string): string | undefined => flags.get(key)?.at(-1);
  const mount = given('mount') ?? (completes.startsWith('ssh-') ? await sshMount() : undefined);
  const typed = {
    path,
    service: command.service ?? command.namespaceOf,
    value,
    operands,
    flag: (key: string) => (key === 'mount' ? mount : given(key)),
  };
  const source = sourceOf(completes, typed);
  const scope = source?.scope(typed);
  if (source === undefined || scope === undefined) return [];
  const { candidateCache } = await import('./cache.ts');
  const resolved = await settings(source.service);
  // The token is part of the key, as names may be hidden from another one.
  const cache = candidateCache(host, (await token(source.service, resolved.token)) ?? '');
  const key = [completes, scope, (await profileName()) ?? '', ...placeOf(resolved)];
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const candidates = await source.list(await api(), scope);
  cache.set(key, candidates);
  return candidates;
}

/** What decides the lists of a service, other than the token. */
const placeOf = ({
  service,
  address,
  namespace,
  region,
  datacenter,
  authMethod,
}: Settings): readonly unknown[] => [
  service,
  address,
  namespace ?? '',
  region ?? '',
  datacenter ?? '',
  authMethod ?? '',
];
