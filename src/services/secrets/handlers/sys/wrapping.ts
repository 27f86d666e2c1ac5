import * as s from '../../../core/schema/types.ts';
import { invalidWrappingToken } from '../../auth/wrapping.ts';
import type { EngineRequest } from '../../engine.ts';
import { badRequest } from '../../errors.ts';
import type { TokenEntry } from '../../model/token-entries.ts';
import { returns, token, unwrapped } from '../../returns.ts';
import { type SysContext, sysResource } from './context.ts';

/** Read before the request is authorized: `findWrappingToken`. */
const fields = { token: s.optional(s.json("The wrapping token (default: the caller's).")) };

export const wrap = sysResource({
  summary: 'Wrap the fields of the body.',
  hasAnyFields: true,
  returns: { write: returns(s.anyObject()) },
  write(_context, { data, wrapTtl }) {
    if (!wrapTtl) throw badRequest('endpoint requires response wrapping to be used');
    return { data };
  },
});

const shownInfo = s.object({
  creation_path: s.string(),
  creation_time: s.time(),
  creation_ttl: s.integer('Seconds.'),
});

export const lookUp = sysResource({
  summary: 'Show when and how a wrapping token was created.',
  query: fields,
  fields,
  returns: { read: shownInfo, write: shownInfo },
  read: showInfo,
  write: showInfo,
});

function showInfo(context: SysContext, { wrappingToken }: EngineRequest) {
  return { data: wrappedBy(context, wrappingToken).info };
}

export const unwrap = sysResource({
  summary: 'Return the wrapped response, once.',
  fields,
  returns: { write: unwrapped },
  async write(context, { caller, data, wrappingToken }) {
    const isCaller = caller?.token.digest === wrappingToken?.digest && data.token === undefined;
    if (!isCaller) await takeUse(context, wrappingToken);
    const { response } = wrappedBy(context, wrappingToken);
    if (!isCaller && wrappingToken) await context.tokens.revoke(wrappingToken);
    const { status, contentType, body } = response;
    return { status, text: { contentType, body } };
  },
});

export const rewrap = sysResource({
  summary: 'Wrap the wrapped response again, with a new token and the same lifetime.',
  fields,
  returns: { write: token },
  async write(context, { wrappingToken, wrapTtl }) {
    const { wrapping, namespaces, tokens } = context;
    await takeUse(context, wrappingToken);
    const { response, ttl } = wrappedBy(context, wrappingToken);
    const namespace = namespaces.get(wrappingToken?.namespace ?? '');
    if (!wrappingToken || !namespace) throw invalidWrappingToken();
    const shorter = wrapTtl ? Math.min(wrapTtl, ttl) : ttl;
    const wrapInfo = await wrapping.wrap(response, { ttl: shorter, namespace });
    await tokens.revoke(wrappingToken);
    return { wrapInfo };
  },
});

/** @throws SecretsError 400: used meanwhile */
async function takeUse({ tokens }: SysContext, token: TokenEntry | undefined): Promise<void> {
  if (!token || !(await tokens.takeUse(token))) throw invalidWrappingToken();
}

function wrappedBy({ wrapping, namespaces }: SysContext, token: TokenEntry | undefined) {
  const namespace = namespaces.get(token?.namespace ?? '');
  const found = token && namespace && wrapping.find(token, namespace.id);
  if (!found) throw invalidWrappingToken();
  return found;
}
