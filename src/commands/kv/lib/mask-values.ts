import type { Context } from '../../../command/context.ts';

/** Masks every text of a secret in the log of a CI service. */
export function maskValues(output: Pick<Context['output'], 'mask'>, value: unknown): void {
  if (typeof value === 'string') output.mask(value);
  else if (typeof value === 'object' && value !== null)
    for (const member of Object.values(value)) maskValues(output, member);
}
