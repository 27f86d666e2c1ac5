import type { Area } from './area.ts';
import { clientFailures } from './client-failures.ts';
import { clientRequests } from './client-requests.ts';
import { hostCheck } from './host-check.ts';

/** The areas of `npm run test:mutation`, by name. */
export const areas: Readonly<Record<string, Area>> = {
  'client-failures': clientFailures,
  'client-requests': clientRequests,
  'host-check': hostCheck,
};
