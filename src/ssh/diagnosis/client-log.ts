/** What `ssh -v` wrote about a login (OpenSSH 8.5 and later), for the last host that it tried to log in to. */
export interface ClientLog {
  /** How many hosts accepted a login: the jump hosts, then the host itself. */
  readonly authenticated: number;
  /** Why no connection was established. */
  readonly network: NetworkProblem | undefined;
  readonly hostKey: HostKeyReport;
  /** The authentication methods that the host offers; undefined: the login did not get that far. */
  readonly methods: readonly string[] | undefined;
  /** The keys that ssh offered, in order. */
  readonly offers: readonly Offer[];
  /** Why ssh could not use a key. */
  readonly keyProblems: readonly KeyProblem[];
  /** Why ssh could not use the agent. */
  readonly agentProblem: string | undefined;
  readonly hasTooManyFailures: boolean;
  /** The host rejected every method: `Permission denied`. */
  readonly isDenied: boolean;
  /** The host accepted one method, and requires another one. */
  readonly isPartial: boolean;
  readonly isPtyRejected: boolean;
  /** The last line that is an error of ssh. */
  readonly lastError: string | undefined;
}

export interface NetworkProblem {
  /**
   * `closed`: before the host identified itself; `not ssh`: another protocol; `negotiation`: no common algorithm;
   * `forwarding`: the jump host does not forward the connection.
   */
  readonly kind: 'name' | 'refused' | 'timeout' | 'closed' | 'not ssh' | 'negotiation' | 'forwarding';
  /** The message of ssh. */
  readonly text: string;
}

export interface HostKeyReport {
  /** Type and fingerprint of the key; undefined: not received. */
  readonly key: { readonly type: string; readonly fingerprint: string } | undefined;
  /** The host certificate, if the host has one. */
  readonly certificate: { readonly id: string; readonly caFingerprint: string } | undefined;
  /** Why ssh does not trust the key. */
  readonly problem: HostKeyProblem | undefined;
  /** The command that removes a key that has changed, as ssh suggests it. */
  readonly removal: string | undefined;
}

/** `invalid` has the reason of ssh: `name is not a listed principal`, `expired`, `not a host certificate`. */
export type HostKeyProblem =
  | { readonly kind: 'changed' | 'revoked' | 'unknown' | 'unknown CA' }
  | { readonly kind: 'invalid certificate'; readonly reason: string };

export interface Offer {
  readonly path: string;
  /** As ssh shows it: `ED25519`, `ED25519-CERT`. */
  readonly type: string;
  readonly fingerprint: string;
  readonly isFromAgent: boolean;
  /** The host would accept it, if ssh proves that it has the private key. */
  readonly isAccepted: boolean;
}

export interface KeyProblem {
  /** `mismatch`: the private key is not the one of the certificate; `algorithm`: ssh and the host have none in common. */
  readonly kind: 'permissions' | 'mismatch' | 'agent rejected' | 'signing' | 'unreadable' | 'algorithm';
  readonly path: string;
  /** The message of ssh. */
  readonly text: string;
}

/**
 * Reads the output of `ssh -v`.
 *
 * Each jump host has an ssh process that writes to the same output; a host is connected to only after the one before
 * has accepted the login, so that the output can be divided at these lines.
 *
 * @param hops how many jump hosts come before the host.
 */
