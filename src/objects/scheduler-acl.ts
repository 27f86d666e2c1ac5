import { field, type ReturnedFields } from './schema.ts';

const folding = { foldsNames: true } as const;
const uuid = /^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/i;
const byName = (text: string) => ({ Name: text });
const byIdOrName = (text: string) => (uuid.test(text) ? { ID: text } : { Name: text });

const Description = field.string({ maxLength: 256, description: 'Description, at most 256 bytes.' });

/** A policy of the scheduler (docs/protocol/scheduler.md#access-control). */
export const schedulerPolicy = field.object(
  {
    Description,
    Rules: field.lines({ flag: false, description: 'Rules in HCL or JSON.' }),
    JobACL: field.object(
      {
        Namespace: field.string({ description: 'Namespace of the job.' }),
        JobID: field.string({ description: 'ID of the job (default: every job of the namespace).' }),
        Group: field.string({ description: 'Group of the job (default: every group).' }),
        Task: field.string({ description: 'Task of the group (default: every task).' }),
      },
      {
        ...folding,
        description: 'The job that has the policy by its workload identity, without a token.',
        // The command replaces the flag: its value is the path of the job.
        flag: { name: 'job' },
      },
    ),
  },
  folding,
);

/** A role of the scheduler (docs/protocol/scheduler.md#access-control). */
export const schedulerRole = field.object(
  {
    Description,
    Policies: field.set(field.object({ Name: field.string() }, { ...folding, required: ['Name'] }), {
      description: 'Policies by name: `[{ Name: web-read }]`.',
      flag: {
        name: 'policy',
        value: 'NAME',
        help: 'policy of the role; repeatable',
        completes: 'scheduler-policy',
        parse: byName,
        isKept: true,
      },
    }),
  },
  folding,
);

/** A token of the scheduler (docs/protocol/scheduler.md#access-control). */
export const schedulerToken = field.object(
  {
    Name: field.string({ maxLength: 256, description: 'Name for people, at most 256 bytes.' }),
    Type: field.choice(['client', 'management'], {
      isImmutable: true,
      description: 'Management tokens have all permissions, client tokens what their policies permit.',
      flag: { help: 'management for all permissions (default client)' },
    }),
    Policies: field.set(field.string(), {
      description: 'Policies by name.',
      flag: {
        name: 'policy',
        value: 'NAME',
        help: 'policy of the token; repeatable',
        completes: 'scheduler-policy',
      },
    }),
    Roles: field.set(field.object({ ID: field.string(), Name: field.string() }, folding), {
      description: 'Roles by name or ID: `[{ Name: ops }]`.',
      flag: {
        name: 'role',
        value: 'NAME|ID',
        help: 'role of the token; repeatable',
        completes: 'scheduler-role',
        parse: byIdOrName,
      },
    }),
    Global: field.boolean({
      isImmutable: true,
      description: 'Valid in all regions.',
      flag: { help: 'valid in all regions, not only in the region of the server' },
    }),
    ExpirationTTL: field.duration('text', {
      isWriteOnly: true,
      isImmutable: true,
      description: 'Lifetime from the creation on.',
      flag: { name: 'ttl', help: 'time until the token expires (default never)' },
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

/** As the scheduler returns them. */
export type ReturnedSchedulerPolicy = ReturnedFields<typeof schedulerPolicy>;
export type ReturnedSchedulerRole = ReturnedFields<typeof schedulerRole>;
export type ReturnedSchedulerToken = ReturnedFields<typeof schedulerToken>;
