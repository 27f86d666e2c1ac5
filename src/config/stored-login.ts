/** The login that a token is from; nothing in it is a secret. */
export interface StoredLogin {
  /** The words of the command line after the program and the profile. */
  readonly command: readonly string[];
  /** ISO 8601; undefined: unlimited, or not known. */
  readonly validUntil?: string | undefined;
}

/** Whether `lanyard dev` stored the token, which the next start of the same data replaces. */
export const isLoginOfDev = (login: StoredLogin | undefined): login is StoredLogin =>
  login?.command[0] === 'dev';
