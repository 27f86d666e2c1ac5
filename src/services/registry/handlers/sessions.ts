import { formatDuration, parseDuration } from '../../../wire/duration.ts';
import type { Json } from '../../../wire/json.ts';
import { FieldError } from '../../core/http/decode-body.ts';
import { HttpError } from '../../core/http/http-service.ts';
import { mapInSlices } from '../../core/in-slices.ts';
import { toSeconds } from '../../core/schema/go-rules.ts';
import * as s from '../../core/schema/types.ts';
import { uuid } from '../../core/uuid.ts';
import { agentNode } from '../agent-node.ts';
import { blockingQuery, writeResponse } from '../blocking-query.ts';
import { operations, readOperations } from '../call.ts';
import { checkOf, nodeOf } from '../model/catalog.ts';
import {
  type Behavior,
  createSession,
  endSession,
  type Session,
  session,
  sessionOf,
  sessionsOf,
} from '../model/sessions.ts';
import type { Transaction } from '../model/tables.ts';
import { tenancyFields, written } from '../read-parameters.ts';
import { filterVisible, requirePermission } from '../require-permission.ts';

/** Seconds. */
const lockDelaySeconds = { default: 15, max: 60 };
const ttlSeconds = { min: 10, max: 24 * 3600 };

const operation = operations('Sessions');
const readOperation = readOperations('Sessions');

const checks = (description: string) => s.optional(s.list(s.string(), description));

/** A session in a request. */
const sessionInput = s.named(
  'Session',
  s.object({
    Name: s.string(),
    Node: s.string('Default: the node of the agent.'),
    LockDelay: s.optional(
      s.converted(
        s.described(
          'A duration, at most 60s, or a number of seconds or nanoseconds. Default: 15s.',
          s.either(s.string(), s.number()),
        ),
        readLockDelay,
      ),
    ),
    Behavior: s.string('`release` (default) or `delete`.'),
    TTL: s.string('A duration from 10s to 24h; default: unlimited.'),
    NodeChecks: checks('Checks of the node; default: `serfHealth`.'),
    Checks: checks('The earlier name of `NodeChecks`.'),
    ServiceChecks: s.list(s.object({ ID: s.required(s.string()), ...tenancyFields })),
  }),
);

/** Creates a session, by default of the agent's node and bound to its health (docs/protocol/registry.md#sessions). */
export const createSessionRoute = operation('createSession', 'Create a session', {
  body: sessionInput,
  bodyError: 'Request decode failed',
  isBodyOptional: true,
  returns: s.object({ ID: s.string() }),
  async handle(call) {
    const { permissions, registry } = call;
    const draft = draftOf(await call.body());
    requirePermission(permissions, 'session:write', draft.Node);
    const ID = uuid(registry.random);
    const created = await registry.state.update((transaction) => {
      checkHealth(transaction, draft);
      return createSession(transaction, { ID, ...draft });
    });
    registry.sessionExpiry.restart(created);
    return writeResponse(call, { ID });
  },
});

type Draft = Omit<Session, 'ID' | 'CreateIndex' | 'ModifyIndex'>;

/** @throws HttpError 400, 500 */
function draftOf({ Name, Node, LockDelay, TTL, ...input }: s.Input<typeof sessionInput>): Draft {
  const seconds = parseDuration(TTL);
  if (seconds === undefined)
    throw new HttpError(500, `Session TTL '${TTL}' invalid: time: invalid duration "${TTL}"`);
  if (TTL !== '' && (seconds < ttlSeconds.min || seconds > ttlSeconds.max)) {
    const bounds = `[${formatDuration(ttlSeconds.min)}=${formatDuration(ttlSeconds.max)}]`;
    throw new HttpError(500, `Invalid Session TTL '${seconds * 1e9}', must be between ${bounds}`);
  }
  return {
    Name,
    Node: Node || agentNode,
    LockDelay: LockDelay ?? lockDelaySeconds.default * 1e9,
    Behavior: behaviorOf(input.Behavior),
    TTL,
    NodeChecks: input.NodeChecks ?? input.Checks ?? ['serfHealth'],
    ServiceChecks: input.ServiceChecks.map(({ ID }) => ID),
  };
}

/** Nanoseconds. A duration, or a number: of seconds if it is small, else of nanoseconds. */
function readLockDelay(value: Json): number {
  const isSeconds = typeof value === 'number' && value < 1_000_000;
  const seconds = isSeconds ? value : toSeconds(value);
  if (seconds === undefined) throw new Error('a duration');
  if (seconds < 0) throw new FieldError('LockDelay must not be negative');
  return Math.round(Math.min(seconds, lockDelaySeconds.max) * 1e9);
}

function behaviorOf(text: string): Behavior {
  if (text === '') return 'release';
  if (text === 'release' || text === 'delete') return text;
  throw new HttpError(500, `Invalid Behavior setting '${text}'`);
}

function checkHealth(transaction: Transaction, { Node, NodeChecks, ServiceChecks = [] }: Draft): void {
  const failed = (reason: string) => new HttpError(500, `apply failed: ${reason}`);
  if (!nodeOf(transaction, Node)) throw failed('Missing node registration');
  for (const id of [...NodeChecks, ...ServiceChecks]) {
    const check = checkOf(transaction, Node, id);
    if (!check) throw failed(`Missing check '${id}' registration`);
    if (check.Status === 'critical') throw failed(`Check '${id}' is in critical state`);
  }
}

/** Ends a session, if it exists. */
export const destroySession = operation('destroySession', 'End a session', {
  returns: written,
  async handle(call) {
    const { permissions, params, registry } = call;
    const id = params.id ?? '';
    const found = sessionOf(registry.state.view, id);
    if (found) {
      requirePermission(permissions, 'session:write', found.Node);
      await registry.state.update((transaction) => endSession(transaction, id));
    }
    return writeResponse(call, true);
  },
});

export const renewSession = operation('renewSession', 'Restart the TTL of a session', {
  returns: s.list(session),
  errors: [404],
  handle(call) {
    const { permissions, params, registry } = call;
    const found = sessionOf(registry.state.view, params.id ?? '');
    if (!found) throw new HttpError(404, `Session id '${params.id}' not found`);
    requirePermission(permissions, 'session:write', found.Node);
    registry.sessionExpiry.restart(found);
    return writeResponse(call, [sessionView(found)]);
  },
});

export const sessionInfo = readOperation('getSession', 'Read a session; an empty array if missing', {
  returns: s.list(session),
  handle: (call) =>
    blockingQuery(call, ['sessions'], (view) => {
      const found = sessionOf(view, call.params.id ?? '');
      if (!found) return { value: [] };
      if (!call.permissions.allows('session:read', found.Node)) return { value: [], filtered: true };
      return { value: [sessionView(found)], index: found.ModifyIndex };
    }),
});

export const listSessions = readOperation('listSessions', 'List sessions', {
  returns: s.list(session),
  handle: (call) =>
    blockingQuery(call, ['sessions'], async (view) => {
      const all = await sessionsOf(view, call.params.node);
      const { items, filtered } = await filterVisible(all, ({ Node }) =>
        call.permissions.allows('session:read', Node),
      );
      return { value: await mapInSlices(items, sessionView), filtered };
    }),
});

const sessionView = ({ ServiceChecks = [], ...rest }: Session): object => ({
  ...rest,
  ServiceChecks: ServiceChecks.length > 0 ? ServiceChecks.map((ID) => ({ ID, Namespace: '' })) : null,
});
