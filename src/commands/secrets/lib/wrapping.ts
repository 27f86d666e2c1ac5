import type { WrapInfo } from '../../../api/secrets-tokens.ts';
import { flag } from '../../../cli/command.ts';
import { LanyardError } from '../../../errors.ts';
import { type Document, dim, fields, strong } from '../../../output/document.ts';
import { humanDuration } from '../../../output/humanize.ts';
import { isObject } from '../../../wire/objects.ts';

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

/** Where a wrapped response is; undefined: the response is not wrapped. */
export function wrapInfoOf(body: unknown): WrapInfo | undefined {
  const info = isObject(body) ? body.wrap_info : undefined;
  return isObject(info) && typeof info.token === 'string' ? (info as WrapInfo) : undefined;
}

/** The view of a wrapped response. */
export const wrapView = (wrap: WrapInfo): Document => [
  fields([
    ['wrapping token', [strong(wrap.token)]],
    ['expires', `in ${humanDuration(wrap.ttl)}`],
    ['accessor', wrap.accessor || [dim('-')]],
    ['path', wrap.creation_path || [dim('-')]],
  ]),
];
