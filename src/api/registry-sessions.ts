import * as v from 'valibot';
import type { SessionFields } from '../objects/registry-session.ts';
import { checked, checkedList, integer, onlyTrue, text, texts } from './decode.ts';
import { type InDatacenter, inDatacenter, operationBuilders } from './operation-builders.ts';
import { kvEntries } from './registry-kv.ts';

const { get, put } = operationBuilders('registry');

const session = v.looseObject({
  ID: v.string(),
  Name: text,
  Node: v.string(),
  /** In nanoseconds. */
  LockDelay: integer,
  /** What happens to locked keys: `release` or `delete`. */
  Behavior: v.string(),
  /** A duration; empty: unlimited. */
  TTL: text,
  NodeChecks: texts,
  ServiceChecks: v.nullish(v.array(v.looseObject({ ID: v.string() }))),
  CreateIndex: integer,
  ModifyIndex: integer,
});

export type Session = v.InferOutput<typeof session>;

/** Of a session that does not exist, or that the token may not read: an empty list. */
const sessions = checkedList(session);
const newSession = checked(v.looseObject({ ID: v.string() }));

interface WithId extends InDatacenter {
  session: string;
}

/** Durations are text, such as `15s`. */
type NewSession = InDatacenter & SessionFields;

/** A key that a session locks. Its value is empty. */
interface LockedBy extends InDatacenter {
  key: string;
  flags: string;
  content: Uint8Array;
}

const createPath = '/v1/session/create';
const keyPath = '/v1/kv/{*key}';
const lockedKey = {
  retry: 'repeat',
  body: 'content',
  contentType: 'application/octet-stream',
} as const;

/** Sessions, and the keys that they lock (docs/protocol/registry.md#sessions). */
export const sessionOperations = {
  listSessions: get<InDatacenter>('list sessions', '/v1/session/list', inDatacenter)(sessions),
  listNodeSessions: get<InDatacenter & { node: string }>(
    'list sessions',
    '/v1/session/node/{node}',
    inDatacenter,
  )(sessions),
  readSession: get<WithId>('read session', '/v1/session/info/{session}', inDatacenter)(sessions),
  createSession: put<NewSession>('create session', createPath, inDatacenter)(newSession),
  /** With a TTL: after a lost response it expires unused. */
  createExpiringSession: put<NewSession & { TTL: string }>(
    'create session',
    createPath,
    inDatacenter,
  )(newSession),
  renewSession: put<WithId>('renew session', '/v1/session/renew/{session}', {
    ...inDatacenter,
    body: undefined,
    retry: 'repeat',
  })(sessions),
  /** Also succeeds if the session does not exist. */
  deleteSession: put<WithId>('delete session', '/v1/session/destroy/{session}', {
    ...inDatacenter,
    body: undefined,
  })(onlyTrue),

  /** The session that holds the lock may repeat it. */
  lockKey: put<LockedBy & { acquire: string }>('lock key', keyPath, {
    ...lockedKey,
    query: ['dc', 'flags', 'acquire'],
  })(checked(v.boolean())),
  unlockKey: put<LockedBy & { release: string }>('unlock key', keyPath, {
    ...lockedKey,
    query: ['dc', 'flags', 'release'],
  })(checked(v.boolean())),
  /** A blocking query: the response comes after a change since the index, or after the time. */
  awaitKey: get<InDatacenter & { key: string; index?: string; wait: string; consistent: '' }>(
    'read key',
    keyPath,
    { query: ['dc', 'index', 'wait', 'consistent'] },
  )(kvEntries),
} as const;
