import { type FieldsOf, field } from './schema.ts';

/** A session of the registry (docs/protocol/registry.md#sessions). */
export const session = field.object({
  Name: field.string({
    description: 'Name of the session; several may have the same.',
    flag: { value: 'NAME', isNeverEmpty: true },
  }),
  TTL: field.duration('text', {
    description: 'Lifetime of the session without a renewal, 10s to 24h (default: unlimited).',
    flag: { name: 'ttl' },
  }),
  LockDelay: field.duration('text', {
    description: 'How long its keys cannot be locked after the session ended, up to 60s (default 15s).',
  }),
  Behavior: field.choice(['release', 'delete'], {
    description: 'What happens to its keys when the session ends (default release).',
  }),
  Node: field.string({
    description: 'Node of the session (default: the node of the agent).',
    flag: { value: 'NAME', completes: 'registry-node', isNeverEmpty: true },
  }),
  NodeChecks: field.list(field.string(), {
    description: 'IDs of health checks of the node that end the session (default serfHealth).',
    flag: {
      name: 'node-check',
      value: 'CHECK',
      help: 'ID of a health check of the node that ends the session; repeatable (default serfHealth)',
      isRepeated: true,
    },
  }),
  ServiceChecks: field.list(field.object({ ID: field.string() }, { required: ['ID'] }), {
    description: 'Health checks of services that end the session.',
    flag: {
      name: 'service-check',
      value: 'CHECK',
      help: 'ID of a health check of a service that ends the session; repeatable',
      isRepeated: true,
      parse: (ID: string) => ({ ID }),
    },
  }),
});

/** The fields of a session on creation. */
export type SessionFields = FieldsOf<typeof session>;
