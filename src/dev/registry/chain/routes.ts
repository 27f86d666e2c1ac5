import type { Json } from '../../../wire/json.ts';
import { decode } from '../../http/fields.ts';
import { type Answer, HttpRefusal } from '../../http/service.ts';
import { readNanoseconds } from '../config/duration.ts';
import { entrySource } from '../config/entries.ts';
import { isMeshGatewayMode } from '../config/entry.ts';
import { shaped } from '../config/shape.ts';
import { overridesShape } from '../config/shapes.ts';
import type { Call } from '../http/call.ts';
import { demand } from '../http/demand.ts';
import { lookedUp, read } from '../http/read.ts';
import type { View } from '../state/draft.ts';
import { type Chain, ChainRefusal } from './chain.ts';
import { trustDomainOf } from './cluster.ts';
import { compileChain, type Overrides } from './compile.ts';

/**
 * Answers the chain of a service; POST is a read whose body has overrides
 * (docs/protocol/queries-and-chain.md#discovery-chain).
 */
export async function discoveryChain(call: Call): Promise<Answer> {
  const { authority, params, registry, request } = call;
  const service = params.service ?? '';
  demand(authority, 'service:read', service);
  const overrides = request.method === 'POST' ? await overridesOf(call) : {};
  const basis = request.query.get('compile-dc') || registry.datacenter;
  const answer = await read(call, ['config'], (view) => ({
    value: { Chain: chainOf(view, { service, datacenter: basis, overrides }) },
  }));
  return lookedUp(call, answer);
}

export function missingChainName(): never {
  throw new HttpRefusal(400, 'Missing chain name');
}

/** @throws HttpRefusal 500 */
function chainOf(
  view: View,
  asked: { readonly service: string; readonly datacenter: string; readonly overrides: Overrides },
): Chain {
  const trustDomain = trustDomainOf(view) ?? '';
  try {
    return compileChain({ ...asked, namespace: 'default', trustDomain }, entrySource(view));
  } catch (error) {
    if (!(error instanceof ChainRefusal)) throw error;
    throw new HttpRefusal(500, `failed to compile discovery chain: ${error.message}`);
  }
}

/** The body as it is read: every member may be absent. */
interface Body {
  readonly OverrideConnectTimeout?: string;
  readonly OverrideProtocol?: string;
  readonly OverrideMeshGateway?: { readonly Mode?: string };
}

/** @throws HttpRefusal 400 */
async function overridesOf({ request }: Call): Promise<Overrides> {
  const body = await decode(request, 'Request decoding failed', readBody);
  const mode = body.OverrideMeshGateway?.Mode;
  if (mode !== undefined && !isMeshGatewayMode(mode)) {
    throw new HttpRefusal(400, 'Invalid OverrideMeshGateway.Mode parameter');
  }
  const connectTimeout = readNanoseconds(body.OverrideConnectTimeout ?? '') ?? 0;
  return {
    // One that is negative overrides nothing.
    ...(connectTimeout > 0 && { connectTimeout }),
    ...(body.OverrideProtocol && { protocol: body.OverrideProtocol.toLowerCase() }),
    ...(mode && { meshGateway: mode }),
  };
}

function readBody(body: Json | undefined): Body {
  return (shaped(body, overridesShape) ?? {}) as Body;
}
