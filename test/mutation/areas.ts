import type { Area } from './area.ts';
import { hostCheck } from './host-check.ts';

/** The areas of `npm run test:mutation`, by name. */
export const areas: Readonly<Record<string, Area>> = {
  'host-check': hostCheck,
};
