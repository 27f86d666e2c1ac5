import type { WrapInfo } from '../../../api/secrets-tokens.ts';
import { flag } from '../../../command/command.ts';
import { LanyardError, usage } from '../../../errors.ts';
import { type Document, fields, strong } from '../../../output/document.ts';
import { humanDuration } from '../../../output/humanize.ts';
import { parseDuration } from '../../../wire/duration.ts';
import { isObject } from '../../../wire/objects.ts';

/** The flag that wraps a response. */
export const wrapTtlFlag = {
  wrapTtl: flag.duration('wrap the response: show only a token that returns it once, within this time'),
} as const;

/** The lifetime of the wrapping token. @throws LanyardError usage: zero, with which a response is not wrapped */
export function wrapTtlOf({ wrapTtl }: { readonly wrapTtl: string | undefined }): string | undefined {
  if (wrapTtl !== undefined && parseDuration(wrapTtl) === 0)
    throw usage('invalid --wrap-ttl 0: the response would not be wrapped', {
      hint: 'Use a lifetime such as 5m.',
    });
  return wrapTtl;
}

/** The error for a response that was to be wrapped and is not. */
export const rejectUnwrapped = (): LanyardError =>
  new LanyardError('failure', 'unexpected response from the secrets service: it is not wrapped', {
    service: 'secrets',
    hint: 'The service or a proxy ignored the header X-Vault-Wrap-TTL.',
  });

/** The error for a token that was created although its response is not wrapped. */
export const rejectUnwrappedToken = (accessor: string | undefined): LanyardError =>
  new LanyardError('unknown', 'the token was created, but the response is not wrapped: the token is lost', {
    service: 'secrets',
    details: ['The service or a proxy ignored the header X-Vault-Wrap-TTL.'],
    hint: accessor
      ? `Run \`lanyard secrets token revoke --accessor ${accessor}\` to revoke it.`
      : 'It is revoked with its parent.',
  });

/** Where a wrapped response is; undefined: the response is not wrapped. */
export function wrapInfoOf(body: unknown): WrapInfo | undefined {
  const info = isObject(body) ? body.wrap_info : undefined;
  return isObject(info) && typeof info.token === 'string' ? (info as WrapInfo) : undefined;
}

/** The view of a wrapped response. @param wrapped what the response has the accessor of */
export const wrapView = (wrap: WrapInfo, wrapped?: string): Document => [
  fields([
    ['wrapping token', strong(wrap.token)],
    ['expires', `in ${humanDuration(wrap.ttl)}`],
    ['accessor', wrap.accessor || null],
    ['path', wrap.creation_path || null],
    ...(wrapped === undefined ? [] : [[wrapped, wrap.wrapped_accessor || null] as const]),
  ]),
];
