import type { SchedulerClient } from '../../../api/scheduler.ts';
import type { SchedulerRole } from '../../../api/scheduler-acl.ts';
import { arg } from '../../../command/command.ts';
import { describeAs, isNotFound } from '../../../errors.ts';
import { checkName } from './policies.ts';
import { isUuid } from './tokens.ts';

export const roleArg = arg.text('ROLE', 'name or ID of the role', { completes: 'scheduler-role' });

/** @throws LanyardError not_found; usage: an invalid name */
export async function findRole(scheduler: SchedulerClient, given: string): Promise<SchedulerRole> {
  if (!isUuid(given)) checkName('role', given);
  const reading = isUuid(given)
    ? scheduler.readRole({ id: given })
    : scheduler.readRoleByName({ name: given });
  const describe = describeAs(isNotFound, 'not_found', `role "${given}" not found`, {
    hint: 'Run `lanyard scheduler acl role list` for the existing roles.',
  });
  return (await reading.catch(describe)).body;
}

export const policyNames = ({ Policies }: Pick<SchedulerRole, 'Policies'>): readonly string[] =>
  (Policies ?? []).map(({ Name }) => Name);
