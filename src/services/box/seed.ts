import type { Change, Storage } from '../core/store/storage.ts';
import { type OrganizationSeed, organizationChange, type UserSeed, userChange } from './model/owners.ts';
import { startUpChanges } from './model/tokens.ts';

/** Users and organizations to create at start. The API creates organizations only. */
export interface BoxOwners {
  /** The first user gets the startup token. */
  readonly users: readonly [UserSeed, ...UserSeed[]];
  readonly organizations?: readonly OrganizationSeed[];
}

/** Writes users, organizations and the first user's token; others are kept. @throws Error: a name that cannot be part of a path */
export async function seedOwners(
  storage: Storage,
  { users, organizations = [] }: BoxOwners,
  parts: Parameters<typeof userChange>[2] & { readonly token: string },
): Promise<void> {
  const changes: Change[] = [];
  for (const { name } of [...users, ...organizations]) {
    if (!/^[A-Za-z0-9][\w.-]*$/.test(name)) throw new Error(`"${name}" cannot own boxes: not a name`);
  }
  for (const user of users) changes.push(await userChange(storage, user, parts));
  for (const each of organizations) changes.push(organizationChange(storage, each, parts.now));
  const token = { user: users[0].name, description: 'start-up', createdAt: parts.now };
  await storage.write([...changes, ...startUpChanges(storage, parts.token, token)]);
}
