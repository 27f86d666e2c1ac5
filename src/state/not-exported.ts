import { isFailure } from '../errors.ts';
import { mapConcurrently } from '../wire/concurrently.ts';
import type { ServiceName } from '../wire/services.ts';
import type { Exported } from './export.ts';
import type { Services } from './kind.ts';
import { isScopeName } from './kinds/accounts-scopes.ts';
import { requireCompleteLists } from './kinds/scheduler-lists.ts';
import { countOtherTokens } from './kinds/scheduler-token.ts';
import { type Caller, type Counted, countOf, type List } from './not-exported-list.ts';
import { secretsLists } from './not-exported-secrets.ts';

/** What an export does not contain, because no kind has it or the file has no value. */
export interface LeftOut {
  readonly service: ServiceName;
  /** In the plural: `jobs`. */
  readonly what: string;
  /** null: the token may not list it. */
  readonly count: number | null;
}

const get = (what: string, path: string, builtIn: readonly string[] = []): List => ({
  what,
  method: 'GET',
  path,
  isCounted: (name) => !builtIn.includes(name),
});

const inAllScopes = (what: string, collection: string): List =>
  get(what, `${collection}?scope_id=global&recursive=true`);

/** Those that no file can name. */
const withoutName = (collection: string, isName: (name: string) => boolean = Boolean): List => ({
  ...inAllScopes(`${collection} without a usable name`, collection),
  // A development server starts with an administrator without a name.
  isCounted: (id, { name = '' }) => !isName(String(name)) && !id.endsWith('_1234567890'),
});

const registryLists: readonly List[] = [get('peerings', 'peerings')];

const schedulerLists: readonly List[] = [
  get('ACL auth methods', 'acl/auth-methods'),
  get('ACL binding rules', 'acl/binding-rules'),
  get('jobs', 'jobs?namespace=*'),
  get('volumes', 'volumes?namespace=*'),
  get('node pools', 'node/pools', ['all', 'default']),
];

const accountsLists: readonly List[] = [
  withoutName('scopes', isScopeName),
  withoutName('users'),
  inAllScopes('groups', 'groups'),
  withoutName('roles'),
  inAllScopes('credential stores', 'credential-stores'),
  inAllScopes('host catalogs', 'host-catalogs'),
  inAllScopes('targets', 'targets'),
  inAllScopes('workers', 'workers'),
];

/** What counting needs of the API. */
export type LeftOutApi = Caller & Services;

const listsOf: {
  readonly [Service in ServiceName]: (
    api: LeftOutApi,
    objects: Exported['objects'],
  ) => Promise<readonly (List | Counted)[]>;
} = {
  secrets: secretsLists,
  registry: async () => registryLists,
  async scheduler(api, objects) {
    // The scheduler omits what the token may not list.
    await requireCompleteLists(api, 'list other objects');
    const exported = objects.flatMap(({ kind, identity }) =>
      kind.name === 'scheduler.token' ? [identity.key] : [],
    );
    const tokens = await countOtherTokens(api, new Set(exported));
    return [{ what: 'other ACL tokens', count: tokens }, ...schedulerLists];
  },
  accounts: async () => accountsLists,
  // Its API lists neither organizations nor tokens.
  box: async () => [],
};

/** What is named where the lists themselves cannot be known. */
const unknownLists: { readonly [Service in ServiceName]?: string } = {
  secrets: 'contents of engines and auth methods',
  scheduler: 'ACL objects and jobs',
};

/**
 * Counts what an export of services leaves out, with a fixed number of lists for each service, engine and auth method.
 * Never fails because of a service: what cannot be listed is unknown.
 */
export async function countLeftOut(
  api: LeftOutApi,
  services: readonly ServiceName[],
  { objects }: Pick<Exported, 'objects'>,
): Promise<readonly LeftOut[]> {
  const found = await mapConcurrently(services, (service) => countService(api, service, objects));
  const counts = new Map<string, LeftOut>();
  const all = [...found.flat(), ...withoutValues(objects), ...owners(objects)];
  for (const each of all) {
    const key = `${each.service} ${each.what}`;
    const known = counts.get(key);
    const isUnknown = each.count === null || known?.count === null;
    counts.set(key, { ...each, count: isUnknown ? null : (each.count ?? 0) + (known?.count ?? 0) });
  }
  const order = ({ service }: LeftOut): number => services.indexOf(service);
  return [...counts.values()]
    .filter(({ count }) => count !== 0)
    .sort((one, other) => order(one) - order(other));
}

async function countService(
  api: LeftOutApi,
  service: ServiceName,
  objects: Exported['objects'],
): Promise<readonly LeftOut[]> {
  try {
    const lists = await listsOf[service](api, objects);
    return await mapConcurrently(lists, async (list) => ({
      service,
      what: list.what,
      count: 'count' in list ? list.count : await countOf(api, service, list),
    }));
  } catch (error) {
    if (!isFailure(error)) throw error;
    const what = unknownLists[service] ?? 'other objects';
    return [{ service, what, count: null }];
  }
}

const withoutValues = (objects: Exported['objects']): readonly LeftOut[] =>
  objects.flatMap(({ kind, document }): LeftOut[] =>
    document.metadata?.values === 'unmanaged'
      ? [{ service: kind.service, what: `values of ${kind.name}`, count: 1 }]
      : [],
  );

/** The registry of boxes does not list organizations: they are the owners of boxes. */
const owners = (objects: Exported['objects']): readonly LeftOut[] => {
  const names = new Set(
    objects.flatMap(({ kind, identity }) => (kind.service === 'box' ? (identity.scope.owner ?? []) : [])),
  );
  return [{ service: 'box', what: 'owners of boxes', count: names.size }];
};

/** One block: a line for each service. */
export function leftOutText(leftOut: readonly LeftOut[]): string {
  const services = [...new Set(leftOut.map(({ service }) => service))];
  const lines = services.map((name) => {
    const parts = leftOut.flatMap(({ service, what, count }) =>
      service === name ? [`${what}: ${count ?? 'unknown'}`] : [],
    );
    return `${name}: ${parts.join(', ')}`;
  });
  return ['not exported, and missing on another cluster until they are created there:', ...lines].join('\n');
}
