import { isIP } from 'node:net';
import { formatJson } from '../../../wire/json.ts';
import { type Answer, HttpRefusal, type HttpRequest } from '../../http/service.ts';
import { yieldToEventLoop } from '../../yield-to-event-loop.ts';
import type { Call } from '../http/call.ts';
import { readParameters } from '../http/parameters.ts';
import { answer, lookedUp, readHeaders, readMeta } from '../http/read.ts';
import { agentAddress } from '../place.ts';
import type { View } from '../state/draft.ts';
import { type Query, queryForName, queryOf } from '../state/queries.ts';
import type { Candidate } from './candidates.ts';
import { execute } from './execute.ts';
import { allowRead, missing, shown } from './routes.ts';
import { rendered } from './template.ts';

/** Instances that are written as JSON at a stretch. */
const stretch = 500;

/** Executes a query by its ID or a name that means it (docs/protocol/queries-and-chain.md#query-endpoints). */
export async function executeQuery(call: Call): Promise<Answer> {
  const { params, registry, request } = call;
  const limit = limitOf(request);
  const connect = connectOf(request);
  const name = params.query ?? '';
  const query = await rendered(find(registry.state.view, name), name);
  const found = await execute(registry, query, {
    near: request.query.get('near') ?? '',
    address: addressOf(request),
    limit,
    connect,
    authorityIn: ({ acl }) =>
      query.Token === '' ? acl.authorityOf(request) : acl.authorityOfSecret(query.Token),
  });
  const { DNS, Service } = query;
  const rest = {
    Service: Service.Service,
    DNS,
    Datacenter: found.datacenter,
    PeerName: '',
    Failovers: found.failovers,
  };
  const nodes = found.nodes.map((each) => shownCandidate(each, DNS));
  return lookedUp(call, await answerWith(call, rest, found.filtered, nodes));
}

/** Shows a query as it would be executed for a name. */
export async function explainQuery(call: Call): Promise<Answer> {
  const { params, registry } = call;
  const name = params.query ?? '';
  const query = find(registry.state.view, name);
  allowRead(call, query);
  const { Service, ...others } = shown(call, await rendered(query, name));
  return answerWith(call, {
    Query: { ...others, Service: { ...Service, Meta: Service.ServiceMeta ?? {} } },
  });
}

/** @throws HttpRefusal 404, 500 */
function find(view: View, idOrName: string): Query {
  const query = queryOf(view, idOrName);
  if (query?.Template) {
    throw new HttpRefusal(500, 'prepared query templates can only be resolved up by name, not by ID');
  }
  return query ?? queryForName(view, idOrName) ?? missing();
}

function limitOf({ query }: HttpRequest): number {
  const text = query.get('limit') || '0';
  if (!/^\d{1,15}$/.test(text))
    throw new HttpRefusal(500, `Bad limit: "${text}" is not a number of 0 or more`);
  return Number(text);
}

function connectOf({ query }: HttpRequest): boolean {
  const text = query.get('connect');
  if (text === null || text === '0' || text === 'false') return false;
  if (['', '1', 'true'].includes(text)) return true;
  throw new HttpRefusal(400, 'Invalid value for ?connect');
}

/** Where a request comes from. Services listen on the loopback address only: without a proxy, from there. */
function addressOf({ headers }: HttpRequest): string {
  const forwarded = headers['x-forwarded-for']?.split(',')[0]?.trim() ?? '';
  return isIP(forwarded) === 0 ? agentAddress : forwarded;
}

function shownCandidate({ Node, Service, Checks }: Candidate, DNS: Query['DNS']): object {
  return { Node: { ...Node, NodeMeta: Node.Meta }, Service, Checks, DNS };
}

/** Answers with what is told of every read; many nodes are written in stretches, between which others get their turn. */
async function answerWith(
  call: Call,
  value: object,
  filtered = false,
  nodes?: readonly object[],
): Promise<Answer> {
  const parameters = readParameters(call.request);
  const headers = readHeaders(call, parameters, filtered);
  const index = call.registry.state.indexOf('queries', 'nodes', 'services', 'checks');
  const told = { ...value, ...readMeta(parameters, index, filtered) };
  const prefixed = { ...headers, Index: String(index) };
  await call.registry.state.settled();
  if (!nodes || nodes.length <= stretch || call.request.query.has('pretty')) {
    return answer(call, { value: { ...(nodes && { Nodes: nodes }), ...told } }, prefixed);
  }
  const texts: string[] = [];
  for (let at = 0; at < nodes.length; at += stretch) {
    texts.push(formatJson(nodes.slice(at, at + stretch)).slice(1, -1));
    await yieldToEventLoop();
  }
  const body = `{"Nodes":[${texts.join(',')}],${formatJson(told).slice(1)}`;
  return { ...answer(call, { value: null }, prefixed), body };
}
