import type { Context } from '../../../cli/context.ts';
import { receivedSecrets } from '../../../wire/received-secrets.ts';

/** Masks the secrets in a response of any path in the log of a CI service. Everything else stays readable. */
export function maskSecrets(io: Pick<Context['io'], 'mask'>, body: unknown): void {
  for (const text of receivedSecrets(body)) io.mask(text);
}
