import { flag } from '../../command.ts';
import type { Context } from '../../context.ts';
import { usage } from '../../errors.ts';
import type { Json } from '../../wire/json.ts';
import { nearest } from '../../wire/nearest.ts';
import { sorted } from './shared.ts';

export type Members = { readonly [name: string]: Json };

export const fieldFlags = {
  description: flag.text('TEXT', 'description, at most 256 bytes'),
  quota: flag.text('NAME', 'quota, if the service supports quotas'),
  meta: flag.map('K=V', 'metadata; replaces all existing metadata; repeatable'),
  in: flag.text('FILE|-', 'fields as JSON or YAML; - for standard input', { completes: 'file' }),
} as const;

interface Given {
  readonly description: string | undefined;
  readonly quota: string | undefined;
  readonly meta: Readonly<Record<string, string>> | undefined;
  readonly in: string | undefined;
}

/** Read-only fields, set by the service. */
const own = ['CreateIndex', 'ModifyIndex', 'Hash'];

/**
 * Writable fields: those of the specification, and those that services add today
 * (docs/protocol/scheduler.md#namespaces).
 */
const known = [
  ...['Name', 'Description', 'Meta', 'Quota', 'Capabilities'],
  ...['NodePoolConfiguration', 'VaultConfiguration', 'ConsulConfiguration'],
  ...['RequiredExtraClaims', 'OptionalExtraClaims'],
];

/** The writable fields of a namespace that have a value. */
export const writable = (namespace: Members): Members =>
  Object.fromEntries(
    Object.entries(sorted(namespace))
      .map(([name, value]) => [name, withoutNull(value)] as const)
      .filter(([name, value]) => !own.includes(name) && value !== null && value !== '' && !isEmpty(value)),
  );

/** Removes nulls: services return fields that are not set as null, files omit them. */
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
 * The fields from file and flags, validated; flags override the file.
 *
 * @throws LanyardError usage: the file has no namespace, or another one; a field is invalid.
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
  check(given.in, fields);
  return fields;
}

async function fromFile(name: string, file: string, ctx: Pick<Context, 'definitions'>): Promise<Members> {
  const { name: shown, definitions } = await ctx.definitions(file);
  const [definition, ...others] = definitions;
  const value = definition?.value;
  if (others.length > 0 || typeof value !== 'object' || value === null || Array.isArray(value))
    throw usage(`invalid namespace in ${shown}: expected one object`);
  if (value.Name !== undefined && value.Name !== name)
    throw usage(`invalid namespace in ${shown}: its Name is not "${name}"`);
  return Object.fromEntries(
    Object.entries(value).filter(([member]) => member !== 'Name' && !own.includes(member)),
  );
}

/**
 * Rejects fields that are unknown to both this program and the service.
 *
 * @param served reads a namespace with all fields that the service knows; called only if needed.
 * @throws LanyardError usage: a field is unknown.
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
  throw usage(`invalid namespace${sourceOf(file)}: unknown field "${field}"`, {
    hint: near === undefined ? `Valid fields: ${all.join(', ')}.` : `Did you mean "${near}"?`,
  });
}

const sourceOf = (file: string | undefined): string =>
  file === undefined ? '' : ` in ${file === '-' ? 'standard input' : file}`;

function check(file: string | undefined, { Description = '', Quota = '', Meta = null }: Members): void {
  const refuse = (field: string, why: string) => usage(`invalid namespace${sourceOf(file)}: ${field} ${why}`);
  if (typeof Description !== 'string') throw refuse('Description', 'must be a string');
  if (Buffer.byteLength(Description) > 256) throw refuse('Description', 'must have at most 256 bytes');
  if (typeof Quota !== 'string') throw refuse('Quota', 'must be a string');
  const isPairs = typeof Meta === 'object' && !Array.isArray(Meta);
  if (!isPairs || Object.values(Meta ?? {}).some((value) => typeof value !== 'string'))
    throw refuse('Meta', 'must be an object with string values');
}
