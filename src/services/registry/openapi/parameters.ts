import type { OperationDescription } from '../../core/openapi/description.ts';
import * as s from '../../core/openapi/schema.ts';
import { jsonSchemaOf } from '../../core/schema/json-schema.ts';
import type { Fields } from '../../core/schema/types.ts';
import * as parameters from '../read-parameters.ts';

/** A parameter that is on or off; without a value it is on. */
export const booleanFlag = (description: string): s.Schema =>
  s.boolean(description, { allowEmptyValue: true });

const schemasOf = <const Name extends string>(fields: Fields & { readonly [Each in Name]: unknown }) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, type]) => [
      name,
      jsonSchemaOf(type, 'request', { components: new Map(), acceptsNull: false }),
    ]),
  ) as { readonly [Each in Name]: s.Schema };

const commonQuery = schemasOf(parameters.commonParameters);
const blockingQuery = schemasOf(parameters.blockingParameters);
export const instanceQuery = schemasOf(parameters.instanceParameters);
export const { cached, filter, near } = instanceQuery;
export const nodeMeta = instanceQuery['node-meta'];

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
