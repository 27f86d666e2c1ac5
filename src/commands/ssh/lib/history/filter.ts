import { flag, type Values } from '../../../../command/command.ts';
import { usage } from '../../../../errors.ts';
import { parseDuration, withoutDays } from '../../../../wire/duration.ts';
import { isValid, type SignedCertificate } from './entry.ts';

/** Which certificates are shown. */
export const filterFlags = {
  user: flag.name('NAME', 'requested by: display name, username or entity ID'),
  principal: flag.name('NAME', 'valid for this principal'),
  role: flag.name('ROLE', 'signed with this role', { completes: 'ssh-role' }),
  serial: flag.parsed('N', 'serial number, decimal or 0x and hexadecimal', parseSerial),
  keyId: flag.name('ID', 'with this key ID'),
  since: flag.name('TIME', 'signed since: date, time (RFC 3339) or duration (7d)'),
  until: flag.name('TIME', 'signed until, as --since'),
  valid: flag.boolean('still valid'),
} as const;

/** @throws LanyardError usage */
function parseSerial(text: string, name: string): string {
  if (!/^(\d{1,20}|0x[\da-f]{1,16})$/i.test(text))
    throw usage(`invalid ${name} "${text}": expected a decimal number, or 0x and hexadecimal digits`);
  return String(BigInt(text));
}

/**
 * A time of a flag, in unix milliseconds: a date (UTC), a time in RFC 3339, or a duration before now.
 *
 * @throws LanyardError usage
 */
export function parseTime(text: string, name: string, now: number): number {
  if (/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/i.test(text)) {
    const time = Date.parse(text);
    if (!Number.isNaN(time)) return time;
  }
  const seconds = parseDuration(withoutDays(text));
  if (seconds === undefined || seconds < 0 || text.trim() === '')
    throw usage(
      `invalid ${name} "${text}": expected a date (2026-11-27), a time (2026-11-27T08:00:00Z) or a duration (24h, 7d)`,
    );
  return now - seconds * 1000;
}

export interface Filter {
  /** Unix milliseconds. */
  readonly since: number | undefined;
  readonly until: number | undefined;
  /** undefined: it depends on a field that is not known. */
  matches(entry: SignedCertificate): boolean | undefined;
}

/** The filter of the flags. @param now unix milliseconds. @throws LanyardError usage: an invalid time */
export function filterOf(flags: Values<typeof filterFlags>, now: number): Filter {
  const { user, principal, role, serial, keyId, valid } = flags;
  const since = flags.since === undefined ? undefined : parseTime(flags.since, '--since', now);
  const until = flags.until === undefined ? undefined : parseTime(flags.until, '--until', now);
  if (since !== undefined && until !== undefined && since > until)
    throw usage('--since must be before --until');
  const equal = <Value>(wanted: Value | undefined, value: Value | undefined): boolean | undefined =>
    wanted === undefined || (value === undefined ? undefined : wanted === value);
  return {
    since,
    until,
    matches(entry) {
      const time = Date.parse(entry.time);
      const checks = [
        time >= (since ?? Number.NEGATIVE_INFINITY) && time <= (until ?? Number.POSITIVE_INFINITY),
        user === undefined || isUser(entry, user),
        equal(role, entry.role),
        equal(serial, entry.serial),
        equal(keyId, entry.keyId),
        principal === undefined || hasPrincipal(entry, principal),
        !valid || isValid(entry, now),
      ];
      return checks.includes(false) ? false : checks.includes(undefined) ? undefined : true;
    },
  };
}

/** A certificate without principals is valid for any. */
const hasPrincipal = ({ principals }: SignedCertificate, name: string): boolean | undefined =>
  principals && (principals.length === 0 || principals.includes(name));

/** Whether a certificate was requested by a user. */
export const isUser = ({ user, username, entityId }: SignedCertificate, name: string): boolean =>
  [user, username, entityId].includes(name);

/** How many certificates a filter could not decide on. */
export interface Undecided {
  count: number;
}

/** The certificates that match; those that may match are only counted. */
export async function* select(
  groups: AsyncIterable<readonly SignedCertificate[]>,
  filter: Filter,
  undecided: Undecided,
): AsyncGenerator<readonly SignedCertificate[]> {
  for await (const group of groups)
    yield group.filter((entry) => {
      const isMatching = filter.matches(entry);
      if (isMatching === undefined) undecided.count += 1;
      return isMatching === true;
    });
}
