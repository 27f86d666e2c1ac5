import { isGoneToken, isInvalidId, isInvalidScope } from '../../../api/conditions/accounts.ts';
import { describeAs, isNotFound, LanyardError } from '../../../errors.ts';

/** What an ID names: when it is invalid or missing, and the hints for both. */
interface IdKind {
  readonly isInvalid: (error: unknown) => boolean;
  readonly isMissing: (error: unknown) => boolean;
  readonly invalidHint: string;
  readonly missingHint?: string;
}

const ofForm = (form: string) => ({
  isInvalid: isInvalidId,
  isMissing: isNotFound,
  invalidHint: `Use an ID of the form ${form} followed by letters and digits.`,
});

const kinds = {
  user: {
    ...ofForm('u_'),
    missingHint: 'Run `lanyard account user list --recursive` for the existing users.',
  },
  role: {
    ...ofForm('r_'),
    missingHint: 'Run `lanyard account role list --recursive` for the existing roles.',
  },
  account: {
    ...ofForm('acctpw_, acctoidc_ or acctldap_'),
    missingHint: 'Run `lanyard account list` for the accounts of an auth method.',
  },
  'auth method': {
    ...ofForm('ampw_, amoidc_ or amldap_'),
    missingHint: 'Run `lanyard account auth-method list` for the existing auth methods.',
  },
  token: {
    ...ofForm('at_'),
    isMissing: isGoneToken,
    missingHint: 'It has expired or was deleted. Run `lanyard account token list` for the existing tokens.',
  },
  scope: {
    isInvalid: (error) => isInvalidScope(error) || isInvalidId(error),
    isMissing: isNotFound,
    invalidHint: 'Use global, or the ID of an organization, such as o_1234567890.',
    missingHint: 'Run `lanyard account scope list --recursive` for the existing scopes.',
  },
} as const satisfies Readonly<Record<string, IdKind>>;

/** An object of the service with a version. */
export type Noun = 'account' | 'user' | 'role' | 'scope' | 'auth method';

/** Rejects with the reason that an object cannot be used: not found, or an invalid ID. */
export const describeMissing =
  (what: keyof typeof kinds) =>
  (id: string) =>
  (error: unknown): never => {
    const { isInvalid, isMissing, invalidHint, missingHint: hint }: IdKind = kinds[what];
    if (isInvalid(error))
      throw new LanyardError('failure', `invalid ${what} ID "${id}" (400)`, {
        ...(error as LanyardError),
        hint: invalidHint,
      });
    return describeAs(
      isMissing,
      'not_found',
      `${what} "${id}" not found`,
      hint === undefined ? {} : { hint },
    )(error);
  };

/** Rejects with the reason an account, an auth method, a token or a scope cannot be used: not found, or an invalid ID. */
export const describeMissingAccount = describeMissing('account');
export const describeMissingMethod = describeMissing('auth method');
export const describeMissingToken = describeMissing('token');
export const describeMissingScope = describeMissing('scope');
