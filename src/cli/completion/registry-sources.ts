import type { RegistryClient } from '../../api/registry.ts';
import type { Candidate } from './candidates.ts';
import { described, directoryOf, named, type Source, type Typed } from './source.ts';

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
    described((await registry.listPolicies(at)).body, ({ Name, Description }) => [Name, Description]),
  ),
  'acl-role': source(async (registry, at) =>
    described((await registry.listRoles(at)).body, ({ Name, Description }) => [Name, Description]),
  ),
  // The list has the secret of each token; only accessor IDs are candidates.
  'acl-token': source(async (registry, at) =>
    described((await registry.listTokens(at)).body, (one) => [one.AccessorID, one.Description]),
  ),
  'acl-auth-method': source(async (registry, at) =>
    described((await registry.listAuthMethods(at)).body, (one) => [one.Name, one.Description || one.Type]),
  ),
  'acl-binding-rule': source(async (registry, at) =>
    described((await registry.listBindingRules(at)).body, (one) => [
      one.ID,
      one.Description || one.AuthMethod,
    ]),
  ),
  query: source(async (registry, at) =>
    described((await registry.listQueries(at)).body, (one) => [
      one.Name || one.ID || '',
      one.Service.Service,
    ]),
  ),
  'registry-service': source(async (registry, at) =>
    described(Object.entries((await registry.listServices(at)).body), ([name, tags]) => [
      name,
      tags?.join(', '),
    ]),
  ),
  'registry-agent-service': source(async (registry) =>
    described(Object.values((await registry.listAgentServices({})).body), ({ ID, Service }) => [ID, Service]),
  ),
  'registry-datacenter': source(async (registry) => named((await registry.listDatacenters({})).body)),
  'registry-node': source(async (registry, at) =>
    described((await registry.listNodes(at)).body, ({ Node, Address }) => [Node, Address]),
  ),
  'registry-key': source(
    async (registry, at, [prefix = '']) =>
      named(
        (await registry.listKeys({ ...at, prefix, separator: '/' })).body?.filter((key) => key !== prefix),
      ),
    ({ value }) => [directoryOf(value)],
  ),
  'registry-session': source(async (registry, at) =>
    described((await registry.listSessions(at)).body, ({ ID, Name, Node }) => [ID, Name || Node]),
  ),
  'config-entry': source(
    async (registry, at, [kind = '']) =>
      named((await registry.listEntries({ ...at, kind })).body?.flatMap(({ Name }) => Name ?? [])),
    ({ operands: [kind] }) => (kind ? [kind] : undefined),
  ),
} as const satisfies Readonly<Record<string, Source>>;
