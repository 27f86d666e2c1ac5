import type { ScenarioName } from './table.ts';

/** A step that does something else in a condition. */
interface Exception {
  readonly condition: string;
  readonly scenario: ScenarioName;
  readonly steps: RegExp;
  /** What it does. */
  readonly what: RegExp;
  readonly reason: string;
}

/** Where a condition changes what a step does, with the reason. An entry that nothing needs fails the test. */
export const exceptions: readonly Exception[] = [
  {
    condition: 'a standby',
    scenario: 'conformance',
    steps: /^(secrets read: health, without a token|api: secrets)$/,
    what: /^exit code 8, not 0/,
    reason: 'The status of sys/health at a standby is 429.',
  },
  {
    condition: 'a lost leader',
    scenario: 'conformance',
    steps: /^status/,
    what: /^exit code 1, not [045]/,
    reason: 'Shows the state of the service at this moment.',
  },
  {
    condition: 'a lost leader',
    scenario: 'conformance',
    steps: /^wait/,
    what: /^exit code 8, not [05]/,
    reason: 'With --timeout 0, the state is read once.',
  },
];
