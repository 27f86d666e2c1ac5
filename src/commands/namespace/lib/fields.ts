import { flag } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { changesOf } from '../../../command/object-flags.ts';
import { onlyObject } from '../../../command/read-fields.ts';
import { usage } from '../../../errors.ts';
import { namespace } from '../../../objects/namespace.ts';
import type { Schema } from '../../../objects/schema.ts';
import type { Json } from '../../../wire/json.ts';
import { isObject } from '../../../wire/objects.ts';
import { suggest } from '../../../wire/suggest.ts';
import { checkName, sortNamespace } from './find-namespace.ts';

export type NamespaceFields = { readonly [name: string]: Json };

export const inFlag = flag.file('FILE|-', 'fields as JSON, YAML or HCL; - for standard input');

/** Read-only fields, set by the service. */
const serverManagedFields = ['CreateIndex', 'ModifyIndex', 'Hash'];

/** Writable fields; services may have more (docs/protocol/scheduler.md#namespaces). */
const knownFields = ['Name', ...Object.keys(namespace.properties)];

export const writableFields = (namespace: NamespaceFields): NamespaceFields =>
  Object.fromEntries(
    Object.entries(sortNamespace(namespace))
      .map(([name, value]) => [name, omitNulls(value)] as const)
      .filter(
        ([name, value]) =>
          !serverManagedFields.includes(name) && value !== null && value !== '' && !isEmpty(value),
      ),
  );

/** Removes nulls: services return fields that are not set as null, files omit them. */
const omitNulls = (value: Json): Json =>
  !isObject(value)
    ? value
    : Object.fromEntries(
        Object.entries(value)
          .filter(([, member]) => member !== null)
          .map(([name, member]) => [name, omitNulls(member)]),
      );

const isEmpty = (value: Json): boolean => typeof value === 'object' && Object.keys(value ?? {}).length === 0;

/**
 * The name, and the fields from file and flags, validated; flags override the file.
 *
 * @throws LanyardError usage: the file has no namespace, or another one; a field is invalid.
 */
export async function fieldsFrom(
  name: string | undefined,
  given: Readonly<Record<string, unknown>> & {
    readonly in: string | undefined;
    readonly unset: readonly string[];
  },
  ctx: Context,
): Promise<{ readonly name: string; readonly fields: NamespaceFields }> {
  const file = given.in === undefined ? {} : await readFileFields(name, given.in, ctx);
  const { Name = name, ...others } = file;
  if (typeof Name !== 'string')
    throw usage('no namespace specified', { hint: 'Give NAME, or a file with Name and --in.' });
  checkName(Name);
  const fields: NamespaceFields = { ...others, ...changesOf(namespace, given) };
  checkFields(given.in, fields);
  return { name: Name, fields };
}

async function readFileFields(
  name: string | undefined,
  file: string,
  ctx: Context,
): Promise<NamespaceFields> {
  const read = await ctx.input.readDefinitions(file, { takesHcl: true });
  const given = onlyObject(read, 'namespace');
  const value = read.isHcl ? fromHcl(given) : given;
  if (value.Name !== undefined && name !== undefined && value.Name !== name)
    throw usage(`invalid namespace in ${read.name}: its Name is not "${name}"`);
  return Object.fromEntries(
    Object.entries(value).filter(([member]) => !serverManagedFields.includes(member)),
  );
}

/** Names of fields in HCL that differ from the API's names in snake case. */
const hclNames: Readonly<Record<string, string>> = {
  node_pool_config: 'NodePoolConfiguration',
  vault: 'VaultConfiguration',
  consul: 'ConsulConfiguration',
};

/** Fields whose members have names of the user. */
const mapNames = Object.entries<Schema>(namespace.properties).flatMap(([name, { type }]) =>
  type === 'map' ? [name] : [],
);

/** A namespace specification of Nomad with the field names of the API: `enabled_task_drivers`, `node_pool_config`. */
function fromHcl(fields: NamespaceFields): NamespaceFields {
  const apiName = (name: string): string =>
    hclNames[name] ?? name.replace(/(?:^|_)([a-z])/g, (_all, letter: string) => letter.toUpperCase());
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      apiName(name),
      !mapNames.includes(apiName(name)) && isObject(value) ? fromHcl(value) : value,
    ]),
  );
}

/**
 * Rejects fields that are unknown to both this program and the service.
 *
 * @param served reads a namespace with all fields that the service knows; called only if needed.
 * @throws LanyardError usage: a field is unknown.
 */
export async function rejectUnknown(
  fields: NamespaceFields,
  file: string | undefined,
  served: () => Promise<object | undefined>,
): Promise<void> {
  const unknown = Object.keys(fields).filter(
    (name) => !knownFields.includes(name) && !serverManagedFields.includes(name),
  );
  if (unknown.length === 0) return;
  const names = Object.keys((await served()) ?? {});
  const field = unknown.find((name) => !names.includes(name));
  if (field === undefined) return;
  const all = [...new Set([...knownFields, ...names])].filter((name) => !serverManagedFields.includes(name));
  const suggestion = suggest(field, all);
  throw usage(`invalid namespace${sourceOf(file)}: unknown field "${field}"`, {
    hint: suggestion === undefined ? `Valid fields: ${all.join(', ')}.` : `Did you mean "${suggestion}"?`,
  });
}

const sourceOf = (file: string | undefined): string =>
  file === undefined ? '' : ` in ${file === '-' ? 'standard input' : file}`;

function checkFields(
  file: string | undefined,
  { Description = '', Quota = '', Meta = null }: NamespaceFields,
): void {
  const invalidField = (field: string, problem: string) =>
    usage(`invalid namespace${sourceOf(file)}: ${field} ${problem}`);
  if (typeof Description !== 'string') throw invalidField('Description', 'must be a string');
  if (Buffer.byteLength(Description) > 256) throw invalidField('Description', 'must have at most 256 bytes');
  if (typeof Quota !== 'string') throw invalidField('Quota', 'must be a string');
  const isPairs = typeof Meta === 'object' && !Array.isArray(Meta);
  if (!isPairs || Object.values(Meta ?? {}).some((value) => typeof value !== 'string'))
    throw invalidField('Meta', 'must be an object with string values');
}
