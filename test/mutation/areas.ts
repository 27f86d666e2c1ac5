import { accountAuthorization } from './account-authorization.ts';
import type { Area } from './area.ts';
import { hostCheck } from './host-check.ts';
import { registryAuthorization } from './registry-authorization.ts';
import { registryTransactions } from './registry-transactions.ts';
import { schedulerAuthorization } from './scheduler-authorization.ts';

/** The areas of `npm run test:mutation`, by name. */
export const areas: Readonly<Record<string, Area>> = {
  'account-authorization': accountAuthorization,
  'host-check': hostCheck,
  'registry-authorization': registryAuthorization,
  'registry-transactions': registryTransactions,
  'scheduler-authorization': schedulerAuthorization,
};
