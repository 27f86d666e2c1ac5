import { flag } from '../../../../command/command.ts';
import type { Context } from '../../../../command/context.ts';
import {
  changesOf,
  flagsOf,
  type Given,
  givenFields,
  unsetFlagFor,
} from '../../../../command/object-flags.ts';
import { usage } from '../../../../errors.ts';
import type { ObjectSchema } from '../../../../objects/schema.ts';
import { type Change, changesTable, diff, writtenView } from '../../../../output/diff.ts';
import type { Json } from '../../../../wire/json.ts';
import type { Noun } from '../errors.ts';
import { scopeFlag } from '../find-scope.ts';
import { changeVersioned, readBase, type Versioned } from '../versioned.ts';
import { describeTakenName } from './create-named.ts';
import { doneLine, objectTitle } from './views.ts';

/** New values of fields; null clears a field. */
export type Labels = Readonly<Record<string, string | null>>;

/** `--at` of a change. */
export const atFlag = (noun: Noun) =>
  flag.integer('VERSION', `version that the ${noun} must have (default: current)`);

/** `--scope` of a command with one object. */
export const nameScopeFlag = (noun: 'user' | 'role' | 'method') =>
  scopeFlag(`scope of a ${noun} given by name`);

/** The flags of the fields of a new object, whose name is an argument. */
export const createFlags = (schema: ObjectSchema) => {
  const { name: _, ...others } = flagsOf(schema);
  return others;
};

/** The flags of the fields of an existing object. */
export const updateFlags = (schema: ObjectSchema) => ({ ...flagsOf(schema), unset: unsetFlagFor(schema) });

/** The fields of a new object that are not empty. */
export const newLabels = (schema: ObjectSchema, flags: Given): Readonly<Record<string, string>> =>
  Object.fromEntries(texts(givenFields(schema, flags)).filter(([, value]) => value !== ''));

/** The fields that flags change. The service rejects empty texts, and clears a field by null. */
export const labelChanges = (
  schema: ObjectSchema,
  flags: Given & { readonly unset: readonly string[] },
): Labels =>
  Object.fromEntries(texts(changesOf(schema, flags)).map(([name, value]) => [name, value || null]));

const texts = (fields: Readonly<Record<string, Json>>) =>
  Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string');

interface Labelled {
  readonly [field: string]: unknown;
  readonly id: string;
  readonly version: number;
  readonly name?: string | undefined;
}

/** @throws LanyardError usage: no field is given. */
export function requireChanges(labels: Labels): void {
  if (Object.keys(labels).length === 0)
    throw usage('nothing to change', { hint: 'Pass a flag for each field to change.' });
}

/** Changes the given fields of an object at the given version, else at its current one. */
export async function updateLabels<Body extends Labelled>(
  ctx: Pick<Context, 'output'>,
  object: Versioned<Body>,
  { at, labels }: { readonly at: number | undefined; readonly labels: Labels },
  write: (guard: { readonly id: string; readonly version: number }) => Promise<{ readonly body: Body }>,
) {
  const { noun, id } = object;
  const base = await readBase(object, at);
  if (base.current && isWritten(base.current, labels)) return updateResult(noun, base.current, []);
  const { version } = base;
  const after = await changeVersioned(
    ctx,
    base,
    () => write({ id, version }).catch(describeTakenName(noun, labels.name ?? undefined)),
    { isWritten: (now) => isWritten(now, labels) },
  );
  const changes = base.current ? diff(valuesOf(base.current, labels), valuesOf(after, labels)) : null;
  return updateResult(noun, after, changes);
}

/** The given fields of an object; a service omits empty ones. */
const valuesOf = (
  object: Readonly<Record<string, unknown>>,
  names: Labels,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.keys(names).map((name) => [name, object[name] || undefined]));

/** Whether an object has the values. A service trims them before it stores them. */
export function isWritten(object: Readonly<Record<string, unknown>>, labels: Labels): boolean {
  const now = valuesOf(object, labels);
  return Object.entries(labels).every(
    ([name, value]) => now[name] === (value ?? undefined) || now[name] === (value?.trim() || undefined),
  );
}

/** The result of a change. @param changes null: the object was not read before */
export const updateResult = <Body extends Labelled>(
  noun: Noun,
  object: Body,
  changes: readonly Change[] | null,
) => ({
  data: { ...object, changes },
  document: changes?.length
    ? [doneLine(`Updated ${noun}`, object), changesTable(changes)]
    : writtenView(noun, objectTitle(object), { created: false, changes }),
});
