import type { Api } from '../../command/api.ts';
import type { ServiceName } from '../../wire/services.ts';
import type { Candidate } from './candidates.ts';

/** The part of the command line that a source may use. */
export interface Typed {
  readonly path: string;
  /** The service of the command. */
  readonly service: ServiceName | 'any' | undefined;
  readonly value: string;
  readonly operands: readonly string[];
  /** The last value of a flag, by its key. */
  readonly flag: (key: string) => string | undefined;
}

/** The clients, and what the settings say where a flag is missing. */
export type ListingApi = Pick<Api, 'secrets' | 'registry' | 'box' | 'accounts' | 'scheduler' | 'settings'>;

/** Where candidates come from. */
export interface Source {
  readonly service: ServiceName;
  /**
   * What the list depends on besides the settings: a mount, a directory. Lists of the same scope are cached.
   * @returns undefined: there is nothing to list.
   */
  readonly scope: (typed: Typed) => readonly string[] | undefined;
  /** Lists all candidates of a scope, with read operations only. @throws LanyardError: the service cannot. */
  readonly list: (api: ListingApi, scope: readonly string[]) => Promise<readonly Candidate[]>;
}

type ClientOf<Name extends ServiceName> = Awaited<ReturnType<ListingApi[Name]>>;

/** A source that lists with the client of its service; default scope: none. */
export const source = <Name extends ServiceName>(
  service: Name,
  list: (client: ClientOf<Name>, scope: readonly string[], api: ListingApi) => ReturnType<Source['list']>,
  scope: Source['scope'] = () => [],
): Source => ({
  service,
  scope,
  list: async (api, values) => list((await api[service]()) as ClientOf<Name>, values, api),
});

/** `app/` of `app/db`: the segments before the last one. */
export const directoryOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/**
 * The next segments of paths below a directory, each once; `/` at the end of one that continues.
 *
 * @param directory empty, or with a slash at its end.
 */
export function segmentsBelow(paths: readonly string[], directory: string): readonly Candidate[] {
  const segments = paths
    .filter((path) => path.startsWith(directory) && path !== directory)
    .map((path) => /^[^/]*\/?/.exec(path.slice(directory.length))?.[0] ?? '');
  return [...new Set(segments)].map((segment) => ({ value: `${directory}${segment}` }));
}

/** A candidate for each item, from its value and description. */
export const described = <Item>(
  items: readonly Item[] | null | undefined,
  pair: (item: Item) => readonly [value: string, description: string | null | undefined],
): readonly Candidate[] =>
  (items ?? []).map((item) => {
    const [value, description] = pair(item);
    return { value, description: description ?? undefined };
  });

export const named = (names: readonly string[] | null | undefined): readonly Candidate[] =>
  (names ?? []).map((value) => ({ value }));
