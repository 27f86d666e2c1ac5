import type { RegistryClient } from '../../../api/registry.ts';
import type { HealthCheck } from '../../../api/registry-catalog.ts';
import { flag } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { confirmWrite, isKind, LanyardError, notFound } from '../../../errors.ts';
import { code, textResult } from '../../../output/document.ts';

const nodeCheckId = '_node_maintenance';
const serviceCheckPrefix = '_service_maintenance:';

export const serviceFlag = flag.name('ID', 'ID of a service of the agent (default: its node)', {
  completes: 'registry-agent-service',
});

/** A node or service in maintenance. */
export interface Maintained {
  /** The node of the agent. */
  readonly Node: string | undefined;
  /** ID of the service; absent: the node, with all its services. */
  readonly ServiceID?: string;
  /** The name of the service. */
  readonly Service?: string | undefined;
  /** The reason that was given, or the default text of the agent. */
  readonly Reason: string;
}

/** Whether a check means that its node or service is in maintenance. */
export const isMaintenance = ({ CheckID }: Pick<HealthCheck, 'CheckID'>): boolean =>
  CheckID === nodeCheckId || CheckID.startsWith(serviceCheckPrefix);

/** What is in maintenance at the agent: its node first, then services by ID. */
export async function readMaintenance(registry: RegistryClient): Promise<readonly Maintained[]> {
  const { body } = await registry.listAgentChecks({});
  return Object.values(body)
    .filter(isMaintenance)
    .sort((one, other) => (one.CheckID < other.CheckID ? -1 : 1))
    .map(({ CheckID, Node, Notes, ServiceName }) => ({
      Node,
      ...(CheckID !== nodeCheckId && {
        ServiceID: CheckID.slice(serviceCheckPrefix.length),
        Service: ServiceName,
      }),
      Reason: Notes ?? '',
    }));
}

interface Change {
  /** ID of a service; undefined: the node. */
  readonly service: string | undefined;
  readonly enable: boolean;
  readonly reason?: string | undefined;
}

/** The result of a change of maintenance. */
interface Changed {
  /** ID of the service; null: the node of the agent. */
  readonly ServiceID: string | null;
  readonly Enabled: boolean;
  /** Of the maintenance; null: it is disabled, or unknown. */
  readonly Reason: string | null;
  /** Whether it was in the other state before. */
  readonly Changed: boolean;
}

/**
 * Enables or disables maintenance. What is in this state already is unchanged, also the reason of its maintenance.
 *
 * @throws LanyardError not_found: the agent does not have the service.
 */
export async function changeMaintenance(
  registry: RegistryClient,
  { service, enable, reason }: Change,
  ctx: Pick<Context, 'output'>,
) {
  const find = async () => (await readMaintenance(registry)).find(({ ServiceID }) => ServiceID === service);
  // A token may change what it cannot read.
  const before = await find().catch(ifForbidden);
  const isUnchanged = before !== null && (before !== undefined) === enable;
  if (isUnchanged && enable && reason !== undefined && reason !== before?.Reason)
    ctx.output.warn(`the reason is still "${before?.Reason}": disable maintenance first to change it`);
  if (!isUnchanged || !enable)
    await confirmWrite(
      () => send(registry, { service, enable, reason }).catch(describeMissing(service)),
      async () => {
        const isEnabled = (await find()) !== undefined;
        return { done: isEnabled === enable, found: `maintenance is ${isEnabled ? 'enabled' : 'disabled'}` };
      },
    );
  const after = enable ? await find().catch(ifForbidden) : undefined;
  const data: Changed = {
    ServiceID: service ?? null,
    Enabled: enable,
    Reason: after?.Reason ?? null,
    Changed: !isUnchanged,
  };
  const subject = service === undefined ? ['The node of the agent'] : ['Service ', code(service)];
  if (isUnchanged)
    return textResult(data, ...subject, enable ? ' is already in maintenance.' : ' is not in maintenance.');
  return service === undefined
    ? textResult(data, `${enable ? 'Enabled' : 'Disabled'} maintenance of the node of the agent.`)
    : textResult(data, `${enable ? 'Enabled' : 'Disabled'} maintenance of service `, code(service), '.');
}

const ifForbidden = (error: unknown): null => {
  if (isKind('forbidden', 'unauthenticated')(error)) return null;
  throw error;
};

const send = (registry: RegistryClient, { service, ...change }: Change) =>
  service === undefined
    ? registry.setNodeMaintenance(change)
    : registry.setServiceMaintenance({ id: service, ...change });

const describeMissing =
  (id: string | undefined) =>
  (error: unknown): never => {
    if (id === undefined || !(error instanceof LanyardError) || error.kind !== 'not_found') throw error;
    throw missingService(id, error);
  };

/** The error of a service that the agent does not have. */
export const missingService = (id: string, facts: LanyardError | undefined = undefined): LanyardError =>
  notFound(`the agent has no service with ID "${id}"`, {
    ...facts,
    details: [],
    hint: 'Run `lanyard registry service get NAME` for the IDs and nodes of its instances.',
  });
