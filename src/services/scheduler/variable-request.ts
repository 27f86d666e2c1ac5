import { decodeBody, Fields } from '../core/http/fields.ts';
import { HttpError, type HttpRequest } from '../core/http/http-service.ts';
import type { Call } from './call.ts';
import { defaultNamespace, namespaceOf } from './model/namespaces.ts';
import type { View } from './model/tables.ts';
import {
  type Items,
  itemsOf,
  lockOf,
  metadataOf,
  type Variable,
  type VariablePath,
  variableOf,
} from './model/variables.ts';

/** Selects all namespaces. */
export const allNamespaces = '*';

/** Maximum total length of the names and values of a variable in bytes (docs/protocol/scheduler.md#variables). */
const maxBytes = 16 * 1024;
const pathPattern = /^[a-zA-Z0-9\-_~/]{1,128}$/;

/** A variable in a request. */
export interface VariableInput {
  readonly variablePath: VariablePath;
  readonly items: Items | undefined;
  readonly lock: LockInput;
}

/** The lock in a request: the ID of its holder, and durations in seconds. */
export interface LockInput {
  readonly ID: string;
  readonly TTL: number | undefined;
  readonly LockDelay: number | undefined;
}

/** The path of the variable of a request; the query takes precedence over the body. @throws HttpError 400 */
export function variablePathOf({ params, request }: Call, bodyNamespace = ''): VariablePath {
  const Namespace = request.query.get('namespace') || bodyNamespace || defaultNamespace;
  if (Namespace === allNamespaces) {
    throw new HttpError(400, `can not target wildcard ("${allNamespaces}")namespace`);
  }
  return { Namespace, Path: params.path ?? '' };
}

/** @throws HttpError 400, 413 */
export async function readVariable(call: Call): Promise<VariableInput> {
  const { namespace, ...input } = await decodeBody(call.request, 'failed to decode the variable', (body) => {
    const fields = new Fields(body);
    const items = fields.stringMap('Items');
    const lock = fields.object('Lock');
    return {
      namespace: fields.string('Namespace'),
      items: items ?? undefined,
      lock: {
        ID: lock?.string('ID') ?? '',
        TTL: secondsOf(lock, 'TTL'),
        LockDelay: secondsOf(lock, 'LockDelay'),
      },
    };
  });
  return { ...input, variablePath: variablePathOf(call, namespace) };
}

function secondsOf(lock: Fields | undefined, name: string): number | undefined {
  return lock?.duration(name) || undefined;
}

/** @throws HttpError 400 */
export function checkPath(path: string): void {
  if (!pathPattern.test(path)) throw new HttpError(400, `invalid path "${path}"`);
  const [first, second, ...rest] = path.split('/');
  if (first !== 'nomad') return;
  if (second === undefined) {
    throw new HttpError(
      400,
      '"nomad" is a reserved top-level directory path, but variables may be written at "nomad/jobs" or "nomad/job-templates" and below',
    );
  }
  const isTemplate = second === 'job-templates' && rest.length === 1 && rest[0] !== '';
  if (second === 'jobs' || isTemplate) return;
  throw new HttpError(
    400,
    'only paths at "nomad/jobs" or "nomad/job-templates" and below are valid paths under the top-level "nomad" directory',
  );
}

/** @throws HttpError 400 */
export function checkSize(items: Items): void {
  let bytes = 0;
  for (const [name, value] of Object.entries(items))
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value);
  if (bytes > maxBytes) throw new HttpError(400, 'variables are limited to 16KiB in total size');
}

/** @throws HttpError 500: the namespace does not exist */
export function checkNamespace(view: View, { Namespace, Path }: VariablePath): void {
  if (namespaceOf(view, Namespace)) return;
  throw new HttpError(500, `variable "${Path}" is in nonexistent namespace "${Namespace}"`);
}

/** The index of a check-and-set; undefined: none. @throws HttpError 400 */
export function casIndex({ query }: HttpRequest): bigint | undefined {
  const text = query.get('cas') ?? '';
  if (text === '') return undefined;
  const index = /^\d{1,20}$/.test(text) ? BigInt(text) : 2n ** 64n;
  if (index < 2n ** 64n) return index;
  throw new HttpError(400, `can not parse cas: "${text}" is not an unsigned integer of 64 bits`);
}

/** Whether a check-and-set matches. Index 0: only if the variable does not exist. */
export function matchesCas(variable: Variable | undefined, cas: bigint | undefined): boolean {
  return cas === undefined || BigInt(variable?.ModifyIndex ?? 0) === cas;
}

/** Whether the holder of a lock ID (empty: none) may write the variable. */
export function canWriteLocked(view: View, variablePath: VariablePath, holder: string): boolean {
  return (lockOf(view, variablePath)?.ID ?? '') === holder;
}

/** The result of a write. */
export interface WriteOutcome {
  readonly status: 200 | 409;
  readonly index: number;
  readonly value: object;
}

/**
 * The conflict of a write: the current variable, with its items for callers who may read them; zero values if it does
 * not exist (docs/protocol/scheduler.md#variables).
 */
export function casConflict(
  { permissions, scheduler }: Call,
  view: View,
  variablePath: VariablePath,
): WriteOutcome {
  const variable = variableOf(view, variablePath);
  if (!variable) return emptyConflict(variablePath);
  const metadata = metadataOf(view, variablePath, variable);
  const Items = permissions.allows('read', variablePath)
    ? itemsOf(scheduler.encryption, variablePath, variable)
    : undefined;
  return { status: 409, index: variable.ModifyIndex, value: { ...metadata, ...(Items && { Items }) } };
}

/** A conflict without a variable: it does not exist or, as in Nomad, it is locked. */
export function emptyConflict(variablePath: VariablePath): WriteOutcome {
  const zeroed = { CreateIndex: 0, CreateTime: 0, ModifyIndex: 0, ModifyTime: 0 };
  return { status: 409, index: 0, value: { ...variablePath, ...zeroed } };
}
