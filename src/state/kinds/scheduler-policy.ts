import type { SchedulerPolicy } from '../../api/scheduler-acl.ts';
import { conflict, unlessNotFound } from '../../errors.ts';
import { schedulerPolicy as schema } from '../../objects/scheduler-acl.ts';
import { asObject, type JsonObject, type Kind, type Live, type Services } from '../kind.ts';
import { withWireNames } from '../normalize.ts';
import { completeList, mark, nameAndDescriptionProblems, withoutRoomForMark } from './scheduler-acl.ts';

const liveOf = ({
  Description = '',
  Rules = '',
  JobACL,
  CreateIndex,
  ModifyIndex,
}: SchedulerPolicy): Live => ({
  spec: { Description, Rules, JobACL: asObject(JobACL) },
  version: String(ModifyIndex ?? 0),
  uid: String(CreateIndex ?? 0),
});

async function read(services: Services, name: string): Promise<Live | undefined> {
  const scheduler = await services.scheduler();
  const policy = await unlessNotFound(scheduler.readPolicy({ name }));
  return policy && liveOf(policy);
}

/** The service replaces every field. */
async function write(services: Services, name: string, spec: JsonObject): Promise<void> {
  const { JobACL, ...fields } = withWireNames(schema, spec);
  const job = Object.values(asObject(JobACL)).some(Boolean) ? { JobACL } : {};
  await (await services.scheduler()).writePolicy({ ...fields, ...job, name, Name: name });
}

/** A policy of the scheduler (docs/protocol/scheduler.md#access-control). */
export const schedulerPolicy: Kind = {
  name: 'scheduler.policy',
  service: 'scheduler',
  description: 'A policy of the scheduler.',
  scope: [],
  nameIs: 'name of the policy: letters, digits and hyphens',
  schema,
  level: 2,
  mark,
  guard: 're-read',
  check: (identity, spec) => nameAndDescriptionProblems(identity, withWireNames(schema, spec), 'policy'),
  omitted: withoutRoomForMark,
  async list(services) {
    const { listPolicies } = await services.scheduler();
    const policies = await completeList(
      services,
      'policies',
      async () => (await listPolicies({})).body ?? [],
    );
    return policies.map(({ Name }) => ({ scope: {}, key: Name }));
  },
  read: (services, { key }) => read(services, key),
  async create(services, { identity: { key }, spec }) {
    if (await read(services, key)) throw conflict(`cannot create policy "${key}": already exists`);
    await write(services, key, spec);
  },
  update: (services, { identity: { key }, spec }) => write(services, key, spec),
  async remove(services, { key }) {
    await (await services.scheduler()).deletePolicy({ name: key });
  },
};
