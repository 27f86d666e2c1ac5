import { isMissingLease, isNotRenewable } from '../../../api/conditions/secrets.ts';
import type { SecretsClient } from '../../../api/secrets.ts';
import type { LeaseProperties } from '../../../api/secrets-sys.ts';
import { arg } from '../../../command/command.ts';
import { describeAs, listOrEmpty, usage } from '../../../errors.ts';

export const leaseArg = arg.text('LEASE', 'ID of the lease, such as ssh/creds/otp/HFytRA7KU');

/** Reports a missing lease as not found. */
export const describeMissingLease = (id: string) =>
  describeAs(
    isMissingLease,
    'not_found',
    `lease "${id}" not found: it does not exist, has expired or was revoked`,
    {
      hint: 'Run `lanyard secrets lease list` for the prefixes of the existing leases.',
    },
  );

/** Reports a lease that cannot be renewed. */
export const describeNotRenewable = (id: string) =>
  describeAs(isNotRenewable, 'failure', `cannot renew lease "${id}": not renewable (400)`, {
    hint: 'Request new credentials instead.',
  });

/** @throws LanyardError not_found */
export async function findLease(secrets: SecretsClient, id: string): Promise<LeaseProperties> {
  const { body } = await secrets.lookUpLease({ lease_id: id }).catch(describeMissingLease(id));
  return body.data;
}

/** A prefix of lease IDs without slashes at its ends. @throws LanyardError usage: empty */
export function leasePrefix(given: string): string {
  const prefix = given.replace(/^\/+|\/+$/g, '');
  if (prefix === '') throw usage(`invalid prefix "${given}": expected a path such as ssh/creds`);
  return prefix;
}

/** The names of the leases and prefixes directly below a prefix; undefined: of all. */
export async function leaseNames(
  secrets: SecretsClient,
  prefix: string | undefined,
): Promise<readonly string[]> {
  const { body } = await listOrEmpty(
    prefix === undefined ? secrets.listLeases({}) : secrets.listLeasesBelow({ prefix }),
  );
  return (body.data.keys ?? []).toSorted();
}
