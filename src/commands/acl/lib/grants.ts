import { flag } from '../../../command/command.ts';
import type { Completes } from '../../../command/completes.ts';
import { usage } from '../../../errors.ts';
import type { Messages } from '../../../io/io.ts';
import type { Json } from '../../../wire/json.ts';
import type { Fields } from './fields.ts';
import { isUuid } from './find.ts';

type Link = { readonly [name: string]: Json };

/** A kind of permissions that a token or role is linked to. */
interface Kind {
  /** Of the flag, and of messages: `service-identity`. */
  readonly flag: string;
  readonly field: string;
  /** The link that a value of the flag describes. @throws LanyardError usage */
  readonly parse: (text: string) => Link;
  /** Texts that identify a link: two links are the same if one is equal. */
  readonly keys: (link: Link) => readonly string[];
}

const byIdOrName = (text: string): Link => (isUuid(text) ? { ID: text } : { Name: text });
const idAndName = ({ ID, Name }: Link): readonly string[] =>
  [ID && `ID ${ID}`, Name && `name ${Name}`].filter((key): key is string => Boolean(key));
const datacentersOf = (text: string | undefined): { Datacenters: string[] } | undefined =>
  text === undefined ? undefined : { Datacenters: text.split(',').filter((name) => name !== '') };

const policyKind: Kind = { flag: 'policy', field: 'Policies', parse: byIdOrName, keys: idAndName };
const roleKind: Kind = { flag: 'role', field: 'Roles', parse: byIdOrName, keys: idAndName };
const otherKinds: readonly Kind[] = [
  {
    flag: 'service-identity',
    field: 'ServiceIdentities',
    parse(text) {
      const [, name, datacenters] = /^([^:,]+)(?::([^:]+))?$/.exec(text) ?? [];
      if (name === undefined) throw invalid('service-identity', text, 'NAME or NAME:DC,DC');
      return { ServiceName: name, ...datacentersOf(datacenters) };
    },
    keys: ({ ServiceName }) => [String(ServiceName)],
  },
  {
    flag: 'node-identity',
    field: 'NodeIdentities',
    parse(text) {
      const [, NodeName, Datacenter] = /^([^:,]+):([^:,]+)$/.exec(text) ?? [];
      if (NodeName === undefined || Datacenter === undefined) throw invalid('node-identity', text, 'NAME:DC');
      return { NodeName, Datacenter };
    },
    keys: ({ NodeName, Datacenter }) => [`${NodeName}:${Datacenter}`],
  },
  {
    flag: 'templated-policy',
    field: 'TemplatedPolicies',
    parse(text) {
      const [, TemplateName, Name, datacenters] = /^([^:,]+)(?::([^:,]*))?(?::([^:]+))?$/.exec(text) ?? [];
      if (TemplateName === undefined)
        throw invalid('templated-policy', text, 'TEMPLATE, TEMPLATE:NAME or TEMPLATE:NAME:DC,DC');
      return {
        TemplateName,
        ...(Name ? { TemplateVariables: { Name } } : {}),
        ...datacentersOf(datacenters),
      };
    },
    keys: ({ TemplateName, TemplateVariables }) => [`${TemplateName}:${templateName(TemplateVariables)}`],
  },
];

const invalid = (name: string, text: string, expected: string) =>
  usage(`invalid --${name} "${text}": expected ${expected}`);

/** The variable of a templated policy; Consul returns its name in lower case. */
export function templateName(variables: unknown): string {
  const entries = Object.entries((variables ?? {}) as Record<string, unknown>);
  return String(entries.find(([name]) => name.toLowerCase() === 'name')?.[1] ?? '');
}

const forms = {
  policy: ['NAME|ID', 'policy'],
  role: ['NAME|ID', 'role'],
  serviceIdentity: ['NAME[:DC,DC]', 'service identity'],
  nodeIdentity: ['NAME:DC', 'node identity'],
  templatedPolicy: ['TEMPLATE[:NAME[:DC,DC]]', 'templated policy'],
} as const;

/** The flags of the permissions of a new object. */
export const policyFlags = {
  policy: flag.list('NAME|ID', 'policy to link; repeatable', {
    completes: { live: 'acl-policy' },
    aliases: ['policy-name', 'policy-id'],
  }),
  serviceIdentity: flag.texts('NAME[:DC,DC]', 'service identity, in these datacenters; repeatable'),
  nodeIdentity: flag.texts('NAME:DC', 'node identity; repeatable'),
  templatedPolicy: flag.texts(
    'TEMPLATE[:NAME[:DC,DC]]',
    'templated policy, such as builtin/service:web; repeatable',
  ),
} as const;
export const roleFlag = {
  role: flag.list('NAME|ID', 'role to link; repeatable', {
    completes: { live: 'acl-role' },
    aliases: ['role-name', 'role-id'],
  }),
} as const;

