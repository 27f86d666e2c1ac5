import type { Execution, PreparedQuery } from '../../../api/registry-queries.ts';
import { actionLine, type Change, changesTable } from '../../../output/diff.ts';
import {
  bad,
  type Document,
  dim,
  fields,
  good,
  listTable,
  type StyledText,
  strong,
  warn,
} from '../../../output/document.ts';

/** A query for output, with its token redacted. */
export const displayedQuery = (query: PreparedQuery): PreparedQuery =>
  query.Token ? { ...query, Token: hiddenToken(query.Token) } : query;

const hiddenToken = (token: string): string => (/^<.*>$/.test(token) ? token : '<redacted>');

/** The prepared queries, one per line, sorted by name. */
export const queriesView = (queries: readonly PreparedQuery[]): Document => [
  listTable(queries.toSorted(byName), 'No prepared queries. Run `lanyard query create` to create one.', {
    NAME: ({ Name }) => (Name ? [strong(Name)] : null),
    KIND: kindOf,
    SERVICE: { cell: ({ Service }) => Service.Service ?? '', shrinkPriority: 1 },
    FAILOVER: { cell: (query) => failoverOf(query) || null, shrinkPriority: 2 },
    // The only name of a query without one.
    ID: { cell: ({ ID = '' }) => ID, ...(queries.every(({ Name }) => Name) && { optional: 1 }) },
  }),
];

/** Queries without a name come last. */
const byName = (one: PreparedQuery, other: PreparedQuery): number => {
  const [a, b] = [one.Name || '\uffff', other.Name || '\uffff'];
  return a < b ? -1 : Number(a > b);
};

function kindOf({ Template, Session, Name }: PreparedQuery): string {
  if (Template?.Type) return Name ? 'template' : 'catch-all template';
  return Session ? 'bound to a session' : 'query';
}

function failoverOf({ Service: { Failover } }: PreparedQuery): string {
  const targets = (Failover?.Targets ?? []).map(({ Peer, Datacenter }) =>
    Peer ? `peer ${Peer}` : (Datacenter ?? ''),
  );
  const nearest = Failover?.NearestN ? [`${Failover.NearestN} nearest`] : [];
  return [...nearest, ...(Failover?.Datacenters ?? []), ...targets].join(', ');
}

export function queryView(query: PreparedQuery): Document {
  const { Service: service, Template: template } = query;
  const rows: readonly (readonly [string, StyledText | undefined])[] = [
    ['name', query.Name && [strong(query.Name)]],
    ['ID', query.ID],
    ['kind', kindOf(query)],
    ['regexp', template?.Regexp],
    ['remove empty tags', template?.RemoveEmptyTags ? 'yes' : undefined],
    ['service', service.Service],
    ['namespace', service.Namespace],
    ['tags', (service.Tags ?? []).join(', ')],
    ['node metadata', pairsText(service.NodeMeta)],
    ['service metadata', pairsText(service.ServiceMeta)],
    ['only passing', service.OnlyPassing ? 'yes' : undefined],
    ['ignored checks', (service.IgnoreCheckIDs ?? []).join(', ')],
    ['mesh only', service.Connect ? 'yes' : undefined],
    ['near', service.Near],
    ['failover', failoverOf(query)],
    ['DNS TTL', query.DNS?.TTL],
    ['session', query.Session],
    ['token', query.Token && [dim(query.Token)]],
  ];
  return [fields(rows.map(([label, value]) => [label, value === '' ? undefined : value]))];
}

const pairsText = (pairs: Readonly<Record<string, string>> | null | undefined): string =>
  Object.entries(pairs ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');

export type Instance = NonNullable<Execution['Nodes']>[number];

/** The worst status of its checks; passing if it has none. */
export function statusOf({ Checks }: Instance): string {
  const found = (Checks ?? []).map(({ Status = '' }) => Status);
  return ['critical', 'maintenance', 'warning'].find((status) => found.includes(status)) ?? 'passing';
}

const statusStyles = { passing: good, warning: warn } as const;
const styledStatus = (status: string): StyledText => [
  (statusStyles[status as keyof typeof statusStyles] ?? bad)(status),
];

/** The address of an instance, else of its node. */
export const addressOf = ({ Service, Node }: Instance): string => Service.Address || Node.Address || '';

export const instancesView = (instances: readonly Instance[]): Document => [
  listTable(instances, undefined, {
    NODE: ({ Node }) => [strong(Node.Node)],
    ADDRESS: addressOf,
    PORT: ({ Service }) => String(Service.Port || ''),
    TAGS: { cell: ({ Service }) => (Service.Tags ?? []).join(', '), shrinkPriority: 1 },
    STATUS: (instance) => styledStatus(statusOf(instance)),
    DC: { cell: ({ Datacenter, Node }) => Datacenter || Node.Datacenter || '', optional: 1 },
  }),
];

export interface Step {
  readonly action: 'create' | 'update' | 'unchanged';
  readonly name: string;
  readonly id?: string;
  readonly changes: readonly Change[];
}

export const hideTokens = (changes: readonly Change[]): readonly Change[] =>
  changes.map((change) =>
    change.path[0] === 'Token'
      ? { ...change, before: maskToken(change.before), after: maskToken(change.after) }
      : change,
  );

const maskToken = (token: unknown): unknown => (token ? '<redacted>' : token);

/** What was done with the queries of a file, or would be done. */
export const stepsView = (steps: readonly Step[], isPlan: boolean): Document =>
  steps.flatMap(({ action, name, changes }) => [
    actionLine('query', action, name, isPlan),
    ...(action === 'update' ? [changesTable(changes)] : []),
  ]);
