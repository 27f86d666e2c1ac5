import { EmbeddedError } from '../errors.ts';
import { sealedRows } from '../sealed-rows.ts';
import { State } from '../state/state.ts';
import type { PagedStorage } from '../storage.ts';
import type { Vault } from '../vault.ts';
import { TokenAccess } from './acl/access.ts';
import { beginAcl } from './acl/begin.ts';
import { TokenExpiry } from './acl/expiry.ts';
import { SignIns } from './auth/sign-ins.ts';
import { nameCluster } from './chain/cluster.ts';
import type { Federation } from './federation.ts';
import type { Registry } from './http/call.ts';
import { agentNode } from './place.ts';
import { Replicator } from './replication/replicator.ts';
import { registerAgent } from './state/agent.ts';
import { nodeOf } from './state/catalog.ts';
import type { Table } from './state/draft.ts';
import { SessionTimes } from './state/session-times.ts';

export interface DatacenterParts {
  readonly storage: PagedStorage;
  /** Seals what rests of tokens, auth methods and prepared queries: all have secrets in them. */
  readonly vault: Vault;
  readonly clock: () => Date;
  readonly random: (length: number) => Uint8Array;
  readonly version: string;
  readonly failed: (error: unknown) => void;
  /** The file that lets access control be bootstrapped again; undefined: nothing does. */
  readonly resetFile?: string | undefined;
}

const secretRows = ['tokens/', 'auth-methods/', 'queries/'];

/**
 * Opens the registry of a datacenter: its own state, with its agent's node in it. The primary datacenter is opened
 * first, and begins access control and the cluster; the others follow it in these.
 *
 * @throws EmbeddedError data: what is kept is of a datacenter of another name, or damaged
 */
export async function openDatacenter(
  datacenter: string,
  federation: Federation,
  parts: DatacenterParts,
): Promise<Registry> {
  const { random, version, failed } = parts;
  const primary = datacenter === federation.primary ? undefined : federation.registryOf(federation.primary);
  // The primary's state is where that of a datacenter on its own is: one that others are added to stays what it is.
  const place = primary ? `datacenter/${datacenter}/` : '';
  const storage = await sealedRows(parts.storage.below(place), {
    vault: parts.vault,
    place,
    prefixes: secretRows,
  });
  const state = new State<Table>({ ...parts, storage });
  refuseRenamed(datacenter, state);
  await state.change((draft) => {
    registerAgent(draft, datacenter);
    if (primary) return;
    beginAcl(draft);
    nameCluster(draft);
  });
  const replicator = primary && new Replicator({ primary, own: state, failed });
  await replicator?.begin();
  return {
    datacenter,
    federation,
    state,
    times: new SessionTimes(state, failed),
    acl: new TokenAccess(state, datacenter),
    expiry: new TokenExpiry(state),
    signIns: new SignIns(),
    // Access control begins in the primary datacenter, and so it begins anew there.
    resetFile: primary ? undefined : parts.resetFile,
    replicator,
    random,
    version,
  };
}

function refuseRenamed(datacenter: string, { view }: State<Table>): void {
  const other = nodeOf(view, agentNode)?.Datacenter ?? datacenter;
  if (other === datacenter) return;
  throw new EmbeddedError(
    'data',
    `the data that is kept is of the datacenter "${other}", not of "${datacenter}": name "${other}" in its place, or another data directory`,
  );
}

/** Lets go of those who wait, and of the timers. */
export function closeDatacenter({ replicator, state, times }: Registry): void {
  replicator?.stop();
  times.stop();
  state.close();
}
