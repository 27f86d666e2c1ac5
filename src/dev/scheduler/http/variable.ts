import { decode, Fields } from '../../http/fields.ts';
import { HttpRefusal, type HttpRequest } from '../../http/service.ts';
import { defaultNamespace, namespaceOf } from '../state/namespaces.ts';
import type { View } from '../state/tables.ts';
import {
  type Items,
  itemsOf,
  lockOf,
  metadataOf,
  type Place,
  type Variable,
  variableOf,
} from '../state/variables.ts';
import type { Call } from './call.ts';

/** Stands for all namespaces. */
export const everyNamespace = '*';

/** Bytes of all names and values of a variable at the most (docs/protocol/scheduler.md#variables). */
const mostBytes = 16 * 1024;
const pathForm = /^[a-zA-Z0-9\-_~/]{1,128}$/;

/** A variable as a client sends it. */
export interface Sent {
  readonly place: Place;
  readonly items: Items | undefined;
  readonly lock: SentLock;
}

/** Of a lock, what a client says: who it is, and seconds. */
export interface SentLock {
  readonly ID: string;
  readonly TTL: number | undefined;
  readonly LockDelay: number | undefined;
}

/** Where the variable of a request is; the query says before the body does. @throws HttpRefusal 400 */
export function placeIn({ params, request }: Call, ofBody = ''): Place {
  const Namespace = request.query.get('namespace') || ofBody || defaultNamespace;
  if (Namespace === everyNamespace) {
    throw new HttpRefusal(400, `can not target wildcard ("${everyNamespace}")namespace`);
  }
  return { Namespace, Path: params.path ?? '' };
}

/** @throws HttpRefusal 400, 413 */
export async function readVariable(call: Call): Promise<Sent> {
  const { namespace, ...sent } = await decode(call.request, 'failed to decode the variable', (body) => {
    const fields = new Fields(body);
    const items = fields.textMap('Items');
    const lock = fields.object('Lock');
    return {
      namespace: fields.text('Namespace'),
      items: items ?? undefined,
      lock: {
        ID: lock?.text('ID') ?? '',
        TTL: secondsOf(lock, 'TTL'),
        LockDelay: secondsOf(lock, 'LockDelay'),
      },
    };
  });
  return { ...sent, place: placeIn(call, namespace) };
}

function secondsOf(lock: Fields | undefined, name: string): number | undefined {
  return lock?.duration(name) || undefined;
}

/** @throws HttpRefusal 400 */
export function checkPath(path: string): void {
  if (!pathForm.test(path)) throw new HttpRefusal(400, `invalid path "${path}"`);
  const [first, second, ...others] = path.split('/');
  if (first !== 'nomad') return;
  if (second === undefined) {
    throw new HttpRefusal(
      400,
      '"nomad" is a reserved top-level directory path, but variables may be written at "nomad/jobs" or "nomad/job-templates" and below',
    );
  }
  const isTemplate = second === 'job-templates' && others.length === 1 && others[0] !== '';
  if (second === 'jobs' || isTemplate) return;
  throw new HttpRefusal(
    400,
    'only paths at "nomad/jobs" or "nomad/job-templates" and below are valid paths under the top-level "nomad" directory',
  );
}

/** @throws HttpRefusal 400 */
export function checkSize(items: Items): void {
  let bytes = 0;
  for (const [name, value] of Object.entries(items))
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value);
  if (bytes > mostBytes) throw new HttpRefusal(400, 'variables are limited to 16KiB in total size');
}

/** @throws HttpRefusal 500: there is no such namespace */
export function checkNamespace(view: View, { Namespace, Path }: Place): void {
  if (namespaceOf(view, Namespace)) return;
  throw new HttpRefusal(500, `variable "${Path}" is in nonexistent namespace "${Namespace}"`);
}

/** The index that a check-and-set names; undefined: it is none. @throws HttpRefusal 400 */
export function casOf({ query }: HttpRequest): bigint | undefined {
  const text = query.get('cas') ?? '';
  if (text === '') return undefined;
  const index = /^\d{1,20}$/.test(text) ? BigInt(text) : 2n ** 64n;
  if (index < 2n ** 64n) return index;
  throw new HttpRefusal(400, `can not parse cas: "${text}" is not an unsigned integer of 64 bits`);
}

/** May a check-and-set go on? Index 0: only where there is nothing yet. */
export function matchesCas(variable: Variable | undefined, cas: bigint | undefined): boolean {
  return cas === undefined || BigInt(variable?.ModifyIndex ?? 0) === cas;
}

/** May a variable be written by who says to hold a lock (empty: says nothing)? */
export function mayWriteLocked(view: View, place: Place, holder: string): boolean {
  return (lockOf(view, place)?.ID ?? '') === holder;
}

/** What a write of a variable led to. */
export interface Outcome {
  readonly status: 200 | 409;
  readonly index: number;
  readonly value: object;
}

/**
 * What is in the way of a write: the variable, with its items for those who may read them; zeroed where there is none
 * (docs/protocol/scheduler.md#variables).
 */
export function conflictAt({ authority, scheduler }: Call, view: View, place: Place): Outcome {
  const variable = variableOf(view, place);
  if (!variable) return zeroedAt(place);
  const metadata = metadataOf(view, place, variable);
  const Items = authority.may('read', place) ? itemsOf(scheduler.vault, place, variable) : undefined;
  return { status: 409, index: variable.ModifyIndex, value: { ...metadata, ...(Items && { Items }) } };
}

/** A conflict that has no variable: where there is none, and (as in Nomad) where it is locked. */
export function zeroedAt(place: Place): Outcome {
  const zeroed = { CreateIndex: 0, CreateTime: 0, ModifyIndex: 0, ModifyTime: 0 };
  return { status: 409, index: 0, value: { ...place, ...zeroed } };
}
