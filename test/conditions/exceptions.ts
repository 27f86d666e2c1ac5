import type { ScenarioName } from './table.ts';

/** A step that does something else in a condition. */
interface Exception {
  readonly steps: RegExp;
  /** What it does. */
  readonly what: RegExp;
  readonly reason: string;
  /** It depends on the time of the requests before. */
  readonly isSometimes?: true;
}

const shownStatus: Exception = {
  steps: /^status/,
  what: /^exit code 1, not [045]/,
  reason: 'Shows the state of the service at this moment.',
};
const readOnce: Exception = {
  steps: /^wait/,
  what: /^exit code 8, not [05]/,
  reason: 'With --timeout 0, the state is read once.',
};

/**
 * Where a condition changes what a step does, with the reason, by scenario and condition. An entry that nothing needs
 * fails the test.
 */
export const exceptions: Readonly<Record<ScenarioName, Readonly<Record<string, readonly Exception[]>>>> = {
  conformance: {
    'a standby': [
      {
        steps: /^(secrets read: health, without a token|api: secrets)$/,
        what: /^exit code 8, not 0/,
        reason: 'The status of sys/health at a standby is 429.',
      },
    ],
    'a lost leader': [shownStatus, readOnce],
    'rate limits': [
      { ...shownStatus, isSometimes: true },
      {
        steps: /^registry config list: all kinds$/,
        what: /^exit code 8, not 0/,
        reason:
          'Sends a request for each kind, more than the limit has in its burst, and here does not pause between.',
        isSometimes: true,
      },
    ],
    'a service that is unavailable for some requests': [
      shownStatus,
      {
        steps: /^(registry service deregister|namespace delete): missing$/,
        what: /^exit code 0, not 3/,
        reason: 'The result is not known after 503, and is read: the object does not exist.',
      },
    ],
    'a restart, after which requests are denied': [shownStatus, readOnce],
    'a namespace of the secrets service': [
      {
        steps: /^secrets (token|read)/,
        what: /namespace_path: unexpected/,
        reason: 'The service names the namespace of a token that is not of the root namespace.',
      },
      {
        steps: /^secrets (namespace|list: in a namespace)/,
        what: /^exit code [03], not [06]/,
        reason: 'These steps name namespaces, which are those below the root.',
      },
      {
        steps: /^secrets token list/,
        what: /expire_time: string, not null/,
        reason: 'Only the root namespace has a token without an expiry: the root token.',
      },
      {
        steps: /^ssh history$/,
        what: /namespace: unexpected/,
        reason: 'An entry of the record has the namespace of the mount.',
      },
      {
        steps: /^ssh connect$/,
        what: /^headers.X-\w+-Namespace: unexpected/,
        reason: 'The request that is shown has the namespace.',
      },
    ],
    'an agent that adds the token': [
      {
        steps: /without a token$|after the logout$/,
        what: /^exit code 0, not 4/,
        reason: 'The agent adds its token.',
      },
      {
        steps: /no such method$|^ssh ca public-key: in a namespace$/,
        what: /^exit code 3, not 5/,
        reason: 'With a token, the service says that nothing is mounted there.',
      },
    ],
    'tokens of no administrator': [
      {
        steps: /^(status|secrets read: own token)/,
        what: /(tokenValidUntil|expire_time): /,
        reason: 'A token of no administrator expires.',
      },
    ],
    'a client token of the scheduler': [
      {
        steps: /^(export|plan: scheduler|apply: scheduler)/,
        what: /^exit code 5, not/,
        reason: 'Nomad leaves out what a client token may not list, so that export and prune stop.',
      },
      {
        steps: /^namespace delete/,
        what: /^exit code 6, not/,
        reason: 'It has the objects that were not pruned.',
      },
    ],
  },
  state: {
    'a namespace of the scheduler': [
      {
        steps: /^export$/,
        what: /scheduler\.namespace\t4/,
        reason: 'The namespace of the settings is exported too.',
      },
    ],
    'tokens of no administrator': [
      {
        steps: /^export$/,
        what: /Wrote 53 files/,
        reason: 'The policies and tokens of the condition are exported too.',
      },
    ],
  },
  watch: {},
};