const change = (verb: string, name: keyof typeof forms, options?: { readonly completes: Completes }) =>
  flag.texts(forms[name][0], `${forms[name][1]} to ${verb}; repeatable`, options);

/** The flags that replace the permissions of an existing object, or add and remove some. */
export const changePolicyFlags = {
  policy: flag.list('NAME|ID', 'policies, replacing all existing ones; repeatable', {
    completes: { live: 'acl-policy' },
    aliases: ['policy-name', 'policy-id'],
  }),
  addPolicy: flag.texts('NAME|ID', 'policy to add; repeatable', {
    completes: { live: 'acl-policy' },
    aliases: ['append-policy-name', 'append-policy-id'],
  }),
  removePolicy: change('remove', 'policy', { completes: { live: 'acl-policy' } }),
  serviceIdentity: flag.texts('NAME[:DC,DC]', 'service identities, replacing all; repeatable'),
  addServiceIdentity: change('add', 'serviceIdentity'),
  removeServiceIdentity: change('remove', 'serviceIdentity'),
  nodeIdentity: flag.texts('NAME:DC', 'node identities, replacing all; repeatable'),
  addNodeIdentity: change('add', 'nodeIdentity'),
  removeNodeIdentity: change('remove', 'nodeIdentity'),
  templatedPolicy: flag.texts('TEMPLATE[:NAME[:DC,DC]]', 'templated policies, replacing all; repeatable'),
  addTemplatedPolicy: change('add', 'templatedPolicy'),
  removeTemplatedPolicy: change('remove', 'templatedPolicy'),
} as const;
export const changeRoleFlags = {
  role: flag.list('NAME|ID', 'roles, replacing all existing ones; repeatable', {
    completes: { live: 'acl-role' },
    aliases: ['role-name', 'role-id'],
  }),
  addRole: flag.texts('NAME|ID', 'role to add; repeatable', {
    completes: { live: 'acl-role' },
    aliases: ['append-role-name', 'append-role-id'],
  }),
  removeRole: change('remove', 'role', { completes: { live: 'acl-role' } }),
} as const;

/** The flags that `--unset` resets: without those that add and remove. */
export const grantFieldFlags = {
  policy: changePolicyFlags.policy,
  serviceIdentity: changePolicyFlags.serviceIdentity,
  nodeIdentity: changePolicyFlags.nodeIdentity,
  templatedPolicy: changePolicyFlags.templatedPolicy,
} as const;

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
    [policyKind, roleKind, ...otherKinds].flatMap((kind) => {
      const links = changedLinks(kind, before, flags, output);
      return links === undefined ? [] : [[kind.field, [...links]]];
    }),
  );
}

function changedLinks(
  kind: Kind,
  before: Fields,
  flags: GrantValues,
  output: Pick<Messages, 'warn'>,
): readonly Link[] | undefined {
  const given = (prefix: string): readonly Link[] | undefined => {
    const name = `${prefix}-${kind.flag}`
      .replace(/^-/, '')
      .replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
    const values = flags[name] as readonly string[] | undefined;
    // Identities are lists that are empty without the flag; "" empties them.
    if (values === undefined || (values.length === 0 && kind !== policyKind && kind !== roleKind))
      return undefined;
    return values.filter((value) => value !== '').map(kind.parse);
  };
  const [replacement, added, removed] = [given(''), given('add'), given('remove')];
  if (!replacement && !added && !removed) return undefined;
  for (const link of [...(replacement ?? []), ...(added ?? [])])
    if ('TemplateName' in link && !('TemplateVariables' in link))
      output.warn(
        `templated policy "${link.TemplateName}" without a name: Consul 1.21.4 servers of other datacenters crash when they replicate it`,
      );
  const existing = (before[kind.field] ?? []) as unknown as readonly Link[];
  const includes = (links: readonly Link[], link: Link): boolean =>
    links.some((other) => kind.keys(other).some((key) => kind.keys(link).includes(key)));
  const merge = (base: readonly Link[], more: readonly Link[]): readonly Link[] =>
    // A link with other datacenters replaces the existing one.
    [
      ...base.map((link) => more.find((each) => isOther(kind, each, link)) ?? link),
      ...more.filter((link) => !includes(base, link)),
    ];
  const kept = replacement ? existing.filter((link) => includes(replacement, link)) : existing;
  const next = merge(merge(kept, replacement ?? []), added ?? []);
  for (const link of removed ?? [])
    if (!includes(next, link))
      output.warn(
        `no ${kind.flag.replace('-', ' ')} "${kind.keys(link)[0]?.replace(/^(ID|name) /, '')}" to remove`,
      );
  return removed ? next.filter((link) => !includes(removed, link)) : next;
}

/** Whether a given link is about the same as an existing one, with other details. */
const isOther = (kind: Kind, given: Link, existing: Link): boolean =>
  kind !== policyKind && kind !== roleKind && kind.keys(given)[0] === kind.keys(existing)[0];
