import { flag } from '../../command.ts';
import type { Context } from '../../context.ts';
import { usage } from '../../errors.ts';
import type { Json } from '../../wire/json.ts';
import { nearest } from '../../wire/nearest.ts';
import { sorted } from './shared.ts';

export type Members = { readonly [name: string]: Json };

export const fieldFlags = {
  description: flag.text('TEXT', 'description, at most 256 bytes'),
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

/**
 * What may be written: the fields of the specification, and those that services add today
 * (docs/protocol/scheduler.md#namespaces).
 */
const known = [
  ...['Name', 'Description', 'Meta', 'Quota', 'Capabilities'],
  ...['NodePoolConfiguration', 'VaultConfiguration', 'ConsulConfiguration'],
  ...['RequiredExtraClaims', 'OptionalExtraClaims'],
];

/** A namespace as it may be written; what is as if it were not there is left out. */
export const writable = (namespace: Members): Members =>
  Object.fromEntries(
    Object.entries(sorted(namespace))
      .map(([name, value]) => [name, withoutNull(value)] as const)
      .filter(([name, value]) => !own.includes(name) && value !== null && value !== '' && !isEmpty(value)),
  );

/** Services give members that are not set as null; a file leaves them out. */
const withoutNull = (value: Json): Json =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(
        Object.entries(value)
          .filter(([, member]) => member !== null)
          .map(([name, member]) => [name, withoutNull(member)]),
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
  return Object.fromEntries(
    Object.entries(value).filter(([member]) => member !== 'Name' && !own.includes(member)),
  );
}

/**
 * Rejects the fields that neither this program nor the service knows.
 *
 * @param served gives a namespace as the service has it, with all fields that it knows; asked only where needed.
 * @throws LanyardError usage: no namespace has such a field.
 */
export async function rejectUnknown(
  fields: Members,
  file: string | undefined,
  served: () => Promise<object | undefined>,
): Promise<void> {
  const unknown = Object.keys(fields).filter((name) => !known.includes(name) && !own.includes(name));
  if (unknown.length === 0) return;
  const names = Object.keys((await served()) ?? {});
  const field = unknown.find((name) => !names.includes(name));
  if (field === undefined) return;
  const all = [...new Set([...known, ...names])].filter((name) => !own.includes(name));
  const near = nearest(field, all);
  throw usage(`${file === '-' ? 'standard input' : file}: a namespace has no field "${field}"`, {
    hint: near === undefined ? `There are ${all.join(', ')}.` : `Is "${near}" meant?`,
  });
}

function check(what: string, { Description = '', Quota = '', Meta = null }: Members): void {
  const refuse = (field: string, why: string) => usage(`${what}: ${field} ${why}`);
  if (typeof Description !== 'string') throw refuse('Description', 'has to be text');
  if (Buffer.byteLength(Description) > 256) throw refuse('Description', 'has more than 256 bytes');
  if (typeof Quota !== 'string') throw refuse('Quota', 'has to be text');
  const isPairs = typeof Meta === 'object' && !Array.isArray(Meta);
  if (!isPairs || Object.values(Meta ?? {}).some((value) => typeof value !== 'string'))
    throw refuse('Meta', 'has to be an object of texts');
}
