import type { Difference } from './compare.ts';

/**
 * Why a difference is accepted. `dialect`: product and embedded service are both right, or follow different versions
 * of the API. `embedded is stricter`: the embedded service rejects, or tells apart, what the product does not.
 * `tracked`: to be changed, in the embedded service or in the client.
 */
type Reason = 'dialect' | 'embedded is stricter' | 'tracked';

/**
 * An accepted difference between a product and the embedded service. In `step`, `request` and `what`, `*` stands for
 * any text; left out, `step` and `request` are any. A difference is accepted by the first entry that it fits; an
 * entry that no recording needs fails the tests.
 */
export interface Dialect {
  readonly product: string;
  readonly step?: string;
  /** `GET /v1/query/ID`, or `exit code`. */
  readonly request?: string;
  readonly what: string | readonly string[];
  readonly reason: Reason;
  /** What differs, for docs/compatibility.md. */
  readonly text: string;
}

/** Without a reason, it is a dialect. */
type Entry = Omit<Dialect, 'product' | 'reason'> & { readonly reason?: 'embedded is stricter' };

const differencesOf = (product: string, entries: readonly Entry[]): readonly Dialect[] =>
  entries.map((entry) => ({ product, reason: 'dialect', ...entry }));

export const dialects: readonly Dialect[] = [
  ...differencesOf('openbao', [
    // Exit codes.
    {
      step: 'ssh ca get: no such snapshot',
      request: 'exit code',
      what: '1, embedded 3',
      text: '`ssh ca get --snapshot` is not supported: OpenBao has no snapshots.',
    },
    {
      step: 'secrets logout: token is gone',
      request: 'exit code',
      what: '9, embedded 0',
      text: '`secrets logout` of a token that was revoked before exits with 9: OpenBao answers `permission denied` to it, as to a valid token without permission.',
    },
    {
      step: 'ssh ca recover: no such snapshot',
      request: 'exit code',
      what: '1, embedded 3',
      text: '`ssh ca recover`: OpenBao has no snapshots and answers 405.',
    },
    // Responses.
    {
      step: 'secrets namespace delete',
      request: 'GET /v1/sys/namespaces/sub',
      what: ['status 200, embedded 404', 'not sent to the embedded service'],
      text: 'A namespace is deleted in the background: it can be read until the end of the deletion.',
    },
    {
      step: 'secrets read: with an invalid token',
      request: 'GET /v1/auth/token/lookup-self',
      what: 'not sent to the embedded service',
      text: 'An invalid token is named as such in the response, as in Vault; OpenBao answers `permission denied`, and the token is looked up.',
    },
    {
      what: '*mount_type: missing',
      text: 'Envelopes have no `mount_type`, which Vault has.',
    },
    {
      request: 'GET /v1/sys/mounts',
      what: '*',
      text: 'The list of mounts has what is mounted on the server, and members on plugins.',
    },
    {
      what: 'header namespace: unexpected',
      text: 'Responses name the namespace in a header.',
    },
    {
      request: 'GET /v1/*/metadata/*',
      what: ['data.metadata_cas_required: unexpected', 'data.current_metadata_version: unexpected'],
      text: 'Metadata of key-value secrets has a version and check-and-set of its own.',
    },
    {
      request: 'GET /v1/*/config',
      what: 'data.metadata_cas_required: unexpected',
      text: 'Key-value mounts have a check-and-set setting for metadata.',
    },
    {
      what: ['data.issuer_id: unexpected', 'data.issuer_name: unexpected'],
      text: 'An SSH engine has several issuers; responses name the one that was used.',
    },
    {
      what: ['data.issuer_ref: unexpected', 'data.key_info.*.issuer_ref: unexpected'],
      text: 'Roles name the issuer that signs.',
    },
    {
      what: 'data.allow_commas_in_identity_templates: unexpected',
      text: 'Roles have `allow_commas_in_identity_templates`.',
    },
    {
      request: 'GET /v1/*/roles/*',
      what: [
        'data.ttl: number, not string',
        'data.max_ttl: number, not string',
        'data.not_before_duration: number, not string',
      ],
      text: 'Durations of SSH roles are numbers of seconds.',
    },
    {
      request: 'GET /v1/*/roles/*',
      what: [
        'data.port: missing',
        'data.default_user_template: missing',
        'data.allowed_users_template: missing',
      ],
      text: 'SSH roles have only the members of their key type.',
    },
    {
      request: 'GET /v1/sys/*',
      what: ['performance_standby: missing', 'commit_date: unexpected', 'build_date: missing'],
      text: 'Health and seal status: `commit_date` instead of `build_date`, no `performance_standby`.',
    },
    {
      request: 'GET *?help=1',
      what: 'openapi.*',
      text: 'OpenAPI documents have other paths and schemas.',
    },
    {
      request: 'GET /v1/*/public_key',
      what: 'status 400, embedded 404',
      text: 'No CA: `no default issuer currently configured` with status 400.',
    },
    {
      request: 'GET /v1/*/config/ca?read_snapshot_id=*',
      what: 'status 200, embedded 404',
      text: '`read_snapshot_id` is ignored, with a warning.',
    },
    {
      request: 'RECOVER *',
      what: 'status 405, embedded 404',
      text: 'The method RECOVER is not supported.',
    },
    {
      request: 'DELETE /v1/*/config/ca',
      what: ['status 200, embedded 204', 'body: object, not none'],
      text: 'Deleting the CA answers 200 with the number of deleted issuers.',
    },
    {
      step: 'kv *patch: missing',
      what: 'body: none, not object',
      text: 'A patch of a missing secret, or of its metadata, is a 404 without a body.',
    },
    {
      step: 'ssh ca *',
      request: '* /v1/*',
      what: ['*sent to the embedded service*', 'status 200, embedded 404'],
      text: 'Before a CA is created, replaced or deleted, its issuers are listed.',
    },
    {
      step: 'ssh trust*',
      request: '* /v1/*',
      what: ['*sent to the embedded service*', 'status 200, embedded 403', 'status 200, embedded 404'],
      text: '`ssh trust` reads the keys of all issuers; on services with one CA per mount, those of a rotation.',
    },
    {
      request: 'GET /v1/sys/policies/acl/*',
      what: [
        'data.allow_slashes_in_identity_templates: unexpected',
        'data.allow_wildcards_in_identity_templates: unexpected',
        'data.cas_required: unexpected',
        'data.modified: unexpected',
        'data.version: unexpected',
      ],
      text: 'Policies have a version, check-and-set and settings of their templates.',
    },
    {
      request: 'POST /v1/sys/remount',
      what: 'warnings: array, not null',
      text: 'The response to a move says in a warning that the move is queued.',
    },
    {
      request: 'POST /v1/auth/token/create*',
      what: 'auth.token_policies: missing',
      text: 'A token without policies has no `token_policies` in `auth`.',
    },
    {
      request: '* /v1/auth/token/lookup*',
      what: ['data.issue_time: missing', 'data.renewable: missing'],
      text: 'The first root token has no lease, and so neither `issue_time` nor `renewable`.',
    },
  ]),
  ...differencesOf('consul', [
    // Exit codes.
    {
      step: 'acl translate-rules*',
      request: 'GET /v1/acl/token/self',
      what: 'not sent to the embedded service',
      text: 'A missing endpoint is confirmed with a request for the own token.',
    },
    {
      step: 'acl translate-rules*',
      request: 'exit code',
      what: ['3, embedded 0', '3, embedded 5'],
      text: '`acl translate-rules`: legacy rules are gone since 1.11, so it is not found.',
    },
    // Responses.
    {
      request: '* /v1/acl/rules/translate*',
      what: ['status 404, embedded 200', 'status 404, embedded 403'],
      text: 'Rule translation is gone since 1.11.',
    },
    {
      request: 'POST /v1/acl/oidc/*',
      what: 'status 404, embedded 403',
      text: 'OIDC logins are part of Consul Enterprise.',
    },
    {
      what: 'header *',
      text: 'Index, leader and policy headers are on other responses: not on `status/*` and `agent/self`, but on errors.',
    },
    {
      what: 'names with a partition',
      text: 'Nodes and targets of a chain have a partition in their names.',
    },
    {
      request: '* /v1/discovery-chain/*',
      what: ['*Partition: unexpected', '*Partition?: unexpected'],
      text: 'Chains and targets name their partition.',
    },
    {
      request: '* /v1/query*',
      what: [
        '*Template*',
        '*.SamenessGroup: unexpected',
        '*.Peer: unexpected',
        '*.Namespace: missing',
        '*RaftIndex: missing',
        '*.Meta: missing',
      ],
      text: 'Prepared queries have members of newer versions, and no `RaftIndex` of their own.',
    },
    {
      request: 'GET /v1/query/*/execute*',
      what: [
        'Nodes[].DNS: missing',
        'Nodes[].Node.NodeMeta: missing',
        'Nodes[].Service.Proxy.*: unexpected',
        'Nodes[].Service.PeerName: unexpected',
        '*: null, not array',
        '*: array|null, not array',
      ],
      text: 'Results of queries have other members: proxy and peer, no `DNS` and `NodeMeta`; empty lists are null.',
    },
    {
      request: 'GET /v1/catalog/node/SERVER',
      what: 'Services.consul.Meta.*: unexpected',
      text: 'The service `consul` has metadata on versions and protocols of the server.',
    },
    {
      step: 'acl replication: second datacenter',
      request: 'GET /v1/acl/tokens?dc=*',
      what: 'sent to the embedded service only',
      text: 'A second datacenter replicates tokens only if its configuration says so; otherwise `acl replication` compares policies.',
    },
    {
      request: 'GET /v1/agent/members',
      what: ['[].Tags.bootstrap: missing', '[].Tags.ft_*: unexpected'],
      text: 'Servers have tags on features; only a server in bootstrap mode has the tag `bootstrap`.',
    },
    {
      step: 'registry config list: all kinds',
      request: 'GET /v1/config/*',
      reason: 'embedded is stricter',
      what: 'status 200, embedded 500',
      text: 'Kinds of config entries that the embedded service does not support have no list (500).',
    },
  ]),
  ...differencesOf('nomad', [
    {
      request: 'GET /v1/namespace*',
      what: ['*Configuration: unexpected', '*ExtraClaims: unexpected', '*Hash: unexpected'],
      text: 'Namespaces have members on node pools, Vault, Consul and extra claims, and a hash.',
    },
    {
      request: 'GET /v1/acl/policy/*',
      what: 'RulesJSON: unexpected',
      text: 'A policy has its rules as JSON too.',
    },
    {
      request: 'DELETE /v1/var/*',
      what: ['status 204, embedded 200', 'type none, embedded application/json', 'body: none, not object'],
      text: 'A deleted variable is a 204 without a body.',
    },
    {
      what: 'header *',
      text: 'Index and leader headers are on other responses: not on agent and status, but on 403.',
    },
  ]),
  ...differencesOf('boundary', [
    {
      request: 'GET /v1/auth-methods?scope_id=global',
      what: 'items[].*',
      text: 'Without permission to read them, auth methods are listed with few members.',
    },
    {
      step: 'account list: pages',
      what: ['items[].description: missing', 'items[].name: missing'],
      text: 'Pages of a list have other accounts: the auth method of the run has no administrator.',
    },
    {
      step: 'account list: primary auth method',
      what: ['items[].description: missing', 'items[].name: missing'],
      text: 'The administrator of a development server has neither name nor description.',
    },
    {
      request: '* /v1/auth-methods*',
      what: ['attributes.callback_url: unexpected', 'attributes.client_secret_hmac: unexpected'],
      text: 'An OIDC auth method has its callback URL and an HMAC of its client secret; the embedded service receives no callbacks and keeps no client secrets.',
    },
    {
      request: '* /v1/auth-methods*',
      what: 'attributes.bind_password_hmac: unexpected',
      text: 'An LDAP auth method has an HMAC of its bind password, which the embedded service does not keep.',
    },
    {
      what: 'header x-content-type-options: unexpected',
      text: 'Responses have a header for browsers.',
    },
    {
      what: 'details: missing',
      text: 'Some errors have their invalid fields in the message, in quotes, and no `details`.',
    },
    {
      request: 'DELETE *',
      what: 'type application/json, embedded none',
      text: 'Responses without a body (204) have a media type.',
    },
    {
      request: 'POST *:authenticate',
      what: 'attributes.scope_id: missing',
      text: 'A login has no `scope_id`, only `scope`.',
    },
    {
      request: 'GET /v1/auth-tokens/*',
      what: 'expiration_time: unexpected',
      text: 'The token that the run is given expires; that of the embedded service at its start does not.',
    },
    {
      step: 'account change-password: outdated version',
      reason: 'embedded is stricter',
      what: 'status 500, embedded 404',
      text: 'An outdated version in a change of password is an internal error (500).',
    },
    {
      step: 'account user add-accounts: has a user',
      reason: 'embedded is stricter',
      what: 'status 500, embedded 400',
      text: 'Giving a user an account of another user is an internal error (500).',
    },
    {
      request: 'POST *:add-*',
      reason: 'embedded is stricter',
      what: 'status 500, embedded 404',
      text: 'An outdated version in a change of the accounts of a user or of the grants of a role is an internal error (500).',
    },
    {
      step: 'account role add-principals: missing',
      reason: 'embedded is stricter',
      what: 'status 500, embedded 400',
      text: 'Giving a role to a principal that does not exist is an internal error (500).',
    },
    {
      what: [
        'authorized_collection_actions.*: unexpected',
        'items[].authorized_collection_actions.*: unexpected',
      ],
      text: 'There are more kinds of resources.',
    },
    {
      request: 'GET /v1/accounts*',
      what: 'est_item_count: missing',
      text: 'The estimated number of items comes from the statistics of the database, which are empty at first.',
    },
  ]),
];

const patterns = new Map<string, RegExp>();

/** Does the text fit a pattern with `*`? */
function fits(pattern: string | undefined, text: string): boolean {
  if (pattern === undefined) return true;
  const known = patterns.get(pattern);
  if (known) return known.test(text);
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const made = new RegExp(`^${parts.join('.*')}$`, 's');
  patterns.set(pattern, made);
  return made.test(text);
}

/**
 * The first entry that accepts a difference.
 *
 * @param table where to look; default: the differences of the scenario
 */
export const dialectOf = (
  difference: Difference,
  table: readonly Dialect[] = dialects,
): Dialect | undefined =>
  table.find(
    ({ product, step, request, what }) =>
      product === difference.product &&
      fits(step, difference.step) &&
      fits(request, difference.request) &&
      [what].flat().some((each) => fits(each, difference.what)),
  );
