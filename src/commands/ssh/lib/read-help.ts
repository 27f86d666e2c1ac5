import type { SecretsClient } from '../../../api/secrets.ts';
import { insteadOf, isFailure } from '../../../errors.ts';

/** The help of a path, which lists its parameters; empty if it cannot be read. */
export const readHelp = (secrets: SecretsClient, path: string): Promise<string> =>
  secrets.help({ path }).then(({ body }) => body.help, insteadOf(isFailure, ''));
