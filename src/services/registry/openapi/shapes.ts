import type * as s from '../../core/openapi/schema.ts';
import { type Direction, jsonSchemaOf } from '../../core/schema/json-schema.ts';
import { proxy } from '../proxy-fields.ts';

/** A duration in a request. */
export const duration = (description: string): s.Schema => ({
  description: `${description}: a duration such as \`5s\`, or nanoseconds.`,
  anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }],
});

const components = new Map<string, s.Schema>();
for (const direction of ['request', 'response'] satisfies Direction[])
  jsonSchemaOf(proxy, direction, { components, acceptsNull: true });

/** The `Proxy` of a service. The catalog shows `Mode`, `MeshGateway` and `Expose` also if they are empty. */
export const proxySchemas: s.Schemas = Object.fromEntries(components);