export function readClientLog(text: string, hops = 0): ClientLog {
  const lines = text.split(/\r?\n/);
  const ends = lines.flatMap((line, index) => (isAuthenticated(line) ? [index] : []));
  const last = Math.min(ends.length, hops);
  const part = lines.slice(last === 0 ? 0 : (ends[last - 1] ?? 0) + 1, (ends[last] ?? lines.length - 1) + 1);
  const find: Find = (pattern) =>
    part.map((line) => pattern.exec(line)).find((found) => found !== null) ?? undefined;
  return {
    authenticated: ends.length,
    network: networkProblem(part, find),
    hostKey: hostKeyReport(part, find),
    methods: lastMatch(part, /^debug1: Authentications that can continue: (.*)$/)?.[1]?.split(','),
    offers: offersOf(part),
    keyProblems: part.flatMap(keyProblem),
    agentProblem: find(/get_agent_identities: [^:]*: (.+)$/)?.[1],
    hasTooManyFailures: find(/Too many authentication failures/) !== undefined,
    isDenied: find(/Permission denied \(/) !== undefined,
    isPartial: find(/with partial success/) !== undefined,
    isPtyRejected: lines.some((line) => line.startsWith('PTY allocation request failed')),
    lastError: part.findLast(
      (line) => line.trim() !== '' && !/^(debug\d: |OpenSSH_|Transferred|Bytes per)/.test(line),
    ),
  };
}

/** Whether a text is output of `ssh -v`, and not a log of sshd. */
export const isClientLog = (text: string): boolean =>
  /^(OpenSSH_\d|debug1: (Reading configuration data|Connecting to|Authenticating to) )/m.test(text);

/** Whether the line says that a host has accepted the login. */
export const isAuthenticated = (line: string): boolean => /^Authenticated to /.test(line);

type Find = (pattern: RegExp) => RegExpExecArray | undefined;

const lastMatch = (lines: readonly string[], pattern: RegExp): RegExpExecArray | undefined =>
  lines.map((line) => pattern.exec(line)).findLast((found) => found !== null) ?? undefined;

const networkPatterns: readonly (readonly [NetworkProblem['kind'], RegExp])[] = [
  ['name', /Could not resolve hostname .*/],
  ['refused', /connect to host .*: Connection refused|open failed: connect failed: Connection refused/],
  ['forwarding', /open failed: administratively prohibited.*|stdio forwarding failed/],
  [
    'timeout',
    /connect to host .*|open failed: connect failed: .*|Connection timed out.*|Connection to .* timed out/,
  ],
  ['negotiation', /Unable to negotiate with .*/],
  [
    'not ssh',
    /banner line \d+: (?!Exceeded MaxStartups|Not allowed at this time).*\S.*|banner exchange: .*invalid format.*/,
  ],
  ['closed', /banner line \d+: .*\S.*|kex_exchange_identification: .*/],
];

function networkProblem(lines: readonly string[], find: Find): NetworkProblem | undefined {
  // A banner before the identification is allowed: it is a problem only if the identification is missing.
  const isIdentified = find(/^debug1: Remote protocol version /) !== undefined;
  for (const [kind, pattern] of networkPatterns) {
    if (isIdentified && kind !== 'negotiation') continue;
    const found = find(pattern);
    if (found) return { kind, text: found[0] };
  }
  if (isIdentified || !lines.some((line) => /Connection (closed|reset) by /.test(line))) return undefined;
  return { kind: 'closed', text: find(/Connection (closed|reset) by .*/)?.[0] ?? '' };
}

function hostKeyReport(lines: readonly string[], find: Find): HostKeyReport {
  const key = find(/^debug1: Server host (?:key|certificate): (\S+) (SHA256:[^\s,]+)/);
  const certificate = find(/^debug1: Server host certificate: .* ID "(.*)" CA \S+ (SHA256:\S+)/);
  const removal = lines[lines.findIndex((line) => line.trim() === 'remove with:') + 1]?.trim();
  return {
    key: key && { type: key[1] ?? '', fingerprint: key[2] ?? '' },
    certificate: certificate && { id: certificate[1] ?? '', caFingerprint: certificate[2] ?? '' },
    problem: find(/^Host key verification failed/) && hostKeyProblem(find, certificate !== undefined),
    removal: removal?.startsWith('ssh-keygen ') ? removal : undefined,
  };
}

function hostKeyProblem(find: Find, hasCertificate: boolean): HostKeyProblem {
  if (find(/REVOKED HOST KEY|was revoked and/)) return { kind: 'revoked' };
  if (find(/REMOTE HOST IDENTIFICATION HAS CHANGED|Host key for .* has changed/)) return { kind: 'changed' };
  const reason = find(/^(?:Certificate invalid: |key_cert_check_\w+: )(.*)$/)?.[1];
  if (reason !== undefined) return { kind: 'invalid certificate', reason };
  return { kind: hasCertificate ? 'unknown CA' : 'unknown' };
}

function offersOf(lines: readonly string[]): Offer[] {
  const pattern = /^debug1: (Offering public key|Server accepts key): (.*) (\S+) (SHA256:\S+)(.*)$/;
  const found = lines.flatMap((line) => {
    const [, what = '', path = '', type = '', fingerprint = '', rest = ''] = pattern.exec(line) ?? [];
    return what === '' ? [] : [{ what, path, type, fingerprint, isFromAgent: / agent\b/.test(rest) }];
  });
  const accepted = found.filter(({ what }) => what === 'Server accepts key');
  return found
    .filter(({ what }) => what === 'Offering public key')
    .map(({ what: _, ...offer }) => ({
      ...offer,
      isAccepted: accepted.some(
        ({ type, fingerprint }) => type === offer.type && fingerprint === offer.fingerprint,
      ),
    }));
}

const keyPatterns: readonly (readonly [KeyProblem['kind'], RegExp])[] = [
  ['permissions', /^Permissions \d+ for '(?<path>.*)' are too open/],
  ['mismatch', /private key (?<path>.*) contents do not match public/],
  ['agent rejected', /sign_and_send_pubkey: signing failed for \S+ "(?<path>.*)".*: agent refused operation/],
  ['signing', /sign_and_send_pubkey: signing failed for \S+ "(?<path>.*)".*: .*/],
  ['unreadable', /^Load key "(?<path>.*)": (?!bad permissions|incorrect passphrase).*/],
  ['algorithm', /Skipping \S+ key (?<path>.*) - corresponding algorithm not .*/],
  ['algorithm', /no mutual signature algorithm(?<path>)/],
];

function keyProblem(line: string): KeyProblem[] {
  for (const [kind, pattern] of keyPatterns) {
    const found = pattern.exec(line);
    if (found) return [{ kind, path: found.groups?.path ?? '', text: found[0] }];
  }
  return [];
}
