import * as s from '../../core/schema/types.ts';
import type { EngineRequest } from '../engine.ts';
import { badRequest, notFound, orNotFound, permissionDenied } from '../errors.ts';
import type { Cubbyholes } from '../model/cubbyholes.ts';
import type { TokenEntry } from '../model/token-entries.ts';
import { isWrappingToken } from '../model/wrapped-responses.ts';
import { resourcesOf } from '../resource.ts';

/** What `cubbyhole/` of a namespace works with. */
export interface CubbyholeContext {
  readonly cubbyholes: Cubbyholes;
  readonly namespaceId: string;
}

const deprecatedWarning =
  "Reading from 'cubbyhole/response' is deprecated. Please use sys/wrapping/unwrap to unwrap responses, as it provides additional security checks and other benefits.";

/** The secrets of the caller's token (docs/protocol/secrets.md#cubbyhole). */
export const secret = resourcesOf<CubbyholeContext>()({
  summary: "Read, write, list and delete secrets of the caller's token.",
  hasAnyFields: true,
  returns: { read: s.anyObject('The fields.') },
  read(context, request, path) {
    const token = callerToken(request);
    if (path === '') throw badRequest('missing path');
    const data = orNotFound(context.cubbyholes.get(cubbyholeOf(context, token), path));
    const isWrapped = path === 'response' && isWrappingToken(token);
    return { data, ...(isWrapped && { warnings: [deprecatedWarning] }) };
  },
  async list(context, request, path) {
    const cubbyhole = cubbyholeOf(context, callerToken(request));
    const keys = await context.cubbyholes.names(cubbyhole, path === '' ? '' : `${path}/`);
    if (keys.length === 0) throw notFound();
    return { data: { keys } };
  },
  async write(context, request, path) {
    const cubbyhole = cubbyholeOf(context, callerToken(request));
    if (Object.keys(request.data).length === 0) throw badRequest('missing data fields');
    if (path === '') throw badRequest('missing path');
    await context.cubbyholes.put(cubbyhole, { [path]: request.data });
  },
  delete: (context, request, path) =>
    context.cubbyholes.delete(cubbyholeOf(context, callerToken(request)), path),
});

/** Whether a token has a secret at a path; undefined: no valid token. */
export function existsInCubbyhole(context: CubbyholeContext, path: string, token: TokenEntry | undefined) {
  return token && context.cubbyholes.get(cubbyholeOf(context, token), path) !== undefined;
}

function cubbyholeOf({ namespaceId }: CubbyholeContext, { digest }: TokenEntry) {
  return { token: digest, namespaceId };
}

function callerToken({ caller }: EngineRequest): TokenEntry {
  if (!caller) throw permissionDenied();
  if (caller.token.type === 'batch')
    throw badRequest("cubbyhole operations are only supported by 'service' type tokens");
  return caller.token;
}
