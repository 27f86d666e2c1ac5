import type { Context } from '../../../cli/context.ts';
import { receivedSecrets } from '../../../wire/received-secrets.ts';

/** Masks the secrets in a response of any path in the log of a CI service. Everything else stays readable. */
export function maskSecrets(output: Pick<Context['output'], 'mask'>, body: unknown): void {
  for (const text of receivedSecrets(body)) output.mask(text);
}
