import { client } from '../../api/client.ts';
import type { Send } from '../../api/http/response.ts';

/** The clients of the services, whose operations are loaded on first use. */
export const clientOf = {
  secrets: async (send: Promise<Send>) =>
    client((await import('../../api/secrets.ts')).secretsOperations, await send),
  registry: async (send: Promise<Send>) =>
    client((await import('../../api/registry.ts')).registryOperations, await send),
  box: async (send: Promise<Send>) => client((await import('../../api/box.ts')).boxOperations, await send),
  accounts: async (send: Promise<Send>) =>
    client((await import('../../api/accounts.ts')).accountsOperations, await send),
  scheduler: async (send: Promise<Send>) =>
    client((await import('../../api/scheduler.ts')).schedulerOperations, await send),
};
