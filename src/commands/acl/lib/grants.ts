import { type Flag, type FlagTable, flag } from '../../../command/command.ts';
import { type FlagField, fieldItems, flagFields, flagsOf } from '../../../command/object-flags.ts';
import type { Messages } from '../../../io/io.ts';
import { registryRole, registryToken } from '../../../objects/registry-acl.ts';
import type { ObjectSchema } from '../../../objects/schema.ts';
import type { Json } from '../../../wire/json.ts';
import type { Fields } from './fields.ts';

type Link = { readonly [name: string]: Json };

/** The kinds of permissions of a token or role: the fields whose flags have items. */
const grantsOf = (schema: ObjectSchema): readonly FlagField[] =>
  flagFields(schema).filter(({ settings }) => settings.parse !== undefined);

/** The fields of a token or role besides its permissions. */
export const withoutGrants = ({ properties }: ObjectSchema): ObjectSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(properties).filter(([, { flag }]) => (flag || undefined)?.parse === undefined),
  ),
});

const idAndName = ({ ID, Name }: Link): readonly string[] =>
  [ID && `ID ${ID}`, Name && `name ${Name}`].filter((key): key is string => Boolean(key));

/** Texts that identify a link of a field: two links are the same if one is equal. */
const keysOf: Readonly<Record<string, (link: Link) => readonly string[]>> = {
  Policies: idAndName,
  Roles: idAndName,
  ServiceIdentities: ({ ServiceName }) => [String(ServiceName)],
  NodeIdentities: ({ NodeName, Datacenter }) => [`${NodeName}:${Datacenter}`],
  TemplatedPolicies: ({ TemplateName, TemplateVariables }) => [
    `${TemplateName}:${templateName(TemplateVariables)}`,
  ],
};

/** The variable of a templated policy; Consul returns its name in lower case. */
export function templateName(variables: unknown): string {
  const entries = Object.entries((variables ?? {}) as Record<string, unknown>);
  return String(entries.find(([name]) => name.toLowerCase() === 'name')?.[1] ?? '');
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The flags of the permissions of a new token. */
export const grantFlags: FlagTable = flagsOf({
  type: 'object',
  properties: Object.fromEntries(
    grantsOf(registryToken).map(({ path: [field = ''], schema }) => [field, schema]),
  ),
});

/** The flags of an existing object: they replace its permissions, or add and remove some. */
const changeFlags = (schema: ObjectSchema): FlagTable => {
  const flags = flagsOf(schema);
  const changeable = flagFields(schema).filter((field) => !field.schema.isImmutable);
  return Object.fromEntries(
    changeable.flatMap(({ key, name, settings }) => {
      const own = flags[key] as Flag<unknown>;
      const { value = '', isRepeated, parse, aliases = [], completes } = settings;
      if (!parse) return [[key, own]];
      const noun = name.replace('-', ' ');
      const nouns = noun.replace(/y$/, 'ie').concat('s');
      const options = completes === undefined ? {} : { completes };
      const added = aliases.length === 0 ? {} : { aliases: aliases.map((alias) => `append-${alias}`) };
      const help = `${nouns}, replacing all${isRepeated ? '' : ' existing ones'}; repeatable`;
      return [
        [key, { ...own, help }],
        [`add${capitalized(key)}`, flag.texts(value, `${noun} to add; repeatable`, { ...options, ...added })],
        [`remove${capitalized(key)}`, flag.texts(value, `${noun} to remove; repeatable`, options)],
      ];
    }),
  );
};

export const roleFlags = changeFlags(registryRole);
export const tokenFlags = changeFlags(registryToken);

/** Flags by their camelCase names; absent: as if not given. */
type GrantValues = Readonly<Record<string, unknown>>;

/**
 * The fields with the permissions that flags give: the existing ones are kept, replaced (`--policy`), extended
 * (`--add-policy`) or reduced (`--remove-policy`).
 *
 * @returns only the fields that a flag names
 */
export function grantFields(before: Fields, flags: GrantValues, output: Pick<Messages, 'warn'>): Fields {
  return Object.fromEntries(
    grantsOf(registryToken).flatMap((kind) => {
      const links = changedLinks(kind, before, flags, output);
      return links === undefined ? [] : [[fieldName(kind), [...links]]];
    }),
  );
}

const fieldName = ({ path: [field = ''] }: FlagField): string => field;

function changedLinks(
  kind: FlagField,
  before: Fields,
  flags: GrantValues,
  output: Pick<Messages, 'warn'>,
): readonly Link[] | undefined {
  const keys = keysOf[fieldName(kind)] ?? idAndName;
  const isLinked = keys === idAndName;
  const given = (prefix: string): readonly Link[] | undefined => {
    const values = flags[prefix === '' ? kind.key : `${prefix}${capitalized(kind.key)}`] as
      | readonly string[]
      | undefined;
    // Repeated flags are empty lists without the flag; "" empties the links.
    const isAbsent = values?.length === 0 && (prefix !== '' || kind.settings.isRepeated);
    if (values === undefined || isAbsent) return undefined;
    return fieldItems(
      kind,
      values.filter((value) => value !== ''),
    ) as readonly Link[];
  };
  const [replacement, added, removed] = [given(''), given('add'), given('remove')];
  if (!replacement && !added && !removed) return undefined;
  for (const link of [...(replacement ?? []), ...(added ?? [])])
    if ('TemplateName' in link && !('TemplateVariables' in link))
      output.warn(
        `templated policy "${link.TemplateName}" without a name: Consul 1.21.4 servers of other datacenters crash when they replicate it`,
      );
  const existing = (before[fieldName(kind)] ?? []) as unknown as readonly Link[];
  /** Whether a given link is about the same as an existing one, with other details. */
  const isOther = (one: Link, other: Link): boolean => !isLinked && keys(one)[0] === keys(other)[0];
  const includes = (links: readonly Link[], link: Link): boolean =>
    links.some((other) => keys(other).some((key) => keys(link).includes(key)));
  const merge = (base: readonly Link[], more: readonly Link[]): readonly Link[] =>
    // A link with other datacenters replaces the existing one.
    [
      ...base.map((link) => more.find((each) => isOther(each, link)) ?? link),
      ...more.filter((link) => !includes(base, link)),
    ];
  const kept = replacement ? existing.filter((link) => includes(replacement, link)) : existing;
  const next = merge(merge(kept, replacement ?? []), added ?? []);
  for (const link of removed ?? [])
    if (!includes(next, link))
      output.warn(
        `no ${kind.name.replace('-', ' ')} "${keys(link)[0]?.replace(/^(ID|name) /, '')}" to remove`,
      );
  return removed ? next.filter((link) => !includes(removed, link)) : next;
}
