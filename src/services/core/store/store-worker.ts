import { databaseApplicationId } from '../../data-directory.ts';

/**
 * The thread that owns the SQLite file, as source text: unlike a separate file, text can be started from
 * TypeScript sources, from a bundle and from a single executable.
 *
 * It gets `{ path }` as worker data and responds with `{ rows, hasMore }` (alternating keys and values) or `{ error
 * }`, and with the next rows to the message `'more'`. To each message of changes (alternating keys and values or nulls) it responds with `{}` once they are
 * on disk, with the changes of the messages `{ part }` before it, or `{ error }` with none of them stored. The message `'compact'` rewrites the file; the message
 * `null` closes it. An error is `{ kind, message }`, kind one of locked, foreign, newer, damaged, full,
 * other.
 * - WAL with synchronous=FULL: a commit is on disk when it returns.
 * - locking_mode=EXCLUSIVE: a second process (or a second store in this one) is rejected, and no lock
 *   outlives a killed process.
 * - node:sqlite prints a warning on Node 22 that it is experimental; only that warning is suppressed.
 */
export const workerSource = `'use strict';
const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads');
const emitWarning = process.emitWarning;
process.emitWarning = (warning, ...rest) => {
  if (!String(warning).startsWith('SQLite is an experimental feature')) emitWarning.call(process, warning, ...rest);
};
const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
const kinds = { 5: 'locked', 6: 'locked', 11: 'damaged', 13: 'full', 26: 'damaged' };
const storeError = (kind, message) => Object.assign(new Error(message), { kind });
const failure = (error) => ({
  error: { kind: error.kind ?? kinds[error.errcode & 0xff] ?? 'other', message: error.message },
});
const applicationId = ${databaseApplicationId};
/** Keys and values of one response: all rows at once would be in memory twice. */
const maxRowsLength = 8192;
let database;
let stored;
let put;
let remove;
let parts = [];

function check() {
  const owner = database.prepare('PRAGMA application_id').get().application_id;
  const version = database.prepare('PRAGMA user_version').get().user_version;
  const tables = database.prepare('SELECT count(*) AS n FROM sqlite_schema').get().n;
  if (owner !== applicationId && tables > 0) throw storeError('foreign', 'the file belongs to another program');
  if (version > 1) throw storeError('newer', 'the file has format ' + version);
  return tables;
}

function open() {
  database = new DatabaseSync(workerData.path);
  database.exec('PRAGMA locking_mode=EXCLUSIVE');
  // Checked before any write: the database of another program is not changed.
  check();
  database.exec('PRAGMA temp_store=MEMORY; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; BEGIN IMMEDIATE');
  if (check() === 0) {
    database.exec('CREATE TABLE entries (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT; '
      + 'PRAGMA application_id=' + applicationId + '; PRAGMA user_version=1');
  }
  database.exec('COMMIT');
  const result = database.prepare('PRAGMA quick_check(1)').get().quick_check;
  if (result !== 'ok') throw storeError('damaged', result);
  put = database.prepare('INSERT INTO entries VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value');
  remove = database.prepare('DELETE FROM entries WHERE key = ?');
  stored = database.prepare('SELECT key, value FROM entries').iterate();
  return nextRows();
}

function nextRows() {
  const rows = [];
  while (rows.length < maxRowsLength) {
    const { done, value } = stored.next();
    if (done) return { rows, hasMore: false };
    rows.push(value.key, value.value);
  }
  return { rows, hasMore: true };
}

function commit(last) {
  const all = [...parts, last];
  parts = [];
  database.exec('BEGIN IMMEDIATE');
  try {
    for (const changes of all) {
      for (let at = 0; at < changes.length; at += 2) {
        if (changes[at + 1] === null) remove.run(changes[at]);
        else put.run(changes[at], changes[at + 1]);
      }
    }
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
  return {};
}

function compact() {
  database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
  return {};
}

function respond(work) {
  let message;
  try {
    message = work();
  } catch (error) {
    message = failure(error);
  }
  parentPort.postMessage(message);
}

parentPort.on('message', (changes) => {
  if (changes === 'more') return respond(nextRows);
  if (changes === 'compact') return respond(compact);
  if (changes?.part) return respond(() => {
    parts.push(changes.part);
    return {};
  });
  if (changes !== null) return respond(() => commit(changes));
  respond(() => {
    database.close();
    return {};
  });
  parentPort.close();
});
respond(open);
`;
