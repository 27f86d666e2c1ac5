import { type FieldsOf, field } from './schema.ts';

/** An instance of a service at an agent (docs/protocol/registry.md#agent). Other fields: `Kind`, `Proxy`, `Checks`. */
export const agentService = field.object(
  {
    Name: field.string({ flag: false, description: 'Name of the service.' }),
    ID: field.string({
      description: 'ID, unique at the agent (default: the name).',
      flag: { value: 'ID', help: 'ID, unique at the agent (default: NAME)', isNeverEmpty: true },
    }),
    Address: field.string({
      description: 'Address (default: the address of the node).',
      flag: { value: 'ADDRESS', aliases: ['service-address'], isNeverEmpty: true },
    }),
    Port: field.integer({ description: 'Port.', flag: { value: 'PORT' } }),
    Tags: field.set(field.string(), {
      description: 'Tags.',
      flag: { name: 'tag', value: 'TAG', help: 'tag; repeatable' },
    }),
    Meta: field.map(field.string(), { description: 'Metadata.', flag: { help: 'metadata; repeatable' } }),
    Check: field.object(
      {
        TTL: field.duration('text', {
          description: 'Health check that must be updated within this time.',
          flag: { name: 'check-ttl' },
        }),
      },
      { isOpen: true },
    ),
  },
  { isOpen: true, required: ['Name'] },
);

/** The fields of a service on registration. */
export type AgentServiceFields = FieldsOf<typeof agentService> & { readonly [field: string]: unknown };
