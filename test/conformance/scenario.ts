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

/** Commands that reach no service, and so have no step. */
export const withoutSteps: readonly string[] = [
  ...[
    'quickstart',
    'dev',
    'dev run',
    'completion',
    'schema',
    'txn check',
    'validate',
    'secrets policy check',
    'ssh config',
    'ssh inspect',
  ],
  ...['profile list', 'profile get', 'profile put', 'profile use', 'profile delete', 'profile import'],
  ...['alias list', 'alias get', 'alias set', 'alias delete', 'plugin list'],
];
