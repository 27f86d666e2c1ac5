import type { Json } from '../../../wire/json.ts';
import { decodeBody } from '../../core/http/fields.ts';
import { HttpError, type HttpResponse } from '../../core/http/http-service.ts';
import { blockingQuery, withCacheHeaders } from '../blocking-query.ts';
import type { Call } from '../call.ts';
import { type Chain, ChainError } from '../chain/chain.ts';
import type { Overrides } from '../chain/chain-request.ts';
import { compileChain } from '../chain/compile.ts';
import { trustDomainOf } from '../chain/trust-domain.ts';
import { virtualIpsOf } from '../chain/virtual-ips.ts';
import { readNanoseconds } from '../config/duration.ts';
import { entrySource } from '../config/entries.ts';
import { meshGatewayModes, overridesShape } from '../config/entry.ts';
import { applyShape, type Shaped, ShapeError } from '../config/shape.ts';
import type { View } from '../model/tables.ts';
import { requirePermission } from '../require-permission.ts';

/**
 * Responds with the chain of a service; POST is a read with overrides in its body
 * (docs/protocol/queries-and-chain.md#discovery-chain).
 */
export async function discoveryChain(call: Call): Promise<HttpResponse> {
  const { permissions, params, registry, request } = call;
  const service = params.service ?? '';
  requirePermission(permissions, 'service:read', service);
  const overrides = request.method === 'POST' ? await readOverrides(call) : {};
  const datacenter = request.query.get('compile-dc') || registry.datacenter;
  const response = await blockingQuery(call, ['config'], (view) => ({
    value: { Chain: compileFor(view, { service, datacenter: datacenter, overrides }) },
  }));
  return withCacheHeaders(call, response);
}

/** @throws HttpError 500 */
function compileFor(
  view: View,
  chain: { readonly service: string; readonly datacenter: string; readonly overrides: Overrides },
): Chain {
  const trustDomain = trustDomainOf(view) ?? '';
  const virtualIps = virtualIpsOf(view, chain.service);
  try {
    const request = { ...chain, namespace: 'default', trustDomain, ...(virtualIps && { virtualIps }) };
    return compileChain(request, entrySource(view));
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    throw new HttpError(500, `failed to compile discovery chain: ${error.message}`);
  }
}

/** @throws HttpError 400 */
async function readOverrides({ request }: Call): Promise<Overrides> {
  const body = await decodeBody(request, 'Request decoding failed', readBody);
  const mode = body.OverrideMeshGateway?.Mode;
  if (mode !== undefined && !meshGatewayModes.includes(mode)) {
    throw new HttpError(400, 'Invalid OverrideMeshGateway.Mode parameter');
  }
  const connectTimeout = readNanoseconds(body.OverrideConnectTimeout ?? '') ?? 0;
  return {
    // Negative values are ignored.
    ...(connectTimeout > 0 && { connectTimeout }),
    ...(body.OverrideProtocol && { protocol: body.OverrideProtocol }),
    ...(mode && { meshGateway: mode }),
  };
}

function readBody(body: Json | undefined) {
  if (body === undefined) throw new ShapeError('EOF');
  // Unknown fields are ignored.
  return (applyShape(body, overridesShape, []) ?? {}) as Shaped<typeof overridesShape>;
}
