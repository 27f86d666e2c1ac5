import { formatDuration, parseDuration } from '../../../wire/duration.ts';
import { decodeFields, FieldError, Fields } from '../../core/http/fields.ts';
import { HttpError, type HttpResponse } from '../../core/http/http-service.ts';
import { mapInSlices } from '../../core/in-slices.ts';
import { uuid } from '../../core/uuid.ts';
import { agentNode } from '../agent-node.ts';
import { blockingQuery, writeResponse } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import { checkOf, nodeOf } from '../model/catalog.ts';
import {
  type Behavior,
  createSession,
  endSession,
  type Session,
  sessionOf,
  sessionsOf,
} from '../model/sessions.ts';
import type { Transaction } from '../model/tables.ts';
import { checkTenancy } from '../read-parameters.ts';
import { filterVisible, requirePermission } from '../require-permission.ts';

type SessionInput = Omit<Session, 'ID' | 'CreateIndex' | 'ModifyIndex'>;

/** Seconds. */
const lockDelaySeconds = { default: 15, max: 60 };
const ttlSeconds = { min: 10, max: 24 * 3600 };

/**
 * Creates a session, by default of the agent's node and bound to its health
 * (docs/protocol/registry.md#sessions).
 */
export async function createSessionRoute(call: Call): Promise<HttpResponse> {
  const { permissions, registry, request } = call;
  const input = await decodeFields(request, 'Request decode failed', readSession);
  requirePermission(permissions, 'session:write', input.Node);
  const ID = uuid(registry.random);
  const session = await registry.state.update((transaction) => {
    checkHealth(transaction, input);
    return createSession(transaction, { ID, ...input });
  });
  registry.sessionExpiry.restart(session);
  return writeResponse(call, { ID });
}

function readSession(fields: Fields): SessionInput {
  const TTL = fields.string('TTL');
  const seconds = parseDuration(TTL);
  if (seconds === undefined)
    throw new HttpError(500, `Session TTL '${TTL}' invalid: time: invalid duration "${TTL}"`);
  if (TTL !== '' && (seconds < ttlSeconds.min || seconds > ttlSeconds.max)) {
    const bounds = `[${formatDuration(ttlSeconds.min)}=${formatDuration(ttlSeconds.max)}]`;
    throw new HttpError(500, `Invalid Session TTL '${seconds * 1e9}', must be between ${bounds}`);
  }
  const serviceChecks = fields.list('ServiceChecks').map((each) => new Fields(each, 'ServiceChecks'));
  for (const each of serviceChecks) checkTenancy(each);
  const checksField = fields.has('NodeChecks') ? 'NodeChecks' : fields.has('Checks') ? 'Checks' : undefined;
  return {
    Name: fields.string('Name'),
    Node: fields.string('Node') || agentNode,
    LockDelay: readLockDelay(fields),
    Behavior: parseBehavior(fields.string('Behavior')),
    TTL,
    NodeChecks: checksField === undefined ? ['serfHealth'] : fields.strings(checksField),
    ServiceChecks: serviceChecks.map((each) => each.string('ID')),
  };
}

/** Nanoseconds. A duration, or a number: of seconds if it is small, else of nanoseconds. */
function readLockDelay(fields: Fields): number {
  const value = fields.get('LockDelay');
  const isSeconds = typeof value === 'number' && value < 1_000_000;
  const seconds = isSeconds ? value : (fields.duration('LockDelay') ?? lockDelaySeconds.default);
  if (seconds < 0) throw new FieldError('LockDelay must not be negative');
  return Math.round(Math.min(seconds, lockDelaySeconds.max) * 1e9);
}

function parseBehavior(text: string): Behavior {
  if (text === '') return 'release';
  if (text === 'release' || text === 'delete') return text;
  throw new HttpError(500, `Invalid Behavior setting '${text}'`);
}

function checkHealth(transaction: Transaction, { Node, NodeChecks, ServiceChecks = [] }: SessionInput): void {
  const failed = (reason: string) => new HttpError(500, `apply failed: ${reason}`);
  if (!nodeOf(transaction, Node)) throw failed('Missing node registration');
  for (const id of [...NodeChecks, ...ServiceChecks]) {
    const check = checkOf(transaction, Node, id);
    if (!check) throw failed(`Missing check '${id}' registration`);
    if (check.Status === 'critical') throw failed(`Check '${id}' is in critical state`);
  }
}

/** Ends a session, if it exists. */
export async function destroySession(call: Call): Promise<HttpResponse> {
  const { permissions, params, registry } = call;
  const id = params.id ?? '';
  const session = sessionOf(registry.state.view, id);
  if (session) {
    requirePermission(permissions, 'session:write', session.Node);
    await registry.state.update((transaction) => endSession(transaction, id));
  }
  return writeResponse(call, true);
}

export function renewSession(call: Call): HttpResponse {
  const { permissions, params, registry } = call;
  const session = sessionOf(registry.state.view, params.id ?? '');
  if (!session) throw new HttpError(404, `Session id '${params.id}' not found`);
  requirePermission(permissions, 'session:write', session.Node);
  registry.sessionExpiry.restart(session);
  return writeResponse(call, [sessionView(session)]);
}

/** A session, as a list of one; of none if it does not exist or may not be read. */
export function sessionInfo(call: Call): Promise<HttpResponse> {
  const { permissions, params } = call;
  return blockingQuery(call, ['sessions'], (view) => {
    const session = sessionOf(view, params.id ?? '');
    if (!session) return { value: [] };
    if (!permissions.allows('session:read', session.Node)) return { value: [], filtered: true };
    return { value: [sessionView(session)], index: session.ModifyIndex };
  });
}

export function listSessions(call: Call): Promise<HttpResponse> {
  const { permissions, params } = call;
  return blockingQuery(call, ['sessions'], async (view) => {
    const all = await sessionsOf(view, params.node);
    const { items, filtered } = await filterVisible(all, ({ Node }) =>
      permissions.allows('session:read', Node),
    );
    return { value: await mapInSlices(items, sessionView), filtered };
  });
}

const sessionView = ({ ServiceChecks = [], CreateIndex, ModifyIndex, ...rest }: Session): object => ({
  ...rest,
  ServiceChecks: ServiceChecks.length > 0 ? ServiceChecks.map((ID) => ({ ID, Namespace: '' })) : null,
  CreateIndex,
  ModifyIndex,
});
