import { accountAuthorization } from './account-authorization.ts';
import type { Area } from './area.ts';
import { clientFailures } from './client-failures.ts';
import { clientRequests } from './client-requests.ts';
import { hostCheck } from './host-check.ts';
import { privateFiles } from './private-files.ts';
import { registryAuthorization } from './registry-authorization.ts';
import { registryTransactions } from './registry-transactions.ts';
import { requestBodies } from './request-bodies.ts';
import { schedulerAuthorization } from './scheduler-authorization.ts';
import { schedulerVariables } from './scheduler-variables.ts';
import { secretsPolicies } from './secrets-policies.ts';
import { secretsTokens } from './secrets-tokens.ts';
import { sshSigning } from './ssh-signing.ts';
import { stateComparison } from './state-comparison.ts';
import { watch } from './watch.ts';

/** The areas of `npm run test:mutation`, by name. */
export const areas: Readonly<Record<string, Area>> = {
  'account-authorization': accountAuthorization,
  'client-failures': clientFailures,
  'client-requests': clientRequests,
  'host-check': hostCheck,
  'private-files': privateFiles,
  'registry-authorization': registryAuthorization,
  'registry-transactions': registryTransactions,
  'request-bodies': requestBodies,
  'scheduler-authorization': schedulerAuthorization,
  'scheduler-variables': schedulerVariables,
  'secrets-policies': secretsPolicies,
  'secrets-tokens': secretsTokens,
  'ssh-signing': sshSigning,
  'state-comparison': stateComparison,
  watch,
};
