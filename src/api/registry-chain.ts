import * as v from 'valibot';
import type { Chain, ChainDestination, ChainSplit, ChainTarget } from '../wire/responses/registry.ts';
import { checked, flag, shown, text, texts } from './decode.ts';

/** A condition on a header or query parameter. */
const condition = v.looseObject({
  Name: v.string(),
  Present: flag,
  Exact: text,
  Prefix: text,
  Suffix: text,
  Contains: text,
  Regex: text,
  Invert: flag,
});
const conditions = v.nullish(v.array(condition));

const route = v.looseObject({
  Match: v.nullish(
    v.looseObject({
      HTTP: v.nullish(
        v.looseObject({
          ...v.entriesFromList(['PathExact', 'PathPrefix', 'PathRegex'], text),
          Methods: texts,
          Header: conditions,
          QueryParam: conditions,
        }),
      ),
    }),
  ),
  Destination: v.nullish(
    v.looseObject({
      ...shown<ChainDestination>(),
      PrefixRewrite: text,
      // As the specification has it a text; a number is nanoseconds.
      RequestTimeout: v.optional(v.union([v.string(), v.number()])),
      NumRetries: v.optional(v.number()),
      RetryOnConnectFailure: flag,
      RetryOnStatusCodes: v.nullish(v.array(v.number())),
    }),
  ),
});

const target = v.looseObject({
  ...shown<ChainTarget>({ ServiceSubset: text, Datacenter: text }),
  MeshGateway: v.nullish(v.looseObject({ Mode: text })),
  Subset: v.nullish(v.looseObject({ Filter: text })),
});

const node = v.looseObject({
  Type: v.string(),
  Name: v.string(),
  Resolver: v.nullish(
    v.looseObject({
      ConnectTimeout: text,
      Target: v.string(),
      Default: flag,
      Failover: v.nullish(v.looseObject({ Targets: texts })),
    }),
  ),
  // A weight of 0 is left out by Consul.
  Splits: v.nullish(
    v.array(
      v.looseObject({
        ...shown<ChainSplit>(),
        /** Percent of the requests. */
        Weight: v.optional(v.number(), 0),
        NextNode: v.string(),
      }),
    ),
  ),
  Routes: v.nullish(v.array(v.looseObject({ Definition: v.nullish(route), NextNode: v.string() }))),
});

/** The compiled discovery chain of a service (docs/protocol/queries-and-chain.md#discovery-chain). */
export const compiledChain = checked(
  v.looseObject({
    Chain: v.looseObject({
      ...shown<Chain>({ CustomizationHash: text }),
      ServiceName: v.string(),
      Datacenter: v.string(),
      /** `tcp`, `http`, `http2` or `grpc`. */
      Protocol: v.string(),
      /** The name of the node where requests begin. */
      StartNode: v.string(),
      /** By name. */
      Nodes: v.record(v.string(), node),
      /** By ID. */
      Targets: v.record(v.string(), target),
    }),
  }),
);
