import { isGoneToken, isInvalidId, isInvalidScope } from '../../../api/conditions/accounts.ts';
import { describeAs, isNotFound, LanyardError } from '../../../errors.ts';

/** Rejects with the reason the scope of a list cannot be used: not found, or an invalid ID. */
export const describeMissingScope =
  (id: string) =>
  (error: unknown): never => {
    if (isInvalidScope(error))
      throw new LanyardError('failure', `invalid scope ID "${id}" (400)`, {
        ...(error as LanyardError),
        hint: 'Use global, or the ID of an organization, such as o_1234567890.',
      });
    return describeAs(isNotFound, 'not_found', `scope "${id}" not found`)(error);
  };

/** Rejects with the reason a token cannot be read or deleted: not found, or an invalid ID. */
export const describeMissingToken =
  (id: string) =>
  (error: unknown): never => {
    if (isInvalidId(error))
      throw new LanyardError('failure', `invalid token ID "${id}" (400)`, {
        ...(error as LanyardError),
        hint: 'Use an ID of the form at_ followed by letters and digits.',
      });
    return describeAs(isGoneToken, 'not_found', `token "${id}" not found`, {
      hint: 'It has expired or was deleted. Run `lanyard account token list` for the existing tokens.',
    })(error);
  };
