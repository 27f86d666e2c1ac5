/** Cases of a suite that do not pass, or are not run, on the embedded service. */
export interface Exclusion {
  /** Their names, as the suite prints them. */
  readonly cases: readonly string[];
  /** Why, for docs/compatibility.md. */
  readonly reason: string;
}

/** The test suite of a product's client, run by hand from its own source against an embedded service. */
export interface ForeignSuite {
  /** `openbao`, `consul`, `nomad` or `boundary`. */
  readonly product: string;
  /** The package that has the tests: `github.com/hashicorp/nomad/api`. */
  readonly package: string;
  readonly version: string;
  /** Which tests of it were run, and how: `the tests of namespaces and variables`. */
  readonly scope: string;
  readonly cases: number;
  readonly passed: number;
  /** Together with `passed`, they account for every case. */
  readonly exclusions: readonly Exclusion[];
}

/** In the order of docs/compatibility.md. */
export const foreignSuites: readonly ForeignSuite[] = [
  {
    product: 'boundary',
    package: 'github.com/hashicorp/boundary/internal/tests/api',
    version: '0.21.0',
    scope:
      'accounts, auth methods, auth tokens, scopes and users, with `lanyard dev` as the controller, without the checks of its audit log',
    cases: 30,
    passed: 21,
    exclusions: [
      {
        cases: [
          'authmethods/TestAuthMethod_Tags',
          'authmethods/TestAuthenticate_Tags',
          'authtokens/TestAuthtokenClassification',
          'users/TestUsers',
        ],
        reason: 'A test of the source code of the controller, which sends no request:',
      },
      {
        cases: ['accounts/TestCustomMethods'],
        reason:
          'Takes the second account for the unprivileged one, which here is newer than the administrator; passes with the first:',
      },
      {
        cases: ['authmethods/TestCustomMethods'],
        reason: 'Changes the state of an OIDC auth method, which the embedded service never uses:',
      },
      {
        cases: ['authtokens/TestList'],
        reason: 'Creates a role, which the embedded service does not have; passes without it:',
      },
      {
        cases: ['users/TestListResolvableAliases', 'scopes/TestKeyDestruction'],
        reason: 'Targets, aliases and encryption keys are not served:',
      },
    ],
  },
  {
    product: 'nomad',
    package: 'github.com/hashicorp/nomad/api',
    version: '2.0.6',
    scope: 'variables, locks, namespaces, ACL, agent, regions and status, with `lanyard dev` as the agent',
    cases: 51,
    passed: 32,
    exclusions: [
      {
        cases: ['TestACLRoles', 'TestACLTokens_CreateUpdate', 'TestACLTokens_Info'],
        reason: 'Creates an ACL role, after what is served has passed. The embedded service has no roles:',
      },
      {
        cases: ['TestACLAuthMethods', 'TestACLBindingRules'],
        reason: 'The embedded service has no auth methods:',
      },
      {
        cases: ['TestACL_OneTimeToken', 'TestACLIdentity_CreateClientIntroductionToken'],
        reason: 'One-time tokens of the web interface and tokens of client nodes are not served:',
      },
      {
        cases: ['TestAgent_Join', 'TestAgent_ForceLeave', 'TestAgent_ForceLeavePrune', 'TestRegionsList'],
        reason: 'Joins or removes servers; the embedded service is one:',
      },
      {
        cases: [
          'TestAgent_SchedulerWorkerConfig',
          'TestAgent_SchedulerWorkerConfig_BadRequest',
          'TestAgent_SchedulerWorkersInfo',
        ],
        reason: 'The embedded service schedules no jobs:',
      },
      {
        cases: [
          'TestAgentCPUProfile',
          'TestAgentProfile',
          'TestAgentTrace',
          'TestAgent_Monitor',
          'TestAgent_MonitorWithNode',
        ],
        reason: 'Profiles and logs of the Go program:',
      },
    ],
  },
];
