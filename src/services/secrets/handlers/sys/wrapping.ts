import { invalidWrappingToken } from '../../auth/wrapping.ts';
import type { EngineRequest } from '../../engine.ts';
import { badRequest } from '../../errors.ts';
import { text } from '../../help/field.ts';
import type { TokenEntry } from '../../model/token-entries.ts';
import type { Resource } from '../../resource.ts';
import type { SysContext } from './context.ts';

/** `sys/wrapping/` (docs/protocol/secrets.md#response-wrapping). */

const fields = { token: text("The wrapping token (default: the caller's).") };

export const wrap: Resource<SysContext> = {
  summary: 'Wrap the fields of the body.',
  hasAnyFields: true,
  write(_context, { data, wrapTtl }) {
    if (!wrapTtl) throw badRequest('endpoint requires response wrapping to be used');
    return { data };
  },
};

export const lookUp: Resource<SysContext> = {
  summary: 'Show when and how a wrapping token was created.',
  fields,
  read: showInfo,
  write: showInfo,
};

function showInfo(context: SysContext, { wrappingToken }: EngineRequest) {
  return { data: wrappedBy(context, wrappingToken).info };
}

export const unwrap: Resource<SysContext> = {
  summary: 'Return the wrapped response, once.',
  fields,
  async write(context, { caller, data, wrappingToken }) {
    const isCaller = caller?.token.digest === wrappingToken?.digest && data.token === undefined;
    if (!isCaller) await takeUse(context, wrappingToken);
    const { response } = wrappedBy(context, wrappingToken);
    if (!isCaller && wrappingToken) await context.tokens.revoke(wrappingToken);
    const { status, contentType, body } = response;
    return { status, text: { contentType, body } };
  },
};

export const rewrap: Resource<SysContext> = {
  summary: 'Wrap the wrapped response again, with a new token and the same lifetime.',
  fields,
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
};

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
