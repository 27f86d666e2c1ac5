import { type FieldsOf, field, type ReturnedFields } from './schema.ts';

const folding = { foldsNames: true } as const;
const inFilesOnly = { flag: false } as const;

const failover = field.object(
  {
    NearestN: field.integer({
      minimum: 0,
      description: 'Number of nearest datacenters to try.',
      flag: {
        name: 'failover-nearest',
        aliases: ['failover-nearest-n'],
        help: 'number of nearest datacenters to try if no instance is healthy',
      },
    }),
    Datacenters: field.list(field.string(), {
      description: 'Datacenters to try next, in order.',
      flag: {
        name: 'failover-datacenter',
        aliases: ['failover-datacenters'],
        value: 'DC',
        help: 'datacenter to try after the nearest ones, in order; repeatable',
      },
    }),
    Targets: field.list(
      field.object(
        {
          Peer: field.string(),
          Datacenter: field.string(),
          Partition: field.string(),
          Namespace: field.string(),
        },
        folding,
      ),
      {
        description: 'Peers and datacenters to try, in order, instead of the other fields.',
        flag: {
          name: 'failover-target',
          aliases: ['failover-targets'],
          value: 'peer:NAME|dc:NAME',
          help: 'target to try, in order, instead of datacenters; repeatable',
          parse: parseTarget,
          expected: 'peer:NAME or dc:NAME',
        },
      },
    ),
    SkipLocalDatacenter: field.boolean(inFilesOnly),
  },
  { ...folding, description: 'Where to look if no instance is healthy.' },
);

function parseTarget(text: string) {
  const [, kind, name] = /^(peer|dc):(.+)$/.exec(text) ?? [];
  if (name === undefined) return undefined;
  return kind === 'peer' ? { Peer: name } : { Datacenter: name };
}

const service = field.object(
  {
    Service: field.string({
      description: 'Name of the service.',
      flag: { value: 'SERVICE', help: 'service to look up', completes: 'registry-service' },
    }),
    Namespace: field.string({
      description: 'Namespace of the service.',
      flag: { name: 'service-namespace', value: 'NS' },
    }),
    Partition: field.string(inFilesOnly),
    SamenessGroup: field.string(inFilesOnly),
    Peer: field.string(inFilesOnly),
    IncludeAll: field.boolean(inFilesOnly),
    Near: field.string({
      description: 'Sort by distance from this node, `_agent` or `_ip`.',
      flag: {
        value: 'NODE',
        help: 'sort by distance from this node, _agent or _ip (the client address)',
        completes: 'registry-node',
      },
    }),
    OnlyPassing: field.boolean({ description: 'Only instances whose checks all pass.' }),
    Tags: field.set(field.string(), {
      description: 'Only instances with these tags, or without them (`!tag`).',
      flag: {
        name: 'tag',
        aliases: ['tags'],
        value: 'TAG',
        help: 'only instances with this tag, or without it (!TAG); repeatable',
      },
    }),
    NodeMeta: field.map(field.string(), {
      description: 'Only nodes with this metadata.',
      flag: { help: 'only nodes with this metadata; repeatable' },
    }),
    ServiceMeta: field.map(field.string(), {
      description: 'Only instances with this metadata.',
      flag: { help: 'only instances with this metadata; repeatable' },
    }),
    Meta: field.map(field.string(), inFilesOnly),
    Connect: field.boolean({ description: 'Only mesh-capable instances.' }),
    IgnoreCheckIDs: field.set(field.string(), {
      description: 'Checks to ignore.',
      flag: {
        name: 'ignore-check',
        aliases: ['ignore-check-ids'],
        value: 'ID',
        help: 'check to ignore; repeatable',
      },
    }),
    Failover: failover,
  },
  { ...folding, required: ['Service'] },
);

/** A prepared query of the registry (docs/protocol/queries-and-chain.md#prepared-query). */
export const preparedQuery = field.object(
  {
    Name: field.string({ description: 'Name of the query.', flag: { value: 'NAME', isKept: true } }),
    Service: service,
    Session: field.string({
      description: 'Session to bind to; the query is deleted with it.',
      flag: { value: 'ID', completes: 'registry-session' },
    }),
    Token: field.secret({
      description: 'Token to execute the query with. A secret.',
      flag: { value: 'SOURCE', help: 'source of the token to execute with', what: 'token of the query' },
    }),
    DNS: field.object(
      { TTL: field.duration('text', { description: 'TTL of DNS responses.', flag: { name: 'dns-ttl' } }) },
      folding,
    ),
    Template: field.object(
      {
        Type: field.string({
          pattern: /^(name_prefix_match)?$/,
          description: '`name_prefix_match`: a template for names that start with the name of the query.',
          flag: {
            name: 'template',
            choices: ['name_prefix_match'],
            help: 'template for names that start with the name of the query',
            isKept: true,
          },
        }),
        Regexp: field.string({
          description: 'RE2 expression for the name, used by `match(N)`.',
          flag: { value: 'RE', help: `template: RE2 expression for \${match(N)}` },
        }),
        RemoveEmptyTags: field.boolean({
          description: 'Remove tags that are empty after rendering.',
          flag: { help: 'template: remove tags that are empty after rendering' },
        }),
      },
      folding,
    ),
  },
  { ...folding, required: ['Service'] },
);

/** Fields of a query that only the service sets. */
export const setByService: readonly string[] = ['ID', 'CreateIndex', 'ModifyIndex', 'RaftIndex'];

/** The fields of a query on create and update. */
export type PreparedQueryFields = FieldsOf<typeof preparedQuery>;
/** What a query selects, as the registry returns it. */
export type QueriedService = ReturnedFields<typeof service>;
/** A query as the registry returns it. */
export type ReturnedQuery = ReturnedFields<typeof preparedQuery>;
