import * as v from 'valibot';
import type { ReturnedNamespace } from '../objects/namespace.ts';
import type * as wire from '../wire/responses/scheduler.ts';
import type { Client } from './client.ts';
import {
  checked,
  checkedList,
  index,
  noBodyOr,
  noContentOr,
  pairs,
  shown,
  someFields,
  text,
} from './decode.ts';
import type { Decoder } from './operation.ts';
import { type Blocking, blockingParameters, operationBuilders } from './operation-builders.ts';
import { schedulerAclOperations } from './scheduler-acl.ts';

const { get, post, put, remove } = operationBuilders('scheduler');

const namespace = v.looseObject({
  ...shown<Omit<ReturnedNamespace, keyof wire.Namespace> & wire.Namespace>({
    Description: text,
    Quota: text,
    CreateIndex: index,
    ModifyIndex: index,
  }),
  Name: v.string(),
  Meta: pairs,
});

/** Times are in nanoseconds since 1970, which exceeds the safe integers. */
const metadata = {
  ...shown<wire.VariableMetadata>({
    Namespace: text,
    ...v.entriesFromList(['CreateIndex', 'ModifyIndex', 'CreateTime', 'ModifyTime'], index),
  }),
  Path: v.string(),
} as const;

const variableMetadata = v.looseObject(metadata);

const variable = v.looseObject({
  ...metadata,
  /** Keys and values. */
  Items: pairs,
});

export type Namespace = v.InferOutput<typeof namespace>;
export type VariableMetadata = v.InferOutput<typeof variableMetadata>;
export type Variable = v.InferOutput<typeof variable>;

/** Default: the namespace of the settings. */
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

/** The ID of the holder, and durations as text. */
interface Lock {
  readonly ID: string;
  readonly TTL?: string;
  readonly LockDelay?: string;
}

type Locked = Named & { Lock: Lock };

/** Check-and-set index, as a decimal number. */
interface Guarded {
  cas?: string;
}

const namespacePath = '/v1/namespace/{namespace}';
const variablePath = '/v1/var/{+path}';

const lockCall = <Input extends Locked>(name: string, parameter: string) =>
  put<Input>(name, variablePath, { fixedQuery: [[parameter, '']], query: ['namespace'], retry: 'repeat' })(
    checked(variable),
  );

/** The operations of the scheduler (docs/protocol/scheduler.md). The response to a write may have no body. */
export const schedulerOperations = {
  ...schedulerAclOperations,
  listNamespaces: get<{ prefix?: string }>('list namespaces', '/v1/namespaces', { query: ['prefix'] })(
    checkedList(namespace),
  ),
  readNamespace: get<{ namespace: string }>('read namespace', namespacePath)(checked(namespace)),
  writeNamespace: post<{ namespace: string; Name: string }>(
    'write namespace',
    namespacePath,
  )(noBodyOr(someFields)),
  deleteNamespace: remove<{ namespace: string }>('delete namespace', namespacePath)(noBodyOr(someFields)),
  listVariables: get<Listed & Blocking>('list variables', '/v1/vars', {
    query: ['namespace', 'prefix', 'filter', 'per_page', 'next_token', ...blockingParameters],
  })(checkedList(variableMetadata)),
  readVariable: get<Named & Blocking>('read variable', variablePath, {
    query: ['namespace', ...blockingParameters],
  })(checked(variable)),
  // The namespace is sent only in the query: services differ in its precedence over one in the body. The lock, if any,
  // is held afterwards, without a time to live on Nomad.
  writeVariable: put<Named & Guarded & { Items: Readonly<Record<string, string>>; Lock?: Pick<Lock, 'ID'> }>(
    'write variable',
    variablePath,
    { query: ['namespace', 'cas'] },
  )(noContentOr(checked(variable))),
  // Locks. The holder may repeat each call (docs/protocol/scheduler.md#locks). Acquiring replaces the items.
  lockVariable: lockCall<Locked & { Items: Readonly<Record<string, string>> }>(
    'lock variable',
    'lock-acquire',
  ),
  renewLock: lockCall<Locked>('renew lock', 'lock-renew'),
  releaseLock: lockCall<Locked>('release lock', 'lock-release'),
  deleteVariable: remove<Named & Guarded>('delete variable', variablePath, { query: ['namespace', 'cas'] })(
    noContentOr(someFields as Decoder<wire.Deleted>),
  ),
} as const;

export type SchedulerClient = Client<typeof schedulerOperations>;
