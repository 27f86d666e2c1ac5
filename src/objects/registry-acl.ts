import { type FieldsOf, field, type ReturnedFields } from './schema.ts';

const folding = { foldsNames: true } as const;
/** Its flags also add and remove some (`src/commands/acl/lib/grants.ts`). */
const granted = { flag: false } as const;

/** A link to a policy or role by its name, in any case; the service adds the ID. */
const link = field.object({ Name: field.string({ form: 'name' }) }, { ...folding, required: ['Name'] });

const datacenters = field.set(field.string(), {
  description: 'Datacenters where it applies (default: all).',
});

const Description = field.string({ description: 'Description.' });

/** The permissions of a token or role. */
const grants = {
  Policies: field.set(link, { ...granted, description: 'Policies by name: `[{ Name: web-read }]`.' }),
  ServiceIdentities: field.set(
    field.object({ ServiceName: field.string(), Datacenters: datacenters }, folding),
    { ...granted, description: 'Permissions of the proxies of services.' },
  ),
  NodeIdentities: field.set(field.object({ NodeName: field.string(), Datacenter: field.string() }, folding), {
    ...granted,
    description: 'Permissions of the agents of nodes.',
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
    { ...granted, description: 'Policies from templates, such as `builtin/service`.' },
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
    Roles: field.set(link, { ...granted, description: 'Roles by name: `[{ Name: deploy }]`.' }),
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
