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

const openbao = 'openbao';
const consul = 'consul';
const nomad = 'nomad';
const boundary = 'boundary';

export const dialects: readonly Dialect[] = [
  // OpenBao: exit codes.
  {
    product: openbao,
    step: 'ssh ca get: no such snapshot',
    request: 'exit code',
    what: '1, embedded 3',
    reason: 'dialect',
    text: '`ssh ca get --snapshot` is not supported: OpenBao has no snapshots.',
  },
  {
    product: openbao,
    step: 'secrets logout: token is gone',
    request: 'exit code',
    what: '9, embedded 0',
    reason: 'dialect',
    text: '`secrets logout` of a token that was revoked before exits with 9: OpenBao answers `permission denied` to it, as to a valid token without permission.',
  },
  {
    product: openbao,
    step: 'ssh ca recover: no such snapshot',
    request: 'exit code',
    what: '1, embedded 3',
    reason: 'dialect',
    text: '`ssh ca recover`: OpenBao has no snapshots and answers 405.',
  },
  // OpenBao: responses.
  {
    product: openbao,
    step: 'secrets namespace delete',
    request: 'GET /v1/sys/namespaces/sub',
    reason: 'dialect',
    what: ['status 200, embedded 404', 'not sent to the embedded service'],
    text: 'A namespace is deleted in the background: it can be read until the end of the deletion.',
  },
  {
    product: openbao,
    step: 'secrets read: with an invalid token',
    request: 'GET /v1/auth/token/lookup-self',
    reason: 'dialect',
    what: 'not sent to the embedded service',
    text: 'An invalid token is named as such in the response, as in Vault; OpenBao answers `permission denied`, and the token is looked up.',
  },
  {
    product: openbao,
    what: '*mount_type: missing',
    reason: 'dialect',
    text: 'Envelopes have no `mount_type`, which Vault has.',
  },
  {
    product: openbao,
    request: 'GET /v1/sys/mounts',
    what: '*',
    reason: 'dialect',
    text: 'The list of mounts has what is mounted on the server, and members on plugins.',
  },
  {
    product: openbao,
    what: 'header namespace: unexpected',
    reason: 'dialect',
    text: 'Responses name the namespace in a header.',
  },
  {
    product: openbao,
    request: 'GET /v1/*/metadata/*',
    reason: 'dialect',
    what: ['data.metadata_cas_required: unexpected', 'data.current_metadata_version: unexpected'],
    text: 'Metadata of key-value secrets has a version and check-and-set of its own.',
  },
  {
    product: openbao,
    request: 'GET /v1/*/config',
    what: 'data.metadata_cas_required: unexpected',
    reason: 'dialect',
    text: 'Key-value mounts have a check-and-set setting for metadata.',
  },
  {
    product: openbao,
    what: ['data.issuer_id: unexpected', 'data.issuer_name: unexpected'],
    reason: 'dialect',
    text: 'An SSH engine has several issuers; responses name the one that was used.',
  },
  {
    product: openbao,
    what: ['data.issuer_ref: unexpected', 'data.key_info.*.issuer_ref: unexpected'],
    reason: 'dialect',
    text: 'Roles name the issuer that signs.',
  },
  {
    product: openbao,
    what: 'data.allow_commas_in_identity_templates: unexpected',
    reason: 'dialect',
    text: 'Roles have `allow_commas_in_identity_templates`.',
  },
  {
    product: openbao,
    request: 'GET /v1/*/roles/*',
    reason: 'dialect',
    what: [
      'data.ttl: number, not string',
      'data.max_ttl: number, not string',
      'data.not_before_duration: number, not string',
    ],
    text: 'Durations of SSH roles are numbers of seconds.',
  },
  {
    product: openbao,
    request: 'GET /v1/*/roles/*',
    reason: 'dialect',
    what: [
      'data.port: missing',
      'data.default_user_template: missing',
      'data.allowed_users_template: missing',
    ],
    text: 'SSH roles have only the members of their key type.',
  },
  {
    product: openbao,
    request: 'GET /v1/sys/*',
    reason: 'dialect',
    what: ['performance_standby: missing', 'commit_date: unexpected', 'build_date: missing'],
    text: 'Health and seal status: `commit_date` instead of `build_date`, no `performance_standby`.',
  },
  {
    product: openbao,
    request: 'GET *?help=1',
    what: 'openapi.*',
    reason: 'dialect',
    text: 'OpenAPI documents have other paths and schemas.',
  },
  {
    product: openbao,
    request: 'GET /v1/*/public_key',
    what: 'status 400, embedded 404',
    reason: 'dialect',
    text: 'No CA: `no default issuer currently configured` with status 400.',
  },
  {
    product: openbao,
    request: 'GET /v1/*/config/ca?read_snapshot_id=*',
    what: 'status 200, embedded 404',
    reason: 'dialect',
    text: '`read_snapshot_id` is ignored, with a warning.',
  },
  {
    product: openbao,
    request: 'RECOVER *',
    what: 'status 405, embedded 404',
    reason: 'dialect',
    text: 'The method RECOVER is not supported.',
  },
  {
    product: openbao,
    request: 'DELETE /v1/*/config/ca',
    reason: 'dialect',
    what: ['status 200, embedded 204', 'body: object, not none'],
    text: 'Deleting the CA answers 200 with the number of deleted issuers.',
  },
  {
    product: openbao,
    step: 'kv patch: missing',
    what: 'body: none, not object',
    reason: 'dialect',
    text: 'A patch of a missing secret is a 404 without a body.',
  },

  {
    product: openbao,
    step: 'ssh ca *',
    request: '* /v1/*',
    reason: 'dialect',
    what: ['*sent to the embedded service*', 'status 200, embedded 404'],
    text: 'Before a CA is created or deleted, its issuers are listed.',
  },

  {
    product: openbao,
    request: 'GET /v1/sys/policies/acl/*',
    reason: 'dialect',
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
    product: openbao,
    request: 'POST /v1/sys/remount',
    reason: 'dialect',
    what: 'warnings: array, not null',
    text: 'The response to a move says in a warning that the move is queued.',
  },
  {
    product: openbao,
    request: 'POST /v1/auth/token/create*',
    reason: 'dialect',
    what: 'auth.token_policies: missing',
    text: 'A token without policies has no `token_policies` in `auth`.',
  },

  // Consul: exit codes.
  {
    product: consul,
    step: 'acl translate-rules*',
    request: 'GET /v1/acl/token/self',
    reason: 'dialect',
    what: 'not sent to the embedded service',
    text: 'A missing endpoint is confirmed with a request for the own token.',
  },
  {
    product: consul,
    step: 'acl translate-rules*',
    request: 'exit code',
    reason: 'dialect',
    what: ['3, embedded 0', '3, embedded 5'],
    text: '`acl translate-rules`: legacy rules are gone since 1.11, so it is not found.',
  },
  // Consul: responses.
  {
    product: consul,
    request: '* /v1/acl/rules/translate*',
    reason: 'dialect',
    what: ['status 404, embedded 200', 'status 404, embedded 403'],
    text: 'Rule translation is gone since 1.11.',
  },
  {
    product: consul,
    request: 'POST /v1/acl/oidc/*',
    what: 'status 404, embedded 403',
    reason: 'dialect',
    text: 'OIDC logins are part of Consul Enterprise.',
  },
  {
    product: consul,
    what: 'header *',
    reason: 'dialect',
    text: 'Index, leader and policy headers are on other responses: not on `status/*` and `agent/self`, but on errors.',
  },
  {
    product: consul,
    what: 'names with a partition',
    reason: 'dialect',
    text: 'Nodes and targets of a chain have a partition in their names.',
  },
  {
    product: consul,
    request: '* /v1/discovery-chain/*',
    what: ['*Partition: unexpected', '*Partition?: unexpected'],
    reason: 'dialect',
    text: 'Chains and targets name their partition.',
  },
  {
    product: consul,
    request: '* /v1/query*',
    reason: 'dialect',
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
    product: consul,
    request: 'GET /v1/query/*/execute*',
    reason: 'dialect',
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
    product: consul,
    request: 'GET /v1/catalog/node/SERVER',
    reason: 'dialect',
    what: 'Services.consul.Meta.*: unexpected',
    text: 'The service `consul` has metadata on versions and protocols of the server.',
  },
  {
    product: consul,
    step: 'registry config list: all kinds',
    request: 'GET /v1/config/*',
    reason: 'embedded is stricter',
    what: 'status 200, embedded 500',
    text: 'Kinds of config entries that the embedded service does not support have no list (500).',
  },

  // Nomad: responses.
  {
    product: nomad,
    request: 'GET /v1/namespace*',
    reason: 'dialect',
    what: ['*Configuration: unexpected', '*ExtraClaims: unexpected', '*Hash: unexpected'],
    text: 'Namespaces have members on node pools, Vault, Consul and extra claims, and a hash.',
  },
  {
    product: nomad,
    request: 'DELETE /v1/var/*',
    reason: 'dialect',
    what: ['status 204, embedded 200', 'type none, embedded application/json', 'body: none, not object'],
    text: 'A deleted variable is a 204 without a body.',
  },
  {
    product: nomad,
    what: 'header *',
    reason: 'dialect',
    text: 'Index and leader headers are on other responses: not on agent and status, but on 403.',
  },

  // Boundary: responses.
  {
    product: boundary,
    request: 'GET /v1/auth-methods?scope_id=global',
    what: 'items[].*',
    reason: 'dialect',
    text: 'Without permission to read them, auth methods are listed with few members.',
  },
  {
    product: boundary,
    step: 'account list: pages',
    reason: 'dialect',
    what: ['items[].description: missing', 'items[].name: missing'],
    text: 'Pages of a list have other accounts: the auth method of the run has no administrator.',
  },
  {
    product: boundary,
    step: 'account list: primary auth method',
    reason: 'dialect',
    what: ['items[].description: missing', 'items[].name: missing'],
    text: 'The administrator of a development server has neither name nor description.',
  },
  {
    product: boundary,
    request: 'POST /v1/auth-methods',
    reason: 'dialect',
    what: ['attributes.callback_url: unexpected', 'attributes.client_secret_hmac: unexpected'],
    text: 'An OIDC auth method has its callback URL and an HMAC of its client secret; the embedded service receives no callbacks and keeps no client secrets.',
  },
  {
    product: boundary,
    what: 'header x-content-type-options: unexpected',
    reason: 'dialect',
    text: 'Responses have a header for browsers.',
  },
  {
    product: boundary,
    what: 'details: missing',
    reason: 'dialect',
    text: 'Some errors have their invalid fields in the message, in quotes, and no `details`.',
  },
  {
    product: boundary,
    request: 'DELETE *',
    what: 'type application/json, embedded none',
    reason: 'dialect',
    text: 'Responses without a body (204) have a media type.',
  },
  {
    product: boundary,
    request: 'POST *:authenticate',
    reason: 'dialect',
    what: 'attributes.scope_id: missing',
    text: 'A login has no `scope_id`, only `scope`.',
  },
  {
    product: boundary,
    request: 'GET /v1/auth-tokens/*',
    reason: 'dialect',
    what: 'expiration_time: unexpected',
    text: 'The token that the run is given expires; that of the embedded service at its start does not.',
  },
  {
    product: boundary,
    step: 'account change-password: outdated version',
    reason: 'embedded is stricter',
    what: 'status 500, embedded 404',
    text: 'An outdated version in a change of password is an internal error (500).',
  },
  {
    product: boundary,
    what: [
      'authorized_collection_actions.*: unexpected',
      'items[].authorized_collection_actions.*: unexpected',
    ],
    reason: 'dialect',
    text: 'There are more kinds of resources.',
  },
  {
    product: boundary,
    request: 'GET /v1/accounts*',
    what: 'est_item_count: missing',
    reason: 'dialect',
    text: 'The estimated number of items comes from the statistics of the database, which are empty at first.',
  },
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
