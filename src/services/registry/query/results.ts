import { isIP } from 'node:net';
import { HttpError, type HttpRequest, type HttpResponse } from '../../core/http/http-service.ts';
import { mapInSlices } from '../../core/in-slices.ts';
import * as s from '../../core/schema/types.ts';
import { agentAddress } from '../agent-node.ts';
import { formatResponse, metaFields, readHeaders, readMeta, withCacheHeaders } from '../blocking-query.ts';
import { type Call, readOperations } from '../call.ts';
import { foundInstance } from '../catalog-fields.ts';
import { queryNotFound, queryView, requireRead } from '../handlers/queries.ts';
import { isTemplate, type Query, query, queryForName, queryOf } from '../model/queries.ts';
import type { View } from '../model/tables.ts';
import { cached, near, readParameters } from '../read-parameters.ts';
import { execute } from './execute.ts';
import { renderQuery } from './template.ts';

const readOperation = readOperations('Prepared queries');

/** 0: unlimited. @throws (when read) HttpError 500 */
const limit = s.converted(s.integer('Maximum number of instances.', { minimum: 0 }), (value) => {
  const text = String(value || '0');
  if (!/^[+-]?\d{1,15}$/.test(text))
    throw new HttpError(500, `Bad limit: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Math.max(Number(text), 0);
});

/** Without a value it is off. @throws (when read) HttpError 500 */
const connect = s.converted(s.boolean('Only instances in the mesh.', { allowEmptyValue: true }), (value) => {
  const text = String(value);
  if (/^(1|t|T|TRUE|true|True)$/.test(text)) return true;
  if (/^(|0|f|F|FALSE|false|False)$/.test(text)) return false;
  throw new HttpError(
    500,
    `Error parsing 'connect' value: strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`,
  );
});

const dns = query.fields.DNS;
const result = s.named(
  'QueryResult',
  s.object({
    Service: s.string(),
    Nodes: s.nullable(s.list(s.object({ ...foundInstance, DNS: dns }))),
    DNS: dns,
    Datacenter: s.string('Where the instances were found.'),
    PeerName: s.string(),
    Failovers: s.integer('How many datacenters were tried without success.'),
    ...metaFields,
  }),
);

/** Executes a query by ID or name (docs/protocol/queries-and-chain.md#query-endpoints). */
export const executeQuery = readOperation('executeQuery', 'Execute a prepared query', {
  query: { near, limit, connect, cached },
  returns: result,
  errors: [400, 404],
  async handle(call) {
    const { params, registry, request } = call;
    const { cached: _cached, ...wanted } = call.query();
    const name = params.query ?? '';
    const rendered = await renderQuery(requireQuery(registry.state.view, name), name);
    const { nodes, datacenter, peer, failovers, filtered } = await execute(registry, rendered, {
      ...wanted,
      address: clientAddress(request),
      permissionsIn: ({ acl }) =>
        rendered.Token === '' ? acl.permissionsOf(request) : acl.permissionsOfSecret(rendered.Token),
    });
    const { DNS } = rendered;
    const value = {
      Nodes: await mapInSlices(nodes, ({ Node, Service, Checks }) => ({
        Node: { ...Node, NodeMeta: Node.Meta },
        Service,
        Checks,
        DNS,
      })),
      Service: rendered.Service.Service,
      DNS,
      Datacenter: datacenter,
      PeerName: peer,
      Failovers: failovers,
    };
    return withCacheHeaders(call, await queryResponse(call, value, filtered));
  },
});

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

/** The address of the client. Services listen on loopback only: it is loopback unless a proxy sets it. */
function clientAddress({ headers }: HttpRequest): string {
  const forwarded = headers['x-forwarded-for']?.split(',')[0]?.trim() ?? '';
  return isIP(forwarded) === 0 ? agentAddress : forwarded;
}

/** Responds with the common headers of reads. */
async function queryResponse(call: Call, value: object, filtered = false): Promise<HttpResponse> {
  const parameters = readParameters(call.request);
  const headers = readHeaders(call, parameters, filtered);
  const index = call.registry.state.indexOf('queries', 'nodes', 'services', 'checks');
  const serviceHeaders = { ...headers, Index: String(index) };
  await call.registry.state.whenDurable();
  const meta = readMeta(parameters, index, filtered);
  return formatResponse(call, { value: { ...value, ...meta } }, serviceHeaders);
}
