import { isIP } from 'node:net';
import { HttpError, type HttpRequest, type HttpResponse } from '../../core/http/http-service.ts';
import { mapInSlices } from '../../core/in-slices.ts';
import * as s from '../../core/schema/types.ts';
import { agentAddress } from '../agent-node.ts';
import { formatResponse, metaFields, readHeaders, readMeta, withCacheHeaders } from '../blocking-query.ts';
import { type Call, readOperations } from '../call.ts';
import { queryNotFound, queryView, requireRead } from '../handlers/queries.ts';
import { isTemplate, type Query, query, queryForName, queryOf } from '../model/queries.ts';
import type { View } from '../model/tables.ts';
import { readParameters } from '../read-parameters.ts';
import type { CheckedInstance } from './checked-instances.ts';
import { execute } from './execute.ts';
import { renderQuery } from './template.ts';

const readOperation = readOperations('Prepared queries');

/** Executes a query by ID or name (docs/protocol/queries-and-chain.md#query-endpoints). */
export async function executeQuery(call: Call): Promise<HttpResponse> {
  const { params, registry, request } = call;
  const limit = limitParameter(request);
  const connect = connectParameter(request);
  const name = params.query ?? '';
  const rendered = await renderQuery(requireQuery(registry.state.view, name), name);
  const result = await execute(registry, rendered, {
    near: request.query.get('near') ?? '',
    address: clientAddress(request),
    limit,
    connect,
    permissionsIn: ({ acl }) =>
      rendered.Token === '' ? acl.permissionsOf(request) : acl.permissionsOfSecret(rendered.Token),
  });
  const { DNS, Service } = rendered;
  const summary = {
    Service: Service.Service,
    DNS,
    Datacenter: result.datacenter,
    PeerName: result.peer,
    Failovers: result.failovers,
  };
  const nodes = await mapInSlices(result.nodes, (each) => instanceView(each, DNS));
  return withCacheHeaders(call, await queryResponse(call, summary, result.filtered, nodes));
}

const explanation = s.named('QueryExplanation', s.object({ Query: query, ...metaFields }));

export const explainQuery = readOperation('explainQuery', 'Show the query that a name would execute', {
  returns: explanation,
  errors: [400, 404],
  async handle(call) {
    const { params, registry } = call;
    const name = params.query ?? '';
    const found = requireQuery(registry.state.view, name);
    requireRead(call, found);
    const { Service, ...others } = queryView(call, await renderQuery(found, name));
    return queryResponse(call, {
      Query: { ...others, Service: { ...Service, Meta: Service.ServiceMeta ?? {} } },
    });
  },
});

/** @throws HttpError 404, 500 */
function requireQuery(view: View, idOrName: string): Query {
  const byId = queryOf(view, idOrName);
  if (byId && isTemplate(byId)) {
    throw new HttpError(500, 'prepared query templates can only be resolved up by name, not by ID');
  }
  return byId ?? queryForName(view, idOrName) ?? queryNotFound();
}

/** The maximum number of results; 0: unlimited. @throws HttpError 500 */
function limitParameter({ query }: HttpRequest): number {
  const text = query.get('limit') || '0';
  if (!/^[+-]?\d{1,15}$/.test(text))
    throw new HttpError(500, `Bad limit: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Math.max(Number(text), 0);
}

/** Whether only mesh-capable instances are requested; without a value they are not. @throws HttpError 500 */
function connectParameter({ query }: HttpRequest): boolean {
  const text = query.get('connect') ?? '';
  if (/^(1|t|T|TRUE|true|True)$/.test(text)) return true;
  if (/^(|0|f|F|FALSE|false|False)$/.test(text)) return false;
  throw new HttpError(
    500,
    `Error parsing 'connect' value: strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`,
  );
}

/** The address of the client. Services listen on loopback only: it is loopback unless a proxy sets it. */
function clientAddress({ headers }: HttpRequest): string {
  const forwarded = headers['x-forwarded-for']?.split(',')[0]?.trim() ?? '';
  return isIP(forwarded) === 0 ? agentAddress : forwarded;
}

function instanceView({ Node, Service, Checks }: CheckedInstance, DNS: Query['DNS']): object {
  return { Node: { ...Node, NodeMeta: Node.Meta }, Service, Checks, DNS };
}

/** Responds with the common headers of reads. */
async function queryResponse(
  call: Call,
  value: object,
  filtered = false,
  nodes?: readonly object[],
): Promise<HttpResponse> {
  const parameters = readParameters(call.request);
  const headers = readHeaders(call, parameters, filtered);
  const index = call.registry.state.indexOf('queries', 'nodes', 'services', 'checks');
  const content = { ...value, ...readMeta(parameters, index, filtered) };
  const serviceHeaders = { ...headers, Index: String(index) };
  await call.registry.state.whenDurable();
  return formatResponse(call, { value: { ...(nodes && { Nodes: nodes }), ...content } }, serviceHeaders);
}
