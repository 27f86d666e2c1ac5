import type { SchedulerClient } from '../../../api/scheduler.ts';
import type { SchedulerPolicy } from '../../../api/scheduler-acl.ts';
import { arg } from '../../../command/command.ts';
import { describeAs, isNotFound, usage } from '../../../errors.ts';

export const policyArg = arg.text('NAME', 'name of the policy', { completes: 'scheduler-policy' });

/** Names of policies and roles. @throws LanyardError usage */
export function checkName(noun: 'policy' | 'role', name: string): void {
  if (/^[a-zA-Z0-9-]{1,128}$/.test(name)) return;
  throw usage(`invalid ${noun} name "${name}": expected 1 to 128 letters, digits and hyphens`, {
    hint: 'Nothing was sent.',
  });
}

/** @throws LanyardError not_found; usage: an invalid name */
export async function findPolicy(scheduler: SchedulerClient, name: string): Promise<SchedulerPolicy> {
  checkName('policy', name);
  const reading = scheduler.readPolicy({ name });
  const describe = describeAs(isNotFound, 'not_found', `policy "${name}" not found`, {
    hint: 'Run `lanyard scheduler acl policy list` for the existing policies.',
  });
  return (await reading.catch(describe)).body;
}
