/** What sshd logged about one connection (OpenSSH 8.5 and later). */
export interface ServerLog {
  /** The user that the client named; undefined: not logged. */
  readonly user: string | undefined;
  /** The address of the client; undefined: not logged. */
  readonly address: string | undefined;
  readonly isAccepted: boolean;
  readonly reasons: readonly ServerReason[];
  /** The fingerprint of the CA of a certificate that failed. */
  readonly failedCa: string | undefined;
}

/** Why sshd rejected a login. `values` are the parts of the line that name something. */
export interface ServerReason {
  readonly kind: ServerReasonKind;
  readonly values: readonly string[];
  /** The line of the log, without the prefix of syslog. */
  readonly line: string;
}

export type ServerReasonKind =
  | 'expired'
  | 'not yet valid'
  | 'name not listed'
  | 'no authorized principal'
  | 'no principals'
  | 'source address'
  | 'critical option'
  | 'forced command'
  | 'revocation list'
  | 'revoked'
  | 'CA signature'
  | 'key algorithm'
  | 'not allowed'
  | 'account'
  | 'unknown user'
  | 'root login'
  | 'too many failures'
  | 'file modes'
  | 'one-time password'
  | 'PAM account';

const patterns: readonly (readonly [ServerReasonKind, RegExp])[] = [
  ['expired', /Certificate invalid: expired/],
  ['not yet valid', /Certificate invalid: not yet valid/],
  ['name not listed', /Certificate invalid: name is not a listed principal/],
  ['no authorized principal', /Certificate does not contain an authorized principal/],
  ['no principals', /Certificate lacks principal list/],
  ['source address', /not from a permitted source address \((.*)\)/],
  ['critical option', /[Cc]ertificate critical option "?([^" ]*)"? is not supported/],
  ['forced command', /forced command options do not match/],
  ['revocation list', /Error checking authentication key .* in revoked keys file (.*): (.*)/],
  ['revoked', /Authentication key (\S+) (\S+) revoked by file (.*)/],
  ['CA signature', /certificate signature algorithm (\S+): signature algorithm not supported/],
  ['key algorithm', /signature algorithm (\S+) not in PubkeyAccepted(?:Algorithms|KeyTypes)/],
  ['not allowed', /User (\S+) from \S+ not allowed because (.*)/],
  ['account', /User (\S+) not allowed because (.*)/],
  ['unknown user', /Invalid user (\S*) from /],
  ['root login', /ROOT LOGIN REFUSED/],
  ['too many failures', /maximum authentication attempts exceeded for/],
  ['file modes', /Authentication refused(?: for \S+)?: (bad owner.*)/],
  ['PAM account', /Access denied for user (\S+) by PAM account configuration/],
  ['one-time password', /^(?:lanyard: )?rejected ".*" from ".*": (.*)/],
];

/**
 * Reads the last connection of a user in a log of sshd, as syslog, journalctl or `sshd -E` write it, or in the log of
 * `lanyard ssh verify --pam`.
 *
 * @param user whose connection; without one in the log, the last connection of any user.
 * @returns undefined: the log has no connection.
 */
export function readServerLog(text: string, user: string): ServerLog | undefined {
  const all = connectionsOf(text).map(readConnection);
  const known = all.filter(({ isKnown }) => isKnown);
  return (
    known.findLast((found) => found.user === user) ?? known.findLast((found) => found.user === undefined)
  );
}

/** `Nov 27 20:45:27 web1 sshd[123]: text`: the process, and the text. Newer versions: `sshd-session`, `sshd-auth`. */
const prefix = /^.*?\bsshd(?:-session|-auth)?\[(\d+)\]:? /;

/** The lines of each connection: of a process where the log names it, else from `Connection from` on. */
function connectionsOf(text: string): string[][] {
  const connections = new Map<string, string[]>();
  let count = 0;
  for (const line of text.split(/\r?\n/)) {
    const [found, pid] = prefix.exec(line) ?? [];
    const rest = (found === undefined ? line : line.slice(found.length)).replace(/ \[preauth\]$/, '');
    if (rest.startsWith('Connection from ')) count += 1;
    const key = pid ?? `${count}`;
    connections.set(key, [...(connections.get(key) ?? []), rest]);
  }
  return [...connections.values()];
}

function readConnection(lines: readonly string[]) {
  const match = (pattern: RegExp): RegExpExecArray | undefined =>
    lines.map((line) => pattern.exec(line)).findLast((found) => found !== null) ?? undefined;
  const attempt = match(/^(?:Failed|Accepted|Postponed) \S+ for (?:invalid user )?(\S+) from (\S+)/);
  const named = match(/\b(?:user|User|failures? for) (\S+) (?:from )?(\S+)/);
  const otp = match(/^(?:lanyard: )?(?:accepted|rejected) "(.*?)" from "(.*?)"/);
  const reasons = lines.flatMap(reasonOf);
  const isAccepted = match(/^Accepted \S+ for /) !== undefined;
  const failedCa = match(/^Failed publickey for .*-CERT .* CA \S+ (SHA256:\S+)/)?.[1];
  return {
    user: attempt?.[1] ?? otp?.[1] ?? named?.[1],
    address: attempt?.[2] ?? otp?.[2] ?? match(/^Connection from (\S+) port /)?.[1],
    isAccepted,
    reasons,
    failedCa,
    isKnown: isAccepted || reasons.length > 0 || attempt !== undefined || named !== undefined,
  };
}

function reasonOf(line: string): ServerReason[] {
  for (const [kind, pattern] of patterns) {
    const found = pattern.exec(line);
    if (found) return [{ kind, values: found.slice(1), line }];
  }
  return [];
}
