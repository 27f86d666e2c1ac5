import { EmbeddedError } from '../core/errors.ts';
import type { ServiceParts } from '../core/http/http-service.ts';
import { State } from '../core/state/state.ts';
import { EncryptedStorage } from '../core/store/encrypted-storage.ts';
import type { ValueEncryption } from '../core/store/encryption.ts';
import { addLookups, checkTables } from '../core/store/table.ts';
import { TokenExpiry } from './acl/token-expiry.ts';
import { Agent } from './agent/agent.ts';
import { agentNode } from './agent-node.ts';
import { PendingLogins } from './auth/pending-logins.ts';
import { TokenAuthorizer } from './auth.ts';
import type { Federation, Registry } from './call.ts';
import { ensureClusterId } from './chain/trust-domain.ts';
import { foldStoredNames } from './fold-stored-names.ts';
import { nodeOf } from './model/catalog.ts';
import { isAgentRegistered, registerAgent } from './model/register-agent.ts';
import type { TableName } from './model/tables.ts';
import { Replicator } from './replication/replicator.ts';
import { seedAcl } from './seed.ts';
import { SessionExpiry } from './session-expiry.ts';
import { allTables as tables } from './tables.ts';

export interface DatacenterParts extends ServiceParts {
  /** Encrypts stored tokens, auth methods and prepared queries, which contain secrets. */
  readonly encryption: ValueEncryption;
  readonly onError: (error: unknown) => void;
  /** The file that permits another ACL bootstrap; undefined: not permitted. */
  readonly resetFile?: string | undefined;
}

/**
 * Opens the registry of a datacenter: its own state, with its agent's node. The primary datacenter is opened first,
 * and seeds ACLs and the cluster ID; the others replicate them.
 *
 * @throws EmbeddedError data: the stored data belong to a datacenter of another name, or are damaged
 */
export async function openDatacenter(
  datacenter: string,
  federation: Federation,
  parts: DatacenterParts,
): Promise<Registry> {
  const { random, version, onError } = parts;
  const primary = datacenter === federation.primary ? undefined : federation.registryOf(federation.primary);
  // The primary has the same path with and without other datacenters, so that they can be added later.
  const namePrefix = primary ? `datacenter/${datacenter}/` : '';
  const storage = await EncryptedStorage.open(parts.storage.withPrefix(namePrefix), {
    encryption: parts.encryption,
    format: 'object',
    nameOf: (key) => namePrefix + key,
    prefixes: tables.filter(({ options }) => options.encrypted).map(({ prefix }) => prefix),
  });
  checkTables(storage, tables);
  const state = new State<TableName>({ ...parts, storage });
  await state.update((transaction) => foldStoredNames(state.view, transaction, parts.log));
  await addLookups(storage, tables);
  rejectRenamed(datacenter, state);
  const identity = { datacenter, version, node: nodeNameIn(datacenter, primary && state) };
  await state.update((transaction) => {
    registerAgent(transaction, identity);
    if (primary) return;
    seedAcl(transaction);
    ensureClusterId(transaction);
  });
  const replicator = primary && new Replicator({ primary, secondary: state, onError });
  await replicator?.start();
  return {
    datacenter,
    node: identity.node,
    federation,
    state,
    agent: new Agent({ state, identity, onError }),
    sessionExpiry: new SessionExpiry(state, onError),
    acl: new TokenAuthorizer(state, datacenter),
    tokenExpiry: new TokenExpiry(state),
    pendingLogins: new PendingLogins(),
    // ACLs are bootstrapped in the primary datacenter only.
    resetFile: primary ? undefined : parts.resetFile,
    replicator,
    random,
    version,
  };
}

/**
 * The name of the server's node. As in most clusters no two datacenters have a node of the same name; data of earlier
 * versions keep theirs.
 *
 * @param secondary undefined: the datacenter is the primary one.
 */
const nodeNameIn = (datacenter: string, secondary: State<TableName> | undefined): string =>
  secondary && !isAgentRegistered(secondary.view, agentNode) ? `${agentNode}-${datacenter}` : agentNode;

function rejectRenamed(datacenter: string, { view }: State<TableName>): void {
  const storedDatacenter = nodeOf(view, agentNode)?.Datacenter ?? datacenter;
  if (storedDatacenter === datacenter) return;
  throw new EmbeddedError(
    'data',
    `the data that is kept is of the datacenter "${storedDatacenter}", not of "${datacenter}": name "${storedDatacenter}" in its place, or another data directory`,
  );
}

/** Ends waiting requests and timers. */
export function closeDatacenter({ agent, replicator, state, sessionExpiry }: Registry): void {
  replicator?.stop();
  agent.stop();
  sessionExpiry.stop();
  state.close();
}
