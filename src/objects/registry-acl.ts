import { type FieldsOf, field, type ReturnedFields } from './schema.ts';

const folding = { foldsNames: true } as const;
const uuid = /^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/i;
const byIdOrName = (text: string) => (uuid.test(text) ? { ID: text } : { Name: text });
const datacentersOf = (text: string | undefined) =>
  text === undefined ? {} : { Datacenters: text.split(',').filter((name) => name !== '') };

function serviceIdentity(text: string) {
  const [, ServiceName, datacenters] = /^([^:,]+)(?::([^:]+))?$/.exec(text) ?? [];
  return ServiceName === undefined ? undefined : { ServiceName, ...datacentersOf(datacenters) };
}

function nodeIdentity(text: string) {
  const [, NodeName, Datacenter] = /^([^:,]+):([^:,]+)$/.exec(text) ?? [];
  return NodeName === undefined || Datacenter === undefined ? undefined : { NodeName, Datacenter };
}

function templatedPolicy(text: string) {
  const [, TemplateName, Name, datacenters] = /^([^:,]+)(?::([^:,]*))?(?::([^:]+))?$/.exec(text) ?? [];
  if (TemplateName === undefined) return undefined;
  return { TemplateName, ...(Name ? { TemplateVariables: { Name } } : {}), ...datacentersOf(datacenters) };
}

/** A link to a policy or role by its name, in any case; the service adds the ID. */
const link = field.object({ Name: field.string({ form: 'name' }) }, { ...folding, required: ['Name'] });

const datacenters = field.set(field.string(), {
  description: 'Datacenters where it applies (default: all).',
});

const Description = field.string({ description: 'Description.' });

/** The permissions of a token or role. More flags add and remove some (`src/commands/acl/lib/grants.ts`). */
const grants = {
  Policies: field.set(link, {
    description: 'Policies by name: `[{ Name: web-read }]`.',
    flag: {
      name: 'policy',
      aliases: ['policy-name', 'policy-id'],
      value: 'NAME|ID',
      help: 'policy to link; repeatable',
      completes: 'acl-policy',
      parse: byIdOrName,
    },
  }),
  ServiceIdentities: field.set(
    field.object({ ServiceName: field.string(), Datacenters: datacenters }, folding),
    {
      description: 'Permissions of the proxies of services.',
      flag: {
        name: 'service-identity',
        value: 'NAME[:DC,DC]',
        help: 'service identity, in these datacenters; repeatable',
        expected: 'NAME or NAME:DC,DC',
        isRepeated: true,
        parse: serviceIdentity,
      },
    },
  ),
  NodeIdentities: field.set(field.object({ NodeName: field.string(), Datacenter: field.string() }, folding), {
    description: 'Permissions of the agents of nodes.',
    flag: {
      name: 'node-identity',
      value: 'NAME:DC',
      help: 'node identity; repeatable',
      isRepeated: true,
      parse: nodeIdentity,
    },
  }),
  TemplatedPolicies: field.set(
    field.object(
      {
        TemplateName: field.string(),
        TemplateVariables: field.object({ Name: field.string() }, folding),
        Datacenters: datacenters,
      },
      folding,
    ),
    {
      description: 'Policies from templates, such as `builtin/service`.',
      flag: {
        name: 'templated-policy',
        value: 'TEMPLATE[:NAME[:DC,DC]]',
        help: 'templated policy, such as builtin/service:web; repeatable',
        expected: 'TEMPLATE, TEMPLATE:NAME or TEMPLATE:NAME:DC,DC',
        isRepeated: true,
        parse: templatedPolicy,
      },
    },
  ),
} as const;

/** A policy of the registry (docs/protocol/registry.md#access-control). */
export const registryPolicy = field.object(
  {
    Description,
    Rules: field.lines({ flag: false, description: 'Rules in HCL or JSON.' }),
    Datacenters: field.set(field.string(), {
      description: 'Datacenters where it is valid (default: all).',
      flag: {
        name: 'valid-datacenter',
        aliases: ['valid-datacenters'],
        value: 'DC',
        help: 'datacenter where it is valid (default all); repeatable',
      },
    }),
  },
  folding,
);

/** A role of the registry (docs/protocol/registry.md#access-control). */
export const registryRole = field.object({ Description, ...grants }, folding);

/** A token of the registry (docs/protocol/registry.md#acl-token). */
export const registryToken = field.object(
  {
    Description,
    ...grants,
    Roles: field.set(link, {
      description: 'Roles by name: `[{ Name: deploy }]`.',
      flag: {
        name: 'role',
        aliases: ['role-name', 'role-id'],
        value: 'NAME|ID',
        help: 'role to link; repeatable',
        completes: 'acl-role',
        parse: byIdOrName,
      },
    }),
    Local: field.boolean({
      isImmutable: true,
      description: 'Valid only in the datacenter where it is created.',
      flag: { help: 'valid only in the datacenter of the agent' },
    }),
    SecretID: field.secret({
      flag: false,
      isWriteOnly: true,
      description:
        'The token itself, a UUID (default: generated). Another one deletes and creates the token.',
    }),
    ExpirationTTL: field.duration('text', {
      flag: false,
      isWriteOnly: true,
      isImmutable: true,
      description: 'Lifetime from the creation on.',
    }),
    ExpirationTime: field.string({
      flag: false,
      form: 'time',
      isImmutable: true,
      isAssigned: true,
      description: 'When it expires.',
    }),
  },
  folding,
);

/** The fields of a policy on create and update. */
export type PolicyFields = FieldsOf<typeof registryPolicy>;

interface Link {
  readonly ID?: string | undefined;
  readonly Name?: string | undefined;
}

/** Services accept links by ID too. */
type Linked<Fields> = Omit<Fields, 'Policies' | 'Roles'> & { Policies?: readonly Link[] | undefined };

/** The fields of a role on create and update. */
export type RoleFields = Linked<FieldsOf<typeof registryRole>>;
/** The fields of a token on creation. */
export type TokenFields = Linked<FieldsOf<typeof registryToken>> & { Roles?: readonly Link[] | undefined };

/** As the registry returns them. */
export type ReturnedPolicy = ReturnedFields<typeof registryPolicy>;
export type ReturnedRole = ReturnedFields<typeof registryRole>;
export type ReturnedToken = ReturnedFields<typeof registryToken>;
