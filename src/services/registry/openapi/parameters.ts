import type { OperationDescription } from '../../core/openapi/description.ts';
import * as s from '../../core/openapi/schema.ts';

/** A parameter that is on or off; without a value it is on. */
export const booleanFlag = (description: string): s.Schema =>
  s.boolean(description, { allowEmptyValue: true });

/** Query parameters of every request. */
export const commonQuery = {
  dc: s.text('The datacenter; default: that of the agent.'),
  pretty: booleanFlag('Indent the JSON of the response.'),
};

/** Query parameters of every read of the servers. */
const blockingQuery = {
  ...commonQuery,
  index: s.integer('Wait for a result with a higher index; 0: respond at once.', { minimum: 0, default: 0 }),
  wait: s.text('The longest time to wait, as a duration with a unit; at most 600s.', { default: '300s' }),
  stale: booleanFlag('Any server may respond. Not together with `consistent`.'),
  consistent: booleanFlag('The leader verifies that it is still the leader.'),
  max_stale: s.text('With `stale`: the maximum staleness, as a duration.'),
};

export const cached = booleanFlag('Accept a cached result of the agent.');
export const filter = s.text('A filter expression, such as `Meta.env == "prod"`.');
export const near = s.text('Sort by the distance from this node; `_agent`: from the agent.');
export const nodeMeta = s.array(s.text(), 'Only nodes with this metadata, as `key:value`; repeatable.');

/** Query parameters of instances of a service. */
export const instanceQuery = {
  filter,
  near,
  'node-meta': nodeMeta,
  tag: s.array(s.text(), 'Only instances with this tag; repeatable.'),
  cached,
};

export const cas = s.integer('Check-and-set: the current `ModifyIndex`; 0: it must not exist.', {
  minimum: 0,
});

/** A read of the servers, with `index` and `wait`. */
export const read = (
  tag: string,
  id: string,
  summary: string,
  schema: s.Schema,
  more: Partial<OperationDescription> = {},
): OperationDescription => ({
  id,
  tag,
  summary,
  responses: { 200: { schema, headers: 'query' } },
  errors: [400],
  ...more,
  query: { ...more.query, ...blockingQuery },
});

/** Another request: a write, or a read of the agent. */
export const call = (
  tag: string,
  id: string,
  summary: string,
  schema: s.Schema | undefined,
  more: Partial<OperationDescription> = {},
): OperationDescription => ({
  id,
  tag,
  summary,
  responses: { 200: { headers: 'all', ...(schema && { schema }) } },
  errors: [400],
  ...more,
  query: { ...more.query, ...commonQuery },
});
