import { factsOf, localCommands, sentOperations } from '../facts/facts.ts';
import { operationNamed } from '../support/reached-operations.ts';
import type { FaultClass } from './faults.ts';

/**
 * `read` changes nothing. `repeat` may be sent again without harm, such as signing a key. `write` is sent at most
 * once. `local` reaches no service.
 */
export type RowKind = 'read' | 'repeat' | 'write' | 'local';

/** `unreached`: nothing was sent. `sent`: the connection ended at once, when bytes may have left. */
export type Class = FaultClass | 'unreached' | 'sent';

/** The exit codes that a command may have after each class of faults. */
export type Codes = Readonly<Record<Class, readonly number[]>>;

export interface Row {
  readonly kind: RowKind;
  readonly codes: Codes;
  /** More exit codes where the service says 404: what the command reads is not there. */
  readonly absent?: readonly number[];
  /** A write without a response is settled by a read: 7 where that shows that nothing was written. */
  readonly readsBack?: true;
}

/** A read fails; nothing is ever unknown. */
const reads: Codes = {
  unreached: [7],
  sent: [7],
  lost: [7],
  broken: [1],
  foreign: [1],
  // 7: a redirect within the origin is followed, and the connection ends.
  redirect: [1, 7],
  gateway: [1, 7, 8],
  // Empty: by the status, see `rejections`.
  rejected: [],
  harmless: [0],
};

/** 0 only after the state was read back. */
const writes: Codes = {
  unreached: [7],
  sent: [7, 9],
  lost: [0, 9],
  broken: [0, 9],
  foreign: [0, 9],
  // It is not followed, and the service may have applied the write before.
  redirect: [0, 9],
  gateway: [0, 9],
  rejected: [],
  harmless: [0],
};

/** 7 only after the object was read back and is unchanged: then it may be run again. */
const applies: Codes = {
  ...writes,
  lost: [0, 7, 9],
  broken: [0, 7, 9],
  foreign: [0, 7, 9],
  redirect: [0, 7, 9],
  gateway: [0, 7, 9],
};

/** A report or a text that takes any text of the service. */
const texts: Codes = { ...reads, foreign: [0, 1] };

/** Reports what it finds, also where that is nothing. */
const reports: Codes = {
  unreached: [0, 7],
  sent: [0, 7],
  lost: [0, 1, 7],
  broken: [0, 1],
  foreign: [0, 1],
  redirect: [0, 1],
  gateway: [0, 1, 7, 8],
  rejected: [0, 1, 4, 5, 8],
  harmless: [0],
};

/** Waits until a service is available; here the time is up after the first read. */
const waits: Codes = {
  unreached: [8],
  sent: [8],
  lost: [8],
  broken: [1],
  foreign: [1, 8],
  redirect: [1, 8],
  gateway: [8],
  rejected: [0, 1, 2, 3, 4, 5, 8],
  harmless: [0],
};

/** A read of the address, which may fail as every read, then a write that may be sent again. */
const uploads: Codes = {
  ...reads,
  lost: [0, 7, 9],
  broken: [0, 1, 9],
  foreign: [0, 1, 9],
  redirect: [0, 1, 7, 9],
  gateway: [0, 1, 7, 8, 9],
};

/**
 * Calls that may be sent again, of which the last one, the release, may fail: the lock expires. 8: the response is that
 * of a lock that another process holds. 9: the session or the write that locks the variable may have taken effect.
 */
const locks: Codes = {
  unreached: [0, 7],
  sent: [0, 7, 9],
  lost: [0, 7, 9],
  broken: [0, 1, 9],
  foreign: [0, 1, 9],
  redirect: [0, 1, 7, 9],
  gateway: [0, 1, 7, 8, 9],
  rejected: [0, 1, 2, 3, 4, 5, 8],
  harmless: [0],
};

/** Goes on where the role cannot be read: signing needs no permission for that. */
const logins: Codes = { ...reads, rejected: [0, 1, 2, 3, 4, 5, 8] };

/** Forgets the token in any case, and ends with 9 where it was not revoked. */
const logouts: Codes = { ...writes, unreached: [9], sent: [9], rejected: [9] };

/** The files of a host stay in use while the service is unavailable. 2: the address is not one of the enrollment. */
const hostRenewals: Codes = {
  unreached: [0, 2],
  sent: [0, 2],
  lost: [0],
  broken: [0, 1],
  foreign: [0, 1],
  redirect: [0, 1],
  gateway: [0, 1],
  rejected: [0, 1, 2, 3, 4, 5, 8],
  harmless: [0],
};

/** The same exit code after every fault. */
const always = (code: number): Codes =>
  Object.fromEntries(Object.keys(reads).map((name) => [name, [code]])) as Record<Class, number[]>;

const classes = {
  /** Objects that are not there are differences. */
  plan: { kind: 'read', codes: reads, absent: [10] },
  apply: { kind: 'write', codes: applies, readsBack: true },
  // 2: the current token has no ID.
  'own token': { kind: 'read', codes: { ...reads, unreached: [2, 7], sent: [2, 7] } },
  login: { kind: 'read', codes: logins },
  wait: { kind: 'read', codes: waits },
  'wait for all': { kind: 'read', codes: { ...waits, broken: [0, 8], foreign: [0, 8], redirect: [0, 8] } },
  report: { kind: 'read', codes: reports },
  'any text': { kind: 'read', codes: texts },
  logout: { kind: 'write', codes: logouts },
  // The last request of an upload may be sent again.
  upload: { kind: 'repeat', codes: uploads },
  // Connects with the certificate that exists where it could not be renewed, and says so.
  proxy: { kind: 'repeat', codes: always(0) },
  // A record that cannot be written is a warning.
  sign: { kind: 'repeat', codes: reads },
  // 2: the certificates are of the service at another address, and are not renewed here.
  renewal: { kind: 'repeat', codes: { ...reads, unreached: [2, 7], sent: [2, 7] } },
  // A problem is the result of a check.
  diagnosis: { kind: 'read', codes: always(1) },
  // Shows what could not be checked; 1 if a response is wrong.
  'host status': { kind: 'read', codes: { ...hostRenewals, unreached: [0], sent: [0] } },
  'host renewal': { kind: 'repeat', codes: hostRenewals },
  lock: { kind: 'repeat', codes: locks },
  // The file of the step is missing, so that nothing is sent: other files would replace the state.
  'missing file': { kind: 'write', codes: always(2) },
} as const satisfies Readonly<Record<string, Row>>;

/** The commands with rules of their own. */
export type FaultRow = keyof typeof classes;

/** The exit codes for the error statuses of a service. */
export const rejections: Readonly<Record<number, readonly number[]>> = {
  400: [1],
  401: [4],
  403: [4, 5],
  404: [1, 2, 3],
  405: [1],
  422: [1],
  429: [8],
  500: [1],
};

/** How a command ends after faults: as the operations that it sends may be repeated, unless its row says otherwise. */
export function rowOf(command: string): Row {
  const { faults } = factsOf(command);
  if (faults !== undefined) return classes[faults];
  if (localCommands.includes(command)) return { kind: 'local', codes: always(0) };
  const retries = (sentOperations[command] ?? []).map((operation) => operationNamed(operation).retry);
  if (retries.some((retry) => retry === 'write' || retry === 'once')) return { kind: 'write', codes: writes };
  return { kind: retries.includes('repeat') ? 'repeat' : 'read', codes: reads };
}
