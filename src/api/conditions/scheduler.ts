import { LanyardError } from '../../errors.ts';
import type { Variable } from '../scheduler.ts';
import { bodyOf, hasStatus, saying, says, textOf } from './any.ts';

/** What Nomad says. */

/** The variable that a conflict (409) carries. */
export interface ConflictingVariable {
  /** 0: the variable does not exist, or it is locked; Nomad's response does not distinguish them. */
  readonly index: string;
  /** Undefined: the token may not read them, or there are none. */
  readonly items: Readonly<Record<string, string>> | undefined;
}

/**
 * The variable in the body of a conflict (Nomad 409: JSON sent as text/plain; zeroed where the variable is locked or
 * does not exist), else undefined.
 */
export function conflictingVariable(error: unknown): ConflictingVariable | undefined {
  if (!hasStatus(error, 409)) return undefined;
  const body = bodyOf(error) as Partial<Variable> | null | undefined;
  return { index: String(body?.ModifyIndex ?? 0), items: body?.Items ?? undefined };
}

/** A namespace that does not exist (Nomad 404, or 400 with this text). */
export const isMissingNamespace = (error: unknown): error is LanyardError =>
  error instanceof LanyardError && (error.kind === 'not_found' || says(error, /^namespace not found$/i));

/** A namespace that still has jobs, variables or volumes (Nomad 400 or 500). */
export const isNamespaceInUse = saying(/\bhas .+ associated with it|non-terminal/i);

/**
 * The selector of a filter expression that the listed objects do not have (Nomad 400, `error finding value in datum:
 * /Path at part 0`): its parts, else undefined.
 */
export const unknownSelectorOf = (error: unknown): readonly string[] | undefined =>
  hasStatus(error, 400)
    ? /error finding value in datum: \/(\S+) at part \d/.exec(textOf(error))?.[1]?.split('/')
    : undefined;

/** A variable whose items are larger than the scheduler accepts (Nomad 64 KiB, the specification 16 KiB). */
export const isVariableTooLarge = saying(/\blimited to \d+ ?KiB\b/i);

const saysLockLost = saying(/variable doesn't (hold a lock|exist)/i);

/**
 * A lock of a variable that is not held with the given ID any more (Nomad 409, and 500 for a release; 404: the variable
 * does not exist).
 */
export const isLockLost = (error: unknown): error is LanyardError =>
  hasStatus(error, 404, 409) || saysLockLost(error);

/** The namespace of a variable that a message says does not exist (Nomad 500), else undefined. */
export const missingNamespaceIn = (message: string): string | undefined =>
  /\bin nonexistent namespace "([^"]*)"/.exec(message)?.[1];

/** A token that has expired (Nomad 403). */
export const isExpiredToken: (error: unknown) => boolean = saying(/\btoken (is )?expired\b/i, 400, 403);

/** A token that is not known (Nomad 403, in these words and no others). */
export const isUnknownSchedulerToken: (error: unknown) => boolean = saying(
  /^(Permission denied|ACL token not found)$/,
  403,
);

/** A token that is not known, where no other error has the text (Nomad 403). */
export const saysUnknownToken: (error: unknown) => boolean = saying(/^ACL token not found$/, 403);

/** No token of the table is the caller's: an unknown token (Nomad before 1.10.1), or a workload (404). */
export const isWithoutStoredToken: (error: unknown) => boolean = saying(/^ACL token not found$/, 404);

/** A token that has not the form of one (Nomad 500; every other call says 403). */
export const isMalformedToken: (error: unknown) => boolean = saying(
  /failed to parse signed token|invalid UUID|UUID must be 36 characters/i,
  500,
);

/** Any token is looked up as a UUID, also the token of a workload, which is not a UUID (Nomad 1.9.3, 500). */
export const isTakenForUuid: (error: unknown) => boolean = saying(/UUID must be 36 characters/i, 500);

/**
 * A token that does not exist (Nomad 404 on reads, 400 on deletions with `Cannot delete nonexistent tokens`, and on
 * updates with `cannot find token`).
 */
export const isMissingSchedulerToken = (error: unknown): error is LanyardError =>
  (error instanceof LanyardError && error.kind === 'not_found') || saysMissingToken(error);

const saysMissingToken = saying(/^(Cannot delete nonexistent tokens|cannot find token)\b/, 400);

/** The role or policy that a written token or role refers to and that does not exist (Nomad 400), else undefined. */
export function missingAclLinkOf(
  error: unknown,
): { readonly kind: 'role' | 'policy'; readonly name: string } | undefined {
  const [, kind, name] = hasStatus(error, 400)
    ? (/^cannot find (role|policy) (.+)$/m.exec(textOf(error)) ?? [])
    : [];
  return name === undefined ? undefined : { kind: kind === 'role' ? 'role' : 'policy', name };
}

/** A role whose name another one has (Nomad 400). */
export const isRoleNameTaken = saying(/^role with name .+ already exists$/, 400);

/** Rules that only the service rejects (Nomad 400). */
export const isRejectedRules = saying(/failed to parse rules/i, 400);

/** Access control was bootstrapped before (Nomad 400). */
export const isBootstrapped: (error: unknown) => boolean = saying(/^ACL bootstrap already done\b/, 400);

/** The reset index that allows another bootstrap (Nomad 400), else undefined. */
export const bootstrapResetIndexOf = (error: unknown): string | undefined =>
  hasStatus(error, 400) ? /reset index: (\d+)\)/.exec(textOf(error))?.[1] : undefined;
