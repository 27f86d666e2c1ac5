import * as v from 'valibot';
import type { QueriedService, ReturnedQuery } from '../objects/prepared-query.ts';
import type * as wire from '../wire/responses/registry.ts';
import { flag, index, pairs, shown, text, texts } from './decode.ts';

const count = v.nullish(v.number());

/** The indexes are in `RaftIndex` (specification) or next to the fields (Consul). */
export const preparedQuery = v.looseObject({
  ...shown<ReturnedQuery & wire.Indexes & { ID?: string }>({
    ...v.entriesFromList(['ID', 'Name', 'Session', 'Token'], text),
    CreateIndex: index,
    ModifyIndex: index,
  }),
  RaftIndex: v.nullish(v.looseObject({ CreateIndex: index, ModifyIndex: index })),
  Template: v.nullish(
    v.looseObject({
      /** `name_prefix_match`. */
      Type: text,
      Regexp: text,
      RemoveEmptyTags: flag,
    }),
  ),
  DNS: v.nullish(
    v.looseObject({
      /** A duration. */
      TTL: text,
    }),
  ),
  Service: v.looseObject({
    ...shown<QueriedService>({
      ...v.entriesFromList(['Service', 'Namespace', 'Near'], text),
      ...v.entriesFromList(['OnlyPassing', 'Connect'], flag),
      ...v.entriesFromList(['Tags', 'IgnoreCheckIDs'], texts),
      ...v.entriesFromList(['NodeMeta', 'ServiceMeta'], pairs),
    }),
    Failover: v.nullish(
      v.looseObject({
        NearestN: count,
        Datacenters: texts,
        Targets: v.nullish(v.array(v.looseObject({ Peer: text, Datacenter: text }))),
      }),
    ),
  }),
});

const healthCheck = v.looseObject({
  ...shown<wire.HealthCheck>(),
  CheckID: text,
  Name: text,
  /** `passing`, `warning` or `critical`. */
  Status: text,
});

/** The responding server: next to the nodes, or in each of them; the specification does not define which. */
const respondingServer = {
  ...shown<wire.QueryDns>(),
  Datacenter: text,
  PeerName: text,
  /** The number of datacenters that were tried before. */
  Failovers: count,
};

export const execution = v.looseObject({
  ...shown<wire.QueryMeta>(),
  ...respondingServer,
  Service: text,
  Nodes: v.nullish(
    v.array(
      v.looseObject({
        ...respondingServer,
        Node: v.looseObject({
          ...shown<wire.CatalogNode>({ ID: text, Datacenter: text }),
          /** The name of the node. */
          Node: v.string(),
          Address: text,
          NodeMeta: pairs,
          Meta: pairs,
        }),
        Service: v.looseObject({
          ...shown<Omit<wire.CatalogService, 'Port'>>({ Address: text }),
          ID: text,
          Service: text,
          Port: count,
          Tags: texts,
          Meta: pairs,
        }),
        Checks: v.nullish(v.array(healthCheck)),
      }),
    ),
  ),
});

export type PreparedQuery = v.InferOutput<typeof preparedQuery>;
export type Execution = v.InferOutput<typeof execution>;
