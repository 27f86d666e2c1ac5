import { formatDuration, parseDuration } from '../../../wire/duration.ts';
import type { Json } from '../../../wire/json.ts';
import { decode, FieldError, Fields } from '../../http/fields.ts';
import { type Answer, HttpRefusal } from '../../http/service.ts';
import { uuid } from '../../uuid.ts';
import type { Call } from '../http/call.ts';
import { demand, visible } from '../http/demand.ts';
import { read, written } from '../http/read.ts';
import { agentNode } from '../place.ts';
import { checkOf, nodeOf } from '../state/catalog.ts';
import type { Draft } from '../state/draft.ts';
import {
  type Behavior,
  createSession,
  endSession,
  type Session,
  sessionOf,
  sessionsOf,
} from '../state/sessions.ts';

type Wanted = Omit<Session, 'ID' | 'CreateIndex' | 'ModifyIndex'>;

/** Seconds. */
const lockDelay = { usual: 15, longest: 60 };
const ttl = { shortest: 10, longest: 24 * 3600 };

/**
 * Makes a session: of the agent's node and bound to its health, if nothing else is said
 * (docs/protocol/registry.md#sessions).
 */
export async function createSessionRoute(call: Call): Promise<Answer> {
  const { authority, registry, request } = call;
  const wanted = await decode(request, 'Request decode failed', readSession);
  demand(authority, 'session:write', wanted.Node);
  const ID = uuid(registry.random);
  const session = await registry.state.change((draft) => {
    checkHealth(draft, wanted);
    return createSession(draft, { ID, ...wanted });
  });
  registry.times.begin(session);
  return written(call, { ID });
}

function readSession(body: Json | undefined): Wanted {
  const fields = new Fields(body ?? {});
  const TTL = fields.text('TTL');
  const seconds = parseDuration(TTL);
  if (seconds === undefined) throw new HttpRefusal(500, `Session TTL '${TTL}' invalid: it is not a duration`);
  if (TTL !== '' && (seconds < ttl.shortest || seconds > ttl.longest)) {
    const bounds = `[${formatDuration(ttl.shortest)}=${formatDuration(ttl.longest)}]`;
    throw new HttpRefusal(500, `Invalid Session TTL '${seconds * 1e9}', must be between ${bounds}`);
  }
  const named = fields.has('NodeChecks') ? 'NodeChecks' : fields.has('Checks') ? 'Checks' : undefined;
  return {
    Name: fields.text('Name'),
    Node: fields.text('Node') || agentNode,
    LockDelay: lockDelayOf(fields),
    Behavior: behaviorOf(fields.text('Behavior')),
    TTL,
    NodeChecks: named === undefined ? ['serfHealth'] : fields.texts(named),
  };
}

/** Nanoseconds. A duration; or a number, which means seconds where it is too small for anything else. */
function lockDelayOf(fields: Fields): number {
  const value = fields.get('LockDelay');
  const small = typeof value === 'number' && value < 1_000_000;
  const seconds = small ? value : (fields.duration('LockDelay') ?? lockDelay.usual);
  if (seconds < 0) throw new FieldError('LockDelay must not be negative');
  return Math.round(Math.min(seconds, lockDelay.longest) * 1e9);
}

function behaviorOf(text: string): Behavior {
  if (text === '') return 'release';
  if (text === 'release' || text === 'delete') return text;
  throw new HttpRefusal(500, `Invalid Behavior setting '${text}'`);
}

function checkHealth(draft: Draft, { Node, NodeChecks }: Wanted): void {
  if (!nodeOf(draft, Node)) throw new HttpRefusal(500, 'Missing node registration');
  for (const id of NodeChecks) {
    const check = checkOf(draft, Node, id);
    if (!check) throw new HttpRefusal(500, `Missing check '${id}' registration`);
    if (check.Status === 'critical') throw new HttpRefusal(500, `Check '${id}' is in critical state`);
  }
}

/** Ends a session; one that does not exist is ended already. */
export async function destroySession(call: Call): Promise<Answer> {
  const { authority, params, registry } = call;
  const id = params.id ?? '';
  const session = sessionOf(registry.state.view, id);
  if (session) {
    demand(authority, 'session:write', session.Node);
    await registry.state.change((draft) => endSession(draft, id));
  }
  return written(call, true);
}

/** Begins a session's time to live anew. */
export function renewSession(call: Call): Answer {
  const { authority, params, registry } = call;
  const session = sessionOf(registry.state.view, params.id ?? '');
  if (!session) throw new HttpRefusal(404, `Session id '${params.id}' not found`);
  demand(authority, 'session:write', session.Node);
  registry.times.begin(session);
  return written(call, [answerOf(session)]);
}

/** One session: a list of one, or of none. */
export function sessionInfo(call: Call): Promise<Answer> {
  const { authority, params } = call;
  return read(call, ['sessions'], (view) => {
    const session = sessionOf(view, params.id ?? '');
    if (!session) return { value: [] };
    demand(authority, 'session:read', session.Node);
    return { value: [answerOf(session)], index: session.ModifyIndex };
  });
}

/** The sessions of one node, or all. */
export function listSessions(call: Call): Promise<Answer> {
  const { authority, params } = call;
  return read(call, ['sessions'], (view) => {
    const all = sessionsOf(view, params.node);
    const { items, filtered } = visible(all, ({ Node }) => authority.may('session:read', Node));
    return { value: items.map(answerOf), filtered };
  });
}

function answerOf(session: Session): object {
  return { ...session, ServiceChecks: null };
}
