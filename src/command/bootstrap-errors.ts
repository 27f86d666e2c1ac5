import { LanyardError } from '../errors.ts';

interface Bootstrap {
  /** Whether access control was bootstrapped before. */
  readonly isBootstrapped: (error: LanyardError) => boolean;
  /** The status of that response. */
  readonly status: number;
  /** The reset index that the error names, which a reset requires; undefined: none. */
  readonly indexOf: (error: LanyardError) => string | undefined;
}

/**
 * Adds hints to an error of the bootstrap of access control, which the registry and the scheduler permit once.
 *
 * @throws the error
 */
export const describeBootstrapError =
  ({ isBootstrapped, status, indexOf }: Bootstrap) =>
  (error: unknown): never => {
    if (!(error instanceof LanyardError)) throw error;
    const index = indexOf(error);
    if (isBootstrapped(error))
      throw new LanyardError(
        'forbidden',
        `cannot bootstrap access control: already bootstrapped (${status})`,
        {
          ...error,
          details: [
            ...error.details,
            'If neither you nor a colleague did this, someone else has a token with all permissions: treat the cluster as compromised.',
          ],
          hint: `If the token is lost, write ${index ?? 'the reset index of the leader'} to the file acl-bootstrap-reset in the data directory of the leader and bootstrap again. The file works once.`,
        },
      );
    if (error.kind === 'unknown')
      throw new LanyardError('unknown', error.message, {
        ...error,
        details: [
          ...error.details,
          'If the request took effect, a token with all permissions exists and its secret is lost.',
        ],
        hint: 'Run the same command again: it returns the token, or an error with instructions for a reset.',
      });
    throw index === undefined ? error : error.withHint(`The file acl-bootstrap-reset must contain ${index}.`);
  };
