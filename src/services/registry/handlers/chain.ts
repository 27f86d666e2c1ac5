import { HttpError, type HttpResponse } from '../../core/http/http-service.ts';
import { read } from '../../core/schema/read.ts';
import * as s from '../../core/schema/types.ts';
import { blockingQuery, withCacheHeaders } from '../blocking-query.ts';
import { type Call, readOperations } from '../call.ts';
import { type Chain, ChainError, chain, chainOverrides } from '../chain/chain.ts';
import type { Overrides } from '../chain/chain-request.ts';
import { compileChain } from '../chain/compile.ts';
import { trustDomainOf } from '../chain/trust-domain.ts';
import { virtualIpsOf } from '../chain/virtual-ips.ts';
import { readNanoseconds } from '../config/duration.ts';
import { entrySource } from '../config/entries.ts';
import { meshGatewayModes } from '../config/entry.ts';
import { configRules } from '../config/rules.ts';
import type { View } from '../model/tables.ts';
import { cached } from '../read-parameters.ts';
import { requirePermission } from '../require-permission.ts';

const readOperation = readOperations('Discovery chain');

const getChain = {
  query: {
    'compile-dc': s.string('The datacenter for which to compile; default: the datacenter of the request.'),
    cached,
  },
  returns: s.object({ Chain: chain }),
};

/** The chain of a service (docs/protocol/queries-and-chain.md#discovery-chain). */
export const discoveryChain = readOperation('getDiscoveryChain', 'Compile the discovery chain of a service', {
  ...getChain,
  handle: (call) => respondWithChain(call, call.query()['compile-dc'], () => ({})),
});

/** The same: a read with overrides in its body. */
export const overriddenChain = readOperation(
  'getDiscoveryChainWithOverrides',
  'Compile the discovery chain of a service with overrides',
  {
    ...getChain,
    body: s.nullable(
      s.converted(chainOverrides, (body) => read(chainOverrides, body, configRules(chainOverrides))),
    ),
    bodyError: 'Request decoding failed',
    handle: (call) =>
      respondWithChain(call, call.query()['compile-dc'], async () => overridesOf((await call.body()) ?? {})),
  },
);

async function respondWithChain(
  call: Call,
  compileDatacenter: string,
  readOverrides: () => Overrides | Promise<Overrides>,
): Promise<HttpResponse> {
  const { permissions, params, registry } = call;
  const service = params.service ?? '';
  requirePermission(permissions, 'service:read', service);
  const overrides = await readOverrides();
  const datacenter = compileDatacenter || registry.datacenter;
  const response = await blockingQuery(call, ['config'], (view) => ({
    value: { Chain: compileFor(view, { service, datacenter, overrides }) },
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
function overridesOf(body: s.Input<typeof chainOverrides>): Overrides {
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
