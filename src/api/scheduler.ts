import * as v from 'valibot';
import type { Client } from './client.ts';
import { checked, noBodyOr, noContentOr, someFields } from './decode.ts';
import { op } from './operation.ts';

const text = v.optional(v.string());
const index = v.optional(v.union([v.number(), v.bigint()]));
const pairs = v.optional(v.nullable(v.record(v.string(), v.string())));

const namespace = v.looseObject({
  ...{ Name: v.string(), Description: text, Quota: text, CreateIndex: index, ModifyIndex: index },
  Meta: pairs,
});

/** Times are nanoseconds since 1970, and so are beyond what a number holds exactly. */
const metadata = {
  ...{ Namespace: text, Path: v.string(), CreateIndex: index, ModifyIndex: index },
  ...{ CreateTime: index, ModifyTime: index },
} as const;

const variableMetadata = v.looseObject(metadata);

const variable = v.looseObject({ ...metadata, Items: pairs });

export type Namespace = v.InferOutput<typeof namespace>;
export type VariableMetadata = v.InferOutput<typeof variableMetadata>;
export type Variable = v.InferOutput<typeof variable>;

/** The namespace of the settings unless told. */
interface InNamespace {
  namespace?: string;
}

interface Named extends InNamespace {
  path: string;
}

interface Listed extends InNamespace {
  prefix?: string;
  filter?: string;
  per_page?: number;
  next_token?: string;
}

/** A decimal number, of which any is exact. */
interface Guarded {
  cas?: string;
}

const namespaces = { service: 'scheduler', path: '/v1/namespace/{namespace}' } as const;
const variables = { service: 'scheduler', path: '/v1/var/{+path}' } as const;

/** The operations of the scheduler (specification, part B); a write may have a response with or without a body. */
export const schedulerOperations = {
  listNamespaces: op<{ prefix?: string }>()({
    ...{ name: 'list namespaces', service: 'scheduler', method: 'GET', path: '/v1/namespaces' },
    ...{ query: ['prefix'], accepts: [200], retry: 'read' },
    decode: checked(v.nullable(v.array(namespace))),
  }),
  readNamespace: op<{ namespace: string }>()({
    ...namespaces,
    ...{ name: 'read namespace', method: 'GET', accepts: [200], retry: 'read' },
    decode: checked(namespace),
  }),
  writeNamespace: op<{ namespace: string; Name: string }>()({
    ...namespaces,
    ...{ name: 'write namespace', method: 'POST', body: 'json', accepts: [200, 204], retry: 'write' },
    decode: noBodyOr(someFields),
  }),
  deleteNamespace: op<{ namespace: string }>()({
    ...namespaces,
    ...{ name: 'delete namespace', method: 'DELETE', accepts: [200, 204], retry: 'write' },
    decode: noBodyOr(someFields),
  }),
  listVariables: op<Listed>()({
    ...{ name: 'list variables', service: 'scheduler', method: 'GET', path: '/v1/vars' },
    query: ['namespace', 'prefix', 'filter', 'per_page', 'next_token'],
    ...{ accepts: [200], retry: 'read' },
    decode: checked(v.nullable(v.array(variableMetadata))),
  }),
  readVariable: op<Named>()({
    ...variables,
    ...{ name: 'read variable', method: 'GET', query: ['namespace'], accepts: [200], retry: 'read' },
    decode: checked(variable),
  }),
  // The namespace is sent in the query alone: services differ in which wins where the body has one too.
  writeVariable: op<Named & Guarded & { Items: Readonly<Record<string, string>> }>()({
    ...variables,
    ...{ name: 'write variable', method: 'PUT', query: ['namespace', 'cas'], body: 'json' },
    ...{ accepts: [200, 204], retry: 'write' },
    decode: noContentOr(checked(variable)),
  }),
  deleteVariable: op<Named & Guarded>()({
    ...variables,
    ...{ name: 'delete variable', method: 'DELETE', query: ['namespace', 'cas'] },
    ...{ accepts: [200, 204], retry: 'write' },
    // Nomad sends 204, the specification an index.
    decode: noContentOr(someFields),
  }),
} as const;

export type SchedulerClient = Client<typeof schedulerOperations>;
