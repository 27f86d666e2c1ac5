import type { Area } from './area.ts';
import { clientFailures } from './client-failures.ts';
import { clientRequests } from './client-requests.ts';
import { hostCheck } from './host-check.ts';
import { privateFiles } from './private-files.ts';
import { requestBodies } from './request-bodies.ts';
import { schedulerVariables } from './scheduler-variables.ts';

/** The areas of `npm run test:mutation`, by name. */
export const areas: Readonly<Record<string, Area>> = {
  'client-failures': clientFailures,
  'client-requests': clientRequests,
  'host-check': hostCheck,
  'private-files': privateFiles,
  'request-bodies': requestBodies,
  'scheduler-variables': schedulerVariables,
};
