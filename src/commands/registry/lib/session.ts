import { isNodeMissing } from '../../../api/conditions/registry.ts';
import type { RegistryClient } from '../../../api/registry.ts';
import type { InDatacenter } from '../../../api/registry-datacenter.ts';
import type { Session } from '../../../api/registry-sessions.ts';
import { arg } from '../../../command/command.ts';
import { hintFor, notFound, usage } from '../../../errors.ts';
import { parseDuration } from '../../../wire/duration.ts';

export const sessionArg = arg.text('ID', 'session ID', { completes: 'registry-session' });

const maxLockDelaySeconds = 60;

/** @throws LanyardError usage: the registry would shorten the lock delay. */
export function checkLockDelay(delay: string): void {
  if ((parseDuration(delay) ?? 0) > maxLockDelaySeconds)
    throw usage(`invalid --lock-delay ${delay}: expected at most 60s`);
}

/** Explains the error of a new session whose node, by default the agent's, is not in the datacenter. */
export const describeMissingNode = hintFor(
  isNodeMissing,
  'Specify a node of the datacenter with --node. The default is the node of the agent. Run `lanyard registry node list` for the nodes.',
);

/** @throws LanyardError not_found */
export async function findSession(registry: RegistryClient, id: string, dc: InDatacenter): Promise<Session> {
  const { body } = await registry.readSession({ session: id, ...dc });
  const session = body?.find(({ ID }) => ID === id);
  if (session) return session;
  throw notFound(`session "${id}" not found`, {
    hint: 'It has expired or was deleted, or the token may not read it. Run `lanyard registry session list`.',
  });
}

/** Nanoseconds as seconds. */
export const delayText = ({ LockDelay }: Session): string => `${Number(LockDelay) / 1e9}s`;

/** The names of the health checks that end the session. */
export const checksOf = ({ NodeChecks, ServiceChecks }: Session): string[] => [
  ...(NodeChecks ?? []),
  ...(ServiceChecks ?? []).map(({ ID }) => ID),
];
