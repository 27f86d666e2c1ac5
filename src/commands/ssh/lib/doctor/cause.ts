import type { Facts } from './facts.ts';

/** The checks, in the order of a login. The names are part of the output of `-o json`. */
export const checkNames = [
  'service',
  'role',
  'network',
  'host-key',
  'jump-host',
  'key',
  'certificate',
  'principals',
  'source-address',
  'ca',
  'revocation',
  'sshd',
  'account',
  'one-time-password',
  'login',
  'terminal',
] as const;

export type CheckName = (typeof checkNames)[number];

/** A cause of a rejected login, as it applies to a login. */
export interface Finding {
  /** What was seen. */
  readonly message: string;
  /** What to do: imperative, with a command that can be pasted. */
  readonly advice: string;
  /** Another cause may explain the same: it is shown only if no cause is certain, and as likely. */
  readonly isLikely?: true;
}

/** A cause of a rejected login. */
export interface Cause {
  /** Part of the output of `-o json`; not changed later. */
  readonly name: string;
  readonly check: CheckName;
  /** What it means, for the guide. */
  readonly title: string;
  /** It also applies to a login that the host has accepted. */
  readonly afterLogin?: true;
  /** Undefined: it does not apply. */
  readonly find: (facts: Facts) => Finding | undefined;
}

/** Whether the host has accepted the login. */
export const isAccepted = ({ client, server, target }: Facts): boolean =>
  client === undefined ? server?.isAccepted === true : client.authenticated > target.jumpHosts.length;

/** Whether ssh reached the host itself, and it rejected the login. */
export const isRejected = (facts: Facts): boolean =>
  !isAccepted(facts) &&
  (facts.server !== undefined ||
    facts.client?.isDenied === true ||
    facts.client?.hasTooManyFailures === true);

/** The line of the log of sshd with a reason, and its values. */
export const reasonOf = ({ server }: Facts, ...kinds: readonly string[]) =>
  server?.isAccepted ? undefined : server?.reasons.findLast(({ kind }) => kinds.includes(kind));

/** Whether the host accepts the certificate, and waits for the proof that ssh has the private key. */
export const isCertificateAccepted = ({ client }: Facts): boolean =>
  client?.offers.some(({ type, isAccepted }) => isAccepted && type.endsWith('-CERT')) === true;

/** Whether ssh would prompt for the passphrase of a key that the host accepts, which ends the login here. */
export const needsPassphrase = ({ client, keys }: Facts): boolean =>
  keys.chosen?.privateKey === 'encrypted' &&
  client?.isDenied === true &&
  client.offers.some((offer) => offer.isAccepted);
