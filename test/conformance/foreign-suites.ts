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
    product: 'consul',
    package: 'github.com/hashicorp/consul/api',
    version: '1.21.4',
    scope:
      'KV, locks, semaphores, sessions, transactions, catalog, health, agent, ACL, config entries, discovery chain, prepared queries, status and the client itself, with the embedded registry as the agent: its node has the ID and metadata of the test, and a management token is bootstrapped',
    cases: 188,
    passed: 149,
    exclusions: [
      {
        cases: ['TestAPI_Headers'],
        reason: 'The embedded service has no events, on which the test depends:',
      },
      {
        cases: [
          'TestAPI_ConfigEntries',
          'TestAPI_ConfigEntries_APIGateway',
          'TestAPI_ConfigEntries_ExportedServices',
          'TestAPI_ConfigEntries_HTTPRoute',
          'TestAPI_ConfigEntries_IngressGateway',
          'TestAPI_ConfigEntries_InlineCertificate',
          'TestAPI_ConfigEntries_JWTProvider',
          'TestAPI_ConfigEntries_ServiceIntentions',
          'TestAPI_ConfigEntries_TerminatingGateway',
          'TestAPI_CatalogGatewayServices_Ingress',
          'TestAPI_CatalogGatewayServices_Terminating',
          'TestAPI_HealthIngress',
          'TestAPI_RawV2ExportedServices',
        ],
        reason:
          'Config entries of gateways, routes, the mesh, intentions and exports are not served; the other kinds of the first test pass:',
      },
      {
        cases: [
          'TestAPI_AgentConnectAuthorize',
          'TestAPI_AgentConnectCALeaf',
          'TestAPI_AgentConnectCARoots_empty',
          'TestAPI_AgentConnectCARoots_list',
        ],
        reason: 'The embedded service has no certificate authority:',
      },
      {
        cases: ['TestAPI_AgentServices_SidecarService'],
        reason: 'The embedded agent registers no sidecar proxies, and rejects them by name:',
      },
      {
        cases: ['TestAPI_AgentChecks_Docker', 'TestAPI_AgentScriptCheck'],
        reason: 'The embedded agent does not run scripts:',
      },
      {
        cases: [
          'TestAPI_AgentForceLeave',
          'TestAPI_AgentForceLeaveOptions',
          'TestAPI_AgentForceLeavePrune',
          'TestAPI_AgentJoin',
          'TestAPI_AgentLeave',
          'TestAPI_AgentMembersOpts',
        ],
        reason: 'Joins or removes servers; the embedded service is one:',
      },
      {
        cases: [
          'TestAPI_AgentHost',
          'TestAPI_AgentMetrics',
          'TestAPI_AgentMonitor',
          'TestAPI_AgentMonitorJSON',
          'TestAPI_AgentReload',
        ],
        reason: 'Configuration, logs and metrics of the Go program and its host:',
      },
      { cases: ['TestAPI_AgentUpdateToken'], reason: 'The embedded agent needs no tokens of its own:' },
      {
        cases: ['TestAPI_ClientTLSOptions', 'TestAPI_UnixSocket'],
        reason: 'Configures TLS or a unix socket; the embedded service listens on loopback without:',
      },
      {
        cases: ['TestAPI_DiscoveryChain_Get'],
        reason:
          'Nodes and targets of a chain have a partition in their names in Consul, not in the specification:',
      },
      {
        cases: ['TestAPI_AgentService'],
        reason: 'Compares the content hash of a service with the one that Consul computes:',
      },
      {
        cases: ['TestAPI_CatalogServiceCached'],
        reason: 'Expects a hit of the cache; the embedded service reads anew for each request:',
      },
      {
        cases: ['TestAPI_AuthMethod_List'],
        reason:
          'Creates a Kubernetes auth method with `CACert`, which is rejected because the embedded service makes no outbound calls:',
      },
    ],
  },
  {
    product: 'consul',
    package: 'py-consul',
    version: '1.7.1',
    scope: 'all tests, with the embedded registry as the agent',
    cases: 156,
    passed: 129,
    exclusions: [
      {
        cases: ['TestConsulAcl.test_acl_token_list', 'TestConsulAcl.test_acl_token_read_self'],
        reason: 'Expects the description of a token from a configuration file, which is bootstrapped here:',
      },
      {
        cases: ['TestAgent.test_agent_checks', 'TestAgent.test_service_multi_check'],
        reason: 'The embedded agent runs neither scripts nor HTTP checks, and rejects them by name:',
      },
      {
        cases: ['TestAgent.test_agent_service_connect'],
        reason: 'The embedded agent registers no sidecar proxies, and rejects them by name:',
      },
      {
        cases: ['TestAgent.test_agent_self'],
        reason: 'The embedded agent has no gRPC port, as Consul without one:',
      },
      {
        cases: [
          'TestAgent.test_agent_metrics',
          'TestAgent.test_agent_monitor_rejects_invalid_loglevel',
          'TestAgent.test_agent_reload',
        ],
        reason: 'Configuration, logs and metrics of the Go program:',
      },
      {
        cases: [
          'TestAgent.test_agent_leave',
          'TestAgent.test_agent_token_permission_denied',
          'TestAgent.test_agent_token_set',
        ],
        reason: 'The embedded agent needs no tokens of its own, and does not leave:',
      },
      {
        cases: [
          'TestCatalog.test_catalog_gateway_services',
          'TestConsulConnectIntentions.test_intentions_crud',
          'TestConsulConnectIntentions.test_intentions_deny_check',
          'TestCoordinates.test_coordinate',
          'TestCoordinates.test_coordinate_update',
          'TestEvent.test_event',
          'TestEvent.test_event_fire_dc',
          'TestEvent.test_event_list_node_service_tag_filters',
          'TestEvent.test_event_targeted',
          'TestOperator.test_autopilot_configuration',
          'TestOperator.test_autopilot_health',
          'TestOperator.test_operator',
          'TestOperator.test_usage',
          'TestSnapshot.test_snapshot_requires_management_token',
          'TestSnapshot.test_snapshot_save_and_restore',
        ],
        reason: 'Gateways, intentions, coordinates, events, operator endpoints and snapshots are not served:',
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
