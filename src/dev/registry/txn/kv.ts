import type { Authority } from '../acl/authority.ts';
import { visible } from '../http/demand.ts';
import { invalidSession } from '../routes/kv.ts';
import type { Draft } from '../state/draft.ts';
import {
  casDeleteEntry,
  casEntry,
  deleteEntry,
  deleteTree,
  type Entry,
  entryAnswer,
  entryOf,
  lockEntry,
  setEntry,
  unlockEntry,
} from '../state/kv.ts';
import { sessionOf } from '../state/sessions.ts';
import { demandFor, OperationFailure, stale } from './failure.ts';
import type { KvOperation } from './operation.ts';

/** What the verbs of keys are done with. */
export interface KvParts {
  readonly draft: Draft;
  readonly authority: Authority;
  readonly lockDelayed: (key: string) => boolean;
  /** Told when something is left out that the caller may not see. */
  readonly hide: () => void;
}

type Verb = (parts: KvParts, operation: KvOperation) => readonly object[];

const empty: Entry = { LockIndex: 0, Flags: 0, Value: '', CreateIndex: 0, ModifyIndex: 0 };

const verbs: Readonly<Record<string, Verb>> = {
  set: writing(({ draft }, { key, ...rest }) => done(key, setEntry(draft, key, contentOf(rest)))),
  cas: writing(({ draft }, { key, index, ...rest }) => {
    const entry = casEntry(draft, key, contentOf(rest), index);
    if (!entry) throw stale(`set key "${key}"`);
    return done(key, entry);
  }),
  lock: writing(({ draft, lockDelayed }, { key, session, ...rest }) => {
    if (lockDelayed(key)) throw new OperationFailure(`failed to lock key "${key}" due to lock delay`);
    if (!sessionOf(draft, session)) throw new OperationFailure(invalidSession(session));
    const entry = lockEntry(draft, key, contentOf(rest), session);
    if (!entry) throw new OperationFailure(`failed to lock key "${key}", lock is already held`);
    return done(key, entry);
  }),
  unlock: writing(({ draft }, { key, session, ...rest }) => {
    if (session === '') throw new OperationFailure(invalidSession(session));
    const entry = unlockEntry(draft, key, contentOf(rest), session);
    if (entry) return done(key, entry);
    throw new OperationFailure(
      `failed to unlock key "${key}", lock isn't held, or is held by another session`,
    );
  }),
  delete: writing(({ draft }, { key }) => {
    deleteEntry(draft, key);
    return [];
  }),
  'delete-cas': writing(({ draft }, { key, index }) => {
    if (!casDeleteEntry(draft, key, index)) throw stale(`delete key "${key}"`);
    return [];
  }),
  'delete-tree': ({ draft, authority }, { key }) => {
    if (!authority.mayWriteBelow(key)) throw new OperationFailure(authority.denial('key:write', key));
    deleteTree(draft, key);
    return [];
  },
  get: reading(({ draft }, { key }) => {
    const entry = entryOf(draft, key);
    if (!entry) throw new OperationFailure(`key "${key}" doesn't exist`);
    return [answerOf(key, entry, true)];
  }),
  'get-or-empty': reading(({ draft }, { key }) => [answerOf(key, entryOf(draft, key) ?? empty, true)]),
  'get-tree': ({ draft, authority, hide }, { key: prefix }) => {
    const all = draft.keys('kv', prefix);
    const { items, filtered } = visible(all, (key) => authority.may('key:read', key));
    if (filtered) hide();
    return items.map((key) => answerOf(key, entryOf(draft, key) ?? empty, true));
  },
  'check-index': reading(({ draft }, { key, index }) => {
    const entry = entryOf(draft, key);
    if (!entry) throw new OperationFailure(`failed to check index, key "${key}" doesn't exist`);
    if (entry.ModifyIndex === index) return done(key, entry);
    throw new OperationFailure(
      `failed index check for key "${key}", current modify index ${entry.ModifyIndex} != ${index}`,
    );
  }),
  'check-session': reading(({ draft }, { key, session }) => {
    const entry = entryOf(draft, key);
    if (!entry) throw new OperationFailure(`failed to check session, key "${key}" doesn't exist`);
    const { Session = '' } = entry;
    if (Session === session) return done(key, entry);
    throw new OperationFailure(
      `failed session check for key "${key}", current session "${Session}" != "${session}"`,
    );
  }),
  'check-not-exists': reading(({ draft }, { key }) => {
    if (entryOf(draft, key)) throw new OperationFailure(`key "${key}" exists`);
    return [];
  }),
};

/** Does one operation on keys. @returns its results. @throws OperationFailure */
export function doKv(parts: KvParts, operation: KvOperation): readonly object[] {
  const verb = Object.hasOwn(verbs, operation.verb) ? verbs[operation.verb] : undefined;
  if (!verb) throw new OperationFailure(`unknown KV operation: ${operation.verb}`);
  if (operation.key === '' && !operation.verb.endsWith('-tree'))
    throw new OperationFailure('Must provide key');
  return verb(parts, operation);
}

function writing(verb: Verb): Verb {
  return (parts, operation) => {
    demandFor(parts.authority, 'key:write', operation.key);
    return verb(parts, operation);
  };
}

function reading(verb: Verb): Verb {
  return (parts, operation) => {
    demandFor(parts.authority, 'key:read', operation.key);
    return verb(parts, operation);
  };
}

function contentOf({ value, flags }: Pick<KvOperation, 'value' | 'flags'>) {
  return { Value: value, Flags: flags };
}

function done(key: string, entry: Entry): readonly object[] {
  return [answerOf(key, entry, false)];
}

function answerOf(key: string, entry: Entry, withValue: boolean): object {
  return { KV: entryAnswer(key, entry, withValue) };
}
