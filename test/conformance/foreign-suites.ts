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
    scope: 'all tests of commit 62fd8b5 (after 1.7.1), with the embedded registry as the agent',
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
  {
    product: 'openbao',
    package: 'hvac',
    version: '2.4.0',
    scope:
      'key-value, SSH, AppRole, tokens, JWT, entities and the system backend, with `lanyard dev --uninitialized` as the server, without the cases that the suite skips (Vault Enterprise, clusters, other versions)',
    cases: 295,
    passed: 258,
    exclusions: [
      {
        cases: [
          'test_audit::test_audit_backend_manipulation',
          'test_audit::test_audit_hash_0_hash_returned',
          'test_auth::test_auth_backend_manipulation',
          'test_key::test_rekey_multi',
          'test_key::test_rekey_verify_multi',
          'test_key::test_start_generate_root_then_cancel',
          'test_key::test_start_generate_root_with_completion',
          'v1/test_system_backend::test_audit_backend_manipulation',
          'v1/test_system_backend::test_audit_hash_0_hash_returned',
          'v1/test_system_backend::test_auth_backend_manipulation',
          'v1/test_system_backend::test_rekey_multi',
          'v1/test_system_backend::test_start_generate_root_then_cancel',
          'v1/test_system_backend::test_start_generate_root_with_completion',
        ],
        reason:
          'Fails on OpenBao 2.6.2 too, which has no auth method `github`, and rejects the path or an audit device that a request enables:',
      },
      {
        cases: ['test_ssh::test_sign_ssh_key_0_success', 'v1/test_integration::test_illegal_token'],
        reason:
          'Fails on OpenBao 2.6.2 too: signs without a principal, or compares the error text of another version of requests:',
      },
      {
        cases: ['test_key::test_rotate', 'v1/test_system_backend::test_rotate'],
        reason: 'Encryption keys cannot be rotated:',
      },
      {
        cases: [
          'test_lease::test_list_leases',
          'test_lease::test_read_lease',
          'test_lease::test_revoke_force',
          'test_lease::test_revoke_lease',
          'test_lease::test_revoke_prefix',
          'v1/test_integration::test_auth_gcp_alternate_mount_point_with_no_client_token_exception',
          'v1/test_integration::test_write_with_response',
          'v1/test_system_backend::test_read_lease',
        ],
        reason: 'Mounts the PKI or transit engine, or enables the auth method `gcp`, which are not served:',
      },
      {
        cases: [
          'v1/test_integration::test_generic_secret_backend',
          'v1/test_integration::test_gh51',
          'v1/test_integration::test_list_directory',
          'v1/test_integration::test_write_data',
        ],
        reason:
          'Expects that a new service has no mount `secret/`. The embedded service has one of version 2:',
      },
      {
        cases: [
          'test_jwt::test_configure_0_configure_using_vault_identity_OIDC',
          'test_jwt::test_jwt_login_0_success',
          'test_jwt::test_read_config_0_configure_using_vault_identity_OIDC',
        ],
        reason: 'Identity tokens are not served:',
      },
      {
        cases: [
          'test_identity::test_merge_entities_0_merge_success',
          'test_identity::test_merge_entities_1_merge_failure',
          'test_identity::test_merge_entities_conflicting_0_merge_success',
          'test_identity::test_merge_entities_conflicting_1_merge_failure',
        ],
        reason: 'Merging entities is not served:',
      },
      {
        cases: ['test_ssh::test_read_role_0_success'],
        reason:
          'The specification lets templates in roles of one-time passwords, so their settings are shown:',
      },
    ],
  },
];
