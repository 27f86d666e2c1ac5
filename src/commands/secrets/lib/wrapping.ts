import { flag } from '../../../cli/command.ts';
import { LanyardError } from '../../../errors.ts';

/** The flag that wraps a response. */
export const wrapTtlFlag = {
  wrapTtl: flag.duration('wrap the response: show only a token that returns it once, within this time'),
} as const;

/** The error for a response that was to be wrapped and is not. */
export const rejectUnwrapped = (): LanyardError =>
  new LanyardError('failure', 'unexpected response from the secrets service: it is not wrapped', {
    service: 'secrets',
    hint: 'The service or a proxy ignored the header X-Vault-Wrap-TTL.',
  });

/** Whether a response is wrapped. */
export const isWrapped = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  typeof (body as { wrap_info?: unknown }).wrap_info === 'object' &&
  (body as { wrap_info?: unknown }).wrap_info !== null;
