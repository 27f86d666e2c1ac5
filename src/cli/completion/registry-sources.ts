import type { RegistryClient } from '../../api/registry.ts';
import type { Candidate } from './candidates.ts';
import { directoryOf, named, type Source, type Typed } from './source.ts';

type List = (
  registry: RegistryClient,
  at: { readonly dc: string | undefined },
  scope: readonly string[],
) => Promise<readonly Candidate[]>;

/** A list of the registry, in the datacenter of `--dc` or of the settings. */
const source = (list: List, scope: (typed: Typed) => readonly string[] | undefined = () => []): Source => ({
  service: 'registry',
  scope: (typed) => {
    const rest = scope(typed);
    return rest && [typed.flag('dc') ?? '', ...rest];
  },
  list: async (api, [dc, ...scope]) => {
    const at = { dc: dc || (await api.settings('registry')).datacenter };
    return list(await api.registry(), at, scope);
  },
});

export const registrySources = {
  'acl-policy': source(async (registry, at) =>
    ((await registry.listPolicies(at)).body ?? []).map(({ Name, Description }) => ({
      value: Name,
      description: Description,
    })),
  ),
  'acl-role': source(async (registry, at) =>
    ((await registry.listRoles(at)).body ?? []).map(({ Name, Description }) => ({
      value: Name,
      description: Description,
    })),
  ),
  // The list has the secret of each token; only accessor IDs are candidates.
  'acl-token': source(async (registry, at) =>
    ((await registry.listTokens(at)).body ?? []).map(({ AccessorID, Description }) => ({
      value: AccessorID,
      description: Description,
    })),
  ),
  'acl-auth-method': source(async (registry, at) =>
    ((await registry.listAuthMethods(at)).body ?? []).map(({ Name, Type, Description }) => ({
      value: Name,
      description: Description || Type,
    })),
  ),
  'acl-binding-rule': source(async (registry, at) =>
    ((await registry.listBindingRules(at)).body ?? []).map(({ ID, AuthMethod, Description }) => ({
      value: ID,
      description: Description || AuthMethod,
    })),
  ),
  query: source(async (registry, at) =>
    ((await registry.listQueries(at)).body ?? []).map(({ ID = '', Name, Service }) => ({
      value: Name || ID,
      description: Service.Service,
    })),
  ),
  'registry-service': source(async (registry, at) =>
    Object.entries((await registry.listServices(at)).body).map(([value, tags]) => ({
      value,
      description: tags?.join(', '),
    })),
  ),
  'registry-agent-service': source(async (registry) =>
    Object.values((await registry.listAgentServices({})).body).map(({ ID, Service }) => ({
      value: ID,
      description: Service,
    })),
  ),
  'registry-datacenter': source(async (registry) => named((await registry.listDatacenters({})).body)),
  'registry-node': source(async (registry, at) =>
    (await registry.listNodes(at)).body.map(({ Node, Address }) => ({ value: Node, description: Address })),
  ),
  'registry-key': source(
    async (registry, at, [prefix = '']) =>
      named(
        (await registry.listKeys({ ...at, prefix, separator: '/' })).body?.filter((key) => key !== prefix),
      ),
    ({ value }) => [directoryOf(value)],
  ),
  'registry-session': source(async (registry, at) =>
    ((await registry.listSessions(at)).body ?? []).map(({ ID, Name, Node }) => ({
      value: ID,
      description: Name || Node,
    })),
  ),
  'config-entry': source(
    async (registry, at, [kind = '']) =>
      named((await registry.listEntries({ ...at, kind })).body?.flatMap(({ Name }) => Name ?? [])),
    ({ operands: [kind] }) => (kind ? [kind] : undefined),
  ),
} as const satisfies Readonly<Record<string, Source>>;
