import type { Json } from '../../wire/json.ts';
import { EncodedJson } from '../core/blocking-query.ts';
import { HttpError } from '../core/http/http-service.ts';
import type { Typed } from '../core/operation.ts';
import * as s from '../core/schema/types.ts';
import type { Permissions } from './acl/permissions.ts';
import type { Call } from './call.ts';
import { invalidVariable } from './errors.ts';
import { defaultNamespace, namespaces } from './model/namespaces.ts';
import type { View } from './model/tables.ts';
import {
  encodeVariable,
  type Items,
  lockOf,
  type Variable,
  type VariablePath,
  type variableInput,
  variableOf,
} from './model/variables.ts';

export const allNamespaces = '*';

/** Maximum total length of the names and values of a variable in bytes (docs/protocol/scheduler.md#variables). */
const maxBytes = 16 * 1024;
const pathPattern = /^[a-zA-Z0-9\-_~/]{1,128}$/;

export const namespaceParameter = {
  namespace: s.string('Namespace of the variable.', { default: defaultNamespace }),
};

export const casParameter = {
  cas: s.optional(
    s.converted(
      s.integer('Check-and-set: the current `ModifyIndex`; 0: the variable must not exist.', { minimum: 0 }),
      casIndex,
    ),
  ),
};

export interface VariableInput {
  readonly variablePath: VariablePath;
  readonly items: Items | undefined;
  readonly lock: LockInput | undefined;
}

/** The lock in a request: the ID of its holder (empty: none), and durations in seconds. */
export interface LockInput {
  readonly ID: string;
  readonly TTL: number | undefined;
  readonly LockDelay: number | undefined;
}

/** The message of a request for a variable in all namespaces. */
export const wildcardMessage = `can not target wildcard ("${allNamespaces}")namespace`;

/** The path of the variable of a request without a body. @throws HttpError 400 */
export function variablePathOf(call: Call): VariablePath {
  const variablePath = anyVariablePathOf(call, '');
  if (variablePath.Namespace === allNamespaces) throw new HttpError(400, wildcardMessage);
  return variablePath;
}

/** The query takes precedence over the body. */
function anyVariablePathOf({ params, request }: Call, bodyNamespace: string): VariablePath {
  const Namespace = request.query.get('namespace') || bodyNamespace || defaultNamespace;
  return { Namespace, Path: params.path ?? '' };
}

/** The namespace may be `*`. @throws HttpError 400, 413 */
export async function readVariable(
  call: Call & Typed<s.Fields, typeof variableInput>,
): Promise<VariableInput> {
  const { Namespace, Items, Lock } = await call.body();
  const lock = Lock && {
    ID: Lock.ID,
    TTL: Lock.TTL || undefined,
    LockDelay: Lock.LockDelay || undefined,
  };
  return { items: Items, lock, variablePath: anyVariablePathOf(call, Namespace) };
}

/** Why a path is invalid; undefined: it is valid. */
export function pathProblem(path: string): string | undefined {
  if (!pathPattern.test(path)) return `invalid path ${JSON.stringify(path)}`;
  const [first, second, ...rest] = path.split('/');
  if (first !== 'nomad') return undefined;
  if (second === undefined) {
    return '"nomad" is a reserved top-level directory path, but you may write variables to "nomad/jobs", "nomad/job-templates", "nomad/sentinel", or below';
  }
  const isTemplate = second === 'job-templates' && rest.length === 1 && rest[0] !== '';
  if (second === 'jobs' || second === 'sentinel' || isTemplate) return undefined;
  return 'only paths at "nomad/jobs" or "nomad/job-templates" and below are valid paths under the top-level "nomad" directory';
}

/** @throws HttpError 400: items that are too large, an invalid path */
export function checkVariable({ Path }: VariablePath, items: Items): void {
  let bytes = 0;
  for (const [name, value] of Object.entries(items))
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value);
  if (bytes > maxBytes) throw invalidVariable('variables are limited to 16KiB in total size');
  const problem = pathProblem(Path);
  if (problem !== undefined) throw invalidVariable(problem);
}

/** @throws HttpError 500: the namespace does not exist */
export function checkNamespace(view: View, { Namespace, Path }: VariablePath): void {
  if (namespaces.get(view, Namespace)) return;
  throw new HttpError(500, `variable "${Path}" is in nonexistent namespace "${Namespace}"`);
}

/** The index of a check-and-set; undefined: none. @throws HttpError 400 */
function casIndex(value: Json): bigint | undefined {
  const text = String(value);
  if (text === '') return undefined;
  const index = /^\d{1,20}$/.test(text) ? BigInt(text) : 2n ** 64n;
  if (index < 2n ** 64n) return index;
  throw new HttpError(400, `can not parse cas: "${text}" is not an unsigned integer of 64 bits`);
}

/** Whether a check-and-set matches. Index 0: only if the variable does not exist. */
export function matchesCas(variable: Variable | undefined, cas: bigint | undefined): boolean {
  return cas === undefined || BigInt(variable?.ModifyIndex ?? 0) === cas;
}

/** Whether a variable has a lock whose ID differs from the writer's (undefined: none). */
export function isLockedByOther(view: View, variablePath: VariablePath, id: string | undefined): boolean {
  const lock = lockOf(view, variablePath);
  return lock !== undefined && lock.ID !== id;
}

export interface WriteOutcome {
  readonly status: 200 | 409;
  /** Undefined: the response has no index. */
  readonly index: number | undefined;
  readonly value: object;
}

/** The conflict of a write: the current variable, with items if the caller may read them; zeros without one. */
export function casConflict(
  { permissions, scheduler }: Call,
  view: View,
  variablePath: VariablePath,
): WriteOutcome {
  const variable = variableOf(view, variablePath);
  if (!variable) return emptyConflict(variablePath);
  const lock = visibleLock(permissions, view, variablePath);
  const encodedItems = permissions.allows('read', variablePath)
    ? scheduler.items.read(variablePath, variable)
    : undefined;
  const value = new EncodedJson(encodeVariable(variablePath, variable, lock, encodedItems));
  return { status: 409, index: variable.ModifyIndex, value };
}

/** The lock of a variable, if the caller is management: other callers do not see locks. */
export function visibleLock(permissions: Permissions, view: View, variablePath: VariablePath) {
  return permissions.isManagement ? lockOf(view, variablePath) : undefined;
}

/** A conflict without a variable: it does not exist or, as in Nomad, it is locked. */
export function emptyConflict(variablePath: VariablePath): WriteOutcome {
  const zeroed = { CreateIndex: 0, CreateTime: 0, ModifyIndex: 0, ModifyTime: 0 };
  return { status: 409, index: 0, value: { ...variablePath, ...zeroed } };
}
