import type { RegistryClient } from '../../../api/registry.ts';
import { toPrintable } from '../../../wire/printable.ts';

export type Chain = Awaited<ReturnType<RegistryClient['readChain']>>['body']['Chain'];
type Node = Chain['Nodes'][string];
type Target = Chain['Targets'][string];
type Route = NonNullable<Node['Routes']>[number];
type Definition = NonNullable<Route['Definition']>;
type Match = NonNullable<Definition['Match']>['HTTP'];
type Condition = NonNullable<NonNullable<NonNullable<Match>['Header']>>[number];

export interface Vertex {
  readonly key: string;
  /** One line. */
  readonly label: string;
}

export interface Edge {
  readonly from: string;
  readonly to: string;
  /** One line; empty if it is the only edge. */
  readonly label: string;
  /** Used only if the other targets are unavailable. */
  readonly failover: boolean;
}

/** A compiled chain as a graph, the source of every rendering. */
export interface Graph {
  readonly start: string;
  readonly vertices: ReadonlyMap<string, Vertex>;
  /** In the order of the chain: routes and failovers are tried from the first to the last. */
  readonly edges: readonly Edge[];
}

/** The graph of a chain; a node or target that the response refers to but does not contain is marked as missing. */
export function buildGraph(chain: Chain): Graph {
  const vertices = new Map<string, Vertex>();
  const edges: Edge[] = [];
  const add = (key: string, label: string): void => {
    vertices.set(key, { key, label: oneLine(label) });
  };
  for (const [key, node] of Object.entries(chain.Nodes)) {
    add(key, nodeLabel(node));
    for (const edge of edgesFrom(key, node)) edges.push({ ...edge, label: oneLine(edge.label) });
  }
  for (const [id, target] of Object.entries(chain.Targets))
    add(targetKey(id), targetLabel(id, target, chain.Datacenter));
  for (const key of [chain.StartNode, ...edges.map(({ to }) => to)])
    if (!vertices.has(key)) add(key, `${key} (missing in the response)`);
  return { start: chain.StartNode, vertices, edges };
}

/** The key of a target, distinct from keys of nodes. */
const targetKey = (id: string): string => `target:${id}`;

function nodeLabel({ Type, Name, Resolver }: Node): string {
  const details = [
    ...(Resolver?.ConnectTimeout ? [`connect timeout ${Resolver.ConnectTimeout}`] : []),
    ...(Resolver?.Default ? ['default'] : []),
  ];
  return [`${Type} ${Name}`, ...details].join(', ');
}

function* edgesFrom(from: string, { Routes, Splits, Resolver }: Node): Generator<Edge> {
  for (const { Definition, NextNode } of Routes ?? []) {
    const label = [matchText(Definition?.Match?.HTTP), ...destinationText(Definition?.Destination)].join(
      '; ',
    );
    yield { from, to: NextNode, label, failover: false };
  }
  for (const { Weight, NextNode } of Splits ?? [])
    yield { from, to: NextNode, label: `${Weight}%`, failover: false };
  if (!Resolver) return;
  yield { from, to: targetKey(Resolver.Target), label: '', failover: false };
  for (const [index, id] of (Resolver.Failover?.Targets ?? []).entries())
    yield { from, to: targetKey(id), label: `failover ${index + 1}`, failover: true };
}

function targetLabel(id: string, target: Target, datacenter: string): string {
  const { ServiceSubset, Subset, Datacenter, MeshGateway } = target;
  const filter = Subset?.Filter ? ` (${Subset.Filter})` : '';
  const details = [
    ...(ServiceSubset ? [`subset ${ServiceSubset}${filter}`] : []),
    ...(Datacenter && Datacenter !== datacenter ? [`datacenter ${Datacenter}`] : []),
    ...(MeshGateway?.Mode ? [`mesh gateway ${MeshGateway.Mode}`] : []),
  ];
  return [`target ${id}`, ...details].join(', ');
}

const oneLine = (text: string): string => toPrintable(text.replace(/[\n\t]+/g, ' '));

/** The requests that a route matches: "path prefix /admin, header x-debug is "1"". */
function matchText(match: Match | undefined): string {
  const { PathExact, PathPrefix, PathRegex, Methods, Header, QueryParam } = match ?? {};
  const words = [
    ...(PathExact ? [`path ${PathExact}`] : []),
    ...(PathPrefix ? [`path prefix ${PathPrefix}`] : []),
    ...(PathRegex ? [`path matching ${PathRegex}`] : []),
    ...(Methods && Methods.length > 0 ? [Methods.join(' or ')] : []),
    ...(Header ?? []).map((condition) => `header ${conditionText(condition)}`),
    ...(QueryParam ?? []).map((condition) => `query ${conditionText(condition)}`),
  ];
  return words.length === 0 ? 'every request' : words.join(', ');
}

const relations = [
  ['Exact', 'is'],
  ['Prefix', 'starts with'],
  ['Suffix', 'ends with'],
  ['Contains', 'contains'],
  ['Regex', 'matches'],
] as const;

function conditionText(condition: Condition): string {
  const relation = relations.find(([name]) => condition[name]);
  const requested = relation ? `${relation[1]} ${JSON.stringify(condition[relation[0]])}` : 'is present';
  return `${condition.Name} ${requested}${condition.Invert ? ' (inverted)' : ''}`;
}

/** How a route changes and retries a request. */
function destinationText(destination: Definition['Destination']): string[] {
  if (!destination) return [];
  const { PrefixRewrite, RequestTimeout, NumRetries, RetryOnConnectFailure, RetryOnStatusCodes } =
    destination;
  const timeout = typeof RequestTimeout === 'number' ? `${RequestTimeout / 1e9}s` : RequestTimeout;
  const occasions = [
    ...(RetryOnConnectFailure ? ['connection failure'] : []),
    ...(RetryOnStatusCodes ?? []).map(String),
  ];
  const retries = [
    ...(NumRetries ? [`${NumRetries} ${NumRetries === 1 ? 'retry' : 'retries'}`] : []),
    ...(occasions.length > 0 ? [`${NumRetries ? 'on' : 'retry on'} ${occasions.join(', ')}`] : []),
  ];
  return [
    ...(PrefixRewrite ? [`prefix rewritten to ${PrefixRewrite}`] : []),
    ...(timeout && timeout !== '0s' ? [`timeout ${timeout}`] : []),
    ...(retries.length > 0 ? [retries.join(' ')] : []),
  ];
}
