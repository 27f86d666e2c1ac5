import { accountsRequests } from './accounts.ts';
import { registryRequests } from './registry.ts';
import type { RequestList } from './request.ts';
import { schedulerRequests } from './scheduler.ts';
import { secretsRequests } from './secrets.ts';

/** The lists of all services that have one. */
export const requestLists: readonly RequestList[] = [
  secretsRequests,
  registryRequests,
  schedulerRequests,
  accountsRequests,
];
