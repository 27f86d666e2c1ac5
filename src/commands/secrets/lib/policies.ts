import type { SecretsClient } from '../../../api/secrets.ts';
import { arg } from '../../../command/command.ts';
import { describeAs, isNotFound } from '../../../errors.ts';

export const policyArg = arg.text('POLICY', 'name of the policy', { completes: 'secrets-policy' });

/** Reports a missing policy as not found. */
const describeMissingPolicy = (name: string) =>
  describeAs(isNotFound, 'not_found', `policy "${name}" not found`, {
    hint: 'Run `lanyard secrets policy list` for the existing policies.',
  });

export type Policy = Awaited<ReturnType<typeof findPolicy>>;

/** @throws LanyardError not_found */
export async function findPolicy(secrets: SecretsClient, name: string) {
  return (await secrets.readPolicy({ name }).catch(describeMissingPolicy(name))).body.data;
}
