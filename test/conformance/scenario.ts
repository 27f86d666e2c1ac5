import type { Step } from './step.ts';
import { accountsSteps } from './steps/accounts.ts';
import { boxSteps } from './steps/box.ts';
import { registrySteps } from './steps/registry.ts';
import { schedulerSteps } from './steps/scheduler.ts';
import { secretsSteps } from './steps/secrets.ts';

/** Every step, in the order in which they are run. */
export const scenario: readonly Step[] = [
  ...secretsSteps,
  ...registrySteps,
  ...boxSteps,
  ...schedulerSteps,
  ...accountsSteps,
];
