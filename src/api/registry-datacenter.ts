import { isKind, type LanyardError, unlessNotFound, usage } from '../errors.ts';
import { isAccessControlOff } from './conditions/any.ts';
import type { RegistryClient } from './registry.ts';

/** The datacenter of a request; absent: from the settings, or of the agent. */
export interface InDatacenter {
  readonly dc?: string;
}

interface SettingsOf {
  settings(service: 'registry'): Promise<{ readonly datacenter?: string | undefined }>;
}

/** The datacenter that a flag or the settings ask for; undefined: the agent's. */
export async function askedDatacenter(dc: string | undefined, api: SettingsOf): Promise<string | undefined> {
  return (dc ?? (await api.settings('registry')).datacenter) || undefined;
}

/** What requests without a datacenter write, for messages. */
type Written =
  | 'policies'
  | 'roles'
  | 'tokens'
  | 'local tokens'
  | 'services'
  | 'maintenance'
  | 'config entries';

interface Agent {
  readonly datacenter: string;
  readonly primary: string;
}

/**
 * The datacenter where policies, roles, tokens that are not local, and config entries are read before they are written:
 * the primary one, to which servers forward each such write, whatever datacenter the request has. The other datacenters
 * have copies that lag.
 *
 * @param asked of the flag or the settings; undefined: the agent decides.
 * @throws LanyardError usage: the agent does not write them in the datacenter that was asked for.
 */
export async function sharedDatacenter(
  registry: RegistryClient,
  asked: string | undefined,
  what: Written,
): Promise<InDatacenter> {
  if (!asked) return {};
  const agent = await locateAgent(registry);
  const primary = await (agent
    ? primaryOfAgent(registry, agent, asked)
    : primaryWithoutPermission(registry, asked));
  if (primary === undefined) throw otherDatacenter(what, asked, agent?.primary);
  return { dc: primary };
}

/**
 * Checks that the agent at the address is in the datacenter that was asked for, before a write that has no datacenter.
 *
 * @param asked of the flag or the settings; undefined: the agent's.
 * @throws LanyardError usage: it is in another one.
 */
export async function requireAgentIn(
  registry: RegistryClient,
  asked: string | undefined,
  what: Written,
): Promise<void> {
  if (!asked) return;
  const agent = await locateAgent(registry);
  if (agent ? agent.datacenter === asked : await hasSameServers(registry, asked)) return;
  throw otherDatacenter(what, asked, agent?.datacenter);
}

/**
 * The same before a read that has no datacenter.
 *
 * @throws LanyardError usage: the agent is in another one.
 */
export async function requireReadsIn(
  registry: RegistryClient,
  asked: string | undefined,
  what: string,
  hint: string,
): Promise<void> {
  if (!asked) return;
  const agent = await locateAgent(registry);
  if (agent ? agent.datacenter === asked : await hasSameServers(registry, asked)) return;
  const where = agent === undefined ? 'another datacenter' : `datacenter "${agent.datacenter}"`;
  throw usage(
    `cannot read ${what} in datacenter "${asked}": the agent at the configured address is in ${where}`,
    { service: 'registry', hint },
  );
}

/** Undefined: the token has no permission to read the agent. */
async function locateAgent(registry: RegistryClient): Promise<Agent | undefined> {
  const agent = await unlessNotFound(registry.locateAgent({}), isDenied);
  if (!agent) return undefined;
  const { Datacenter, PrimaryDatacenter } = agent.Config;
  return { datacenter: Datacenter, primary: PrimaryDatacenter || Datacenter };
}

const isDenied = isKind('forbidden', 'unauthenticated');

async function primaryOfAgent(
  registry: RegistryClient,
  { datacenter, primary }: Agent,
  asked: string,
): Promise<string | undefined> {
  if (asked === primary || asked === datacenter) return primary;
  return (await sourceOf(registry, asked)) === primary ? primary : undefined;
}

/** The same from what needs no permission: replication, and the servers of a datacenter. */
async function primaryWithoutPermission(
  registry: RegistryClient,
  asked: string,
): Promise<string | undefined> {
  const [source, askedSource] = [await sourceOf(registry, ''), await sourceOf(registry, asked)];
  if (source) return source === asked || source === askedSource ? source : undefined;
  const primary = askedSource || asked;
  return (await hasSameServers(registry, primary)) ? primary : undefined;
}

/** The primary of a datacenter that replicates; empty or undefined: it does not, or it has no access control. */
const sourceOf = async (registry: RegistryClient, dc: string): Promise<string | undefined> =>
  (await unlessNotFound(registry.locatePrimary({ dc }), isAccessControlOff))?.SourceDatacenter;

/** Whether the agent's datacenter has the servers of another one: then it is the same. */
async function hasSameServers(registry: RegistryClient, dc: string): Promise<boolean> {
  const [own, others] = [await registry.locateServers({ dc: '' }), await registry.locateServers({ dc })];
  return own.body.toSorted().join() === others.body.toSorted().join();
}

function otherDatacenter(what: Written, asked: string, actual: string | undefined): LanyardError {
  const where = actual === undefined ? 'another datacenter' : `datacenter "${actual}"`;
  return usage(
    `cannot write ${what} in datacenter "${asked}": the agent at the configured address writes them in ${where}`,
    {
      service: 'registry',
      hint: `Nothing was written. Set LANYARD_REGISTRY_ADDR (registry.address) to an agent in ${asked}: such requests have no datacenter.`,
    },
  );
}
