import { flag } from '../../command.ts';
import type { Context } from '../../context.ts';
import { usage } from '../../errors.ts';
import type { Json } from '../../wire/json.ts';
import { nearest } from '../../wire/nearest.ts';

export type Members = { readonly [name: string]: Json };

export const fieldFlags = {
  description: flag.text('TEXT', 'what it is for, at most 256 characters'),
  quota: flag.text('NAME', 'its quota, where the service has quotas'),
  meta: flag.map('K=V', 'metadata in the place of what is there; repeatable'),
  in: flag.text('FILE|-', 'fields from JSON or YAML; - is standard input', { completes: 'file' }),
} as const;

interface Given {
  readonly description: string | undefined;
  readonly quota: string | undefined;
  readonly meta: Readonly<Record<string, string>> | undefined;
  readonly in: string | undefined;
}

/** What the service sets by itself, and no one writes. */
const own = ['CreateIndex', 'ModifyIndex', 'Hash'];

/** What may be written: the fields of the specification, and those that services add today (wire-facts.md 4.2). */
const known = [
  ...['Name', 'Description', 'Meta', 'Quota', 'Capabilities'],
  ...['NodePoolConfiguration', 'VaultConfiguration', 'ConsulConfiguration'],
];

/** A namespace as it may be written; what is as if it were not there is left out. */
export const writable = (namespace: Members): Members =>
  Object.fromEntries(
    Object.entries(namespace).filter(
      ([name, value]) => !own.includes(name) && value !== null && value !== '' && !isEmpty(value),
    ),
  );

const isEmpty = (value: Json): boolean => typeof value === 'object' && Object.keys(value ?? {}).length === 0;

/**
 * The fields that are named, checked; flags take the place of those of the file.
 *
 * @throws LanyardError usage: a file that describes no namespace, or another; a field that is not as it must be.
 */
export async function fieldsFrom(
  name: string,
  given: Given,
  ctx: Pick<Context, 'definitions'>,
): Promise<Members> {
  const file = given.in === undefined ? {} : await fromFile(name, given.in, ctx);
  const fields: Members = {
    ...file,
    ...(given.description === undefined ? {} : { Description: given.description }),
    ...(given.quota === undefined ? {} : { Quota: given.quota }),
    ...(given.meta === undefined ? {} : { Meta: { ...given.meta } }),
  };
  check(given.in === undefined ? 'the namespace' : given.in, fields);
  return fields;
}

async function fromFile(name: string, file: string, ctx: Pick<Context, 'definitions'>): Promise<Members> {
  const { name: shown, definitions } = await ctx.definitions(file);
  const [definition, ...others] = definitions;
  const value = definition?.value;
  if (others.length > 0 || typeof value !== 'object' || value === null || Array.isArray(value))
    throw usage(`${shown} has to be one object: the fields of a namespace`);
  if (value.Name !== undefined && value.Name !== name)
    throw usage(`${shown} describes another namespace than "${name}"`);
  for (const member of Object.keys(value)) refuseUnknown(shown, member);
  return Object.fromEntries(
    Object.entries(value).filter(([member]) => member !== 'Name' && !own.includes(member)),
  );
}

/** @throws LanyardError usage: no namespace has such a field. */
function refuseUnknown(file: string, field: string): void {
  if (known.includes(field) || own.includes(field)) return;
  const near = nearest(field, known);
  throw usage(`${file}: a namespace has no field "${field}"`, {
    hint: near === undefined ? `There are ${known.join(', ')}.` : `Is "${near}" meant?`,
  });
}

function check(what: string, { Description = '', Quota = '', Meta = null }: Members): void {
  const refuse = (field: string, why: string) => usage(`${what}: ${field} ${why}`);
  if (typeof Description !== 'string') throw refuse('Description', 'has to be text');
  if ([...Description].length > 256) throw refuse('Description', 'has more than 256 characters');
  if (typeof Quota !== 'string') throw refuse('Quota', 'has to be text');
  const isPairs = typeof Meta === 'object' && !Array.isArray(Meta);
  if (!isPairs || Object.values(Meta ?? {}).some((value) => typeof value !== 'string'))
    throw refuse('Meta', 'has to be an object of texts');
}
