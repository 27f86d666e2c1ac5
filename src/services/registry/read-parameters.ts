import { parseDuration } from '../../wire/duration.ts';
import { readWaitParameters, type WaitParameters } from '../core/blocking-query.ts';
import { FieldError } from '../core/http/decode-body.ts';
import { HttpError, type HttpRequest } from '../core/http/http-service.ts';
import { type ReadingRules, textConversions } from '../core/schema/read.ts';
import * as s from '../core/schema/types.ts';

/** A parameter that is on or off; without a value it is on. */
export const booleanFlag = (description: string) => s.boolean(description, { allowEmptyValue: true });

/** A parameter that is on, whatever value it has. */
export const presenceFlag = (description: string) => s.converted(booleanFlag(description), () => true);

/** Query parameters of every request. */
export const commonParameters = {
  dc: s.string('The datacenter; default: the datacenter of the agent.'),
  pretty: presenceFlag('Indent the JSON of the response.'),
};

/** Query parameters of every read of the servers. */
export const blockingParameters = {
  ...commonParameters,
  index: s.integer('Wait for a result with a higher index; 0: respond at once.', { minimum: 0, default: 0 }),
  wait: s.string('The longest time to wait, as a duration with a unit; at most 600s.', { default: '300s' }),
  stale: presenceFlag('Any server may respond. Not together with `consistent`.'),
  consistent: presenceFlag('The leader verifies that it is still the leader.'),
  max_stale: s.string('With `stale`: the maximum staleness, as a duration.'),
};

export const cached = presenceFlag('Accept a cached result of the agent.');
export const filter = s.string('A filter expression, such as `Meta.env == "prod"`.');
export const near = s.string('Sort by the distance from this node; `_agent`: from the agent.');
export const nodeMeta = s.list(s.string(), 'Only nodes with this metadata, as `key:value`; repeatable.');

/** Query parameters of lists of checks and nodes. */
export const listParameters = { filter, near, 'node-meta': nodeMeta };

export const peer = s.string('The services of a cluster peer: none.');

/** Query parameters of instances of a service. */
export const instanceParameters = {
  ...listParameters,
  peer,
  tag: s.list(s.string(), 'Only instances with this tag; repeatable.'),
  cached,
};

export const cas = s.optional(
  s.int64('Check-and-set: the current `ModifyIndex`; 0: it must not exist.', { minimum: 0 }),
);

/** How query parameters are read. @throws HttpError 400; 500: an integer of 64 bits, as the product */
export const queryRules: ReadingRules = {
  convert: { ...textConversions, int64: (value) => unsigned(String(value)) },
  invalid([name = '']) {
    throw new HttpError(400, `Invalid value for ?${name}`);
  },
  missing(_path, { problem = 'Missing parameter' }) {
    throw new HttpError(400, problem);
  },
};

export interface ReadParameters extends WaitParameters {
  readonly consistency: 'leader' | 'stale' | 'consistent';
}

/** @throws HttpError 400 (docs/protocol/registry.md#requests-and-responses) */
export function readParameters(request: HttpRequest): ReadParameters {
  const stale = request.query.has('stale');
  const consistent = request.query.has('consistent');
  if (stale && consistent) {
    throw new HttpError(400, 'Cannot specify ?stale with ?consistent, conflicting semantics.');
  }
  if (request.query.has('cached') && consistent) {
    throw new HttpError(400, 'Cannot specify ?cached with ?consistent, conflicting semantics.');
  }
  checkMaxStale(request.query.get('max_stale') ?? '');
  const consistency = stale ? 'stale' : consistent ? 'consistent' : 'leader';
  return { ...readWaitParameters(request, { default: 300, max: 600 }), consistency };
}

/** Nothing is stale here, so that the bound is only checked. @throws HttpError 400 */
function checkMaxStale(text: string): void {
  const isDuration = /^[+-]?0$|[a-zµ]$/.test(text) && parseDuration(text) !== undefined;
  if (text !== '' && !isDuration) throw new HttpError(400, `Invalid max_stale value ${JSON.stringify(text)}`);
}

/** Digits of a number that may be leading zeros. */
const maxDigits = 100;

function rejectTenancy(parameter: string, title: string): never {
  throw new HttpError(
    400,
    `Invalid query parameter: "${parameter}" - ${title} are a Consul Enterprise feature`,
  );
}

/** @throws HttpError 400 */
export const rejectNamespace = (): never => rejectTenancy('ns', 'Namespaces');
const rejectPartition = (): never => rejectTenancy('partition', 'Partitions');

/** A text that may only be one of these; it has no effect. @throws (when read) what `reject` throws */
export const only = (values: readonly string[], reject: () => never) =>
  s.nonEmpty(
    s.converted(s.string(), (value) => {
      if (typeof value !== 'string') return undefined;
      return values.includes(value.toLowerCase()) ? '' : reject();
    }),
  );

/** Fields of objects that are only of the default namespace and partition. */
export const partitionFields = {
  Namespace: only(['', 'default'], rejectNamespace),
  Partition: only(['', 'default'], rejectPartition),
};

/** The same, of objects that are also of no peer. */
export const tenancyFields = {
  ...partitionFields,
  PeerName: only([''], () => {
    throw new FieldError('PeerName is not supported');
  }),
};

/** A field of a request that is known, and has no effect. */
export const ignored = s.responseOnly(s.json());

/** What a conditional write returns. */
export const written = s.boolean('Whether it was done; false: a condition did not hold.');

/**
 * Rejects a request with a namespace or a partition.
 * @throws HttpError 400
 */
export function checkRequestTenancy(request: HttpRequest): void {
  if (request.query.has('ns') || request.serviceHeader('namespace') !== undefined) rejectNamespace();
  if (request.query.has('partition') || request.serviceHeader('partition') !== undefined) rejectPartition();
}

/** An unsigned 64-bit integer. @throws HttpError 500, as the product */
function unsigned(text: string): number | bigint {
  const invalid = (reason: string) =>
    new HttpError(500, `strconv.ParseUint: parsing ${JSON.stringify(text)}: ${reason}`);
  if (!/^\d+$/.test(text)) throw invalid('invalid syntax');
  const value = text.length <= maxDigits ? BigInt(text) : 2n ** 64n;
  if (value >= 2n ** 64n) throw invalid('value out of range');
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}
