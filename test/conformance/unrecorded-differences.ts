import type { Dialect } from './dialects.ts';

type Unrecorded = Pick<Dialect, 'product' | 'reason' | 'text'>;

const differences = (
  product: string,
  reason: Dialect['reason'],
  texts: readonly string[],
): readonly Unrecorded[] => texts.map((text) => ({ product, reason, text }));

/** Accepted differences that no recording shows, found by sending the same requests to both. */
export const unrecordedDifferences: readonly Unrecorded[] = [
  ...differences('openbao', 'embedded is stricter', [
    'Paths with empty, `.` or `..` segments or an encoded slash are 400; OpenBao redirects the first two, and answers 404 to the last. Requests of web pages of other sites are 403.',
    'JSON bodies have the limits of Vault (nesting 500, strings of 1 MiB, 10,000 fields or elements); OpenBao limits the number of strings and the memory. Help of a path requires permission for it.',
    '`data: null` of a key-value secret, and a `max_versions` outside of 0 to 4,294,967,295, are 400; OpenBao accepts both.',
    'SSH roles: a `port` outside of 0 to 65,535, and options and extensions whose values are objects or arrays, are 400; OpenBao accepts them. A certificate has at most 256 principals, and `public_key` one line. `ssh issue` knows `ed25519`, not `ssh-ed25519`.',
    'Durations of the SSH engine have hours as their largest unit: `1d` is 400; OpenBao accepts it.',
    'A batch token with `period`, or with an ID of its own, is 400; OpenBao ignores the field.',
    '`ssh sign` without principals is 400 unless the role has `allow_empty_principals`; OpenBao signs for any user if `allowed_users` is `*`.',
    'Policies with `mfa_methods` or `list_scan_response_keys_filter_path` are 400. Templates of groups and times in their paths match nothing.',
    'A default extension of an SSH role whose template has an empty value, a comma or a control character is 400.',
  ]),
  ...differences('openbao', 'dialect', [
    'Spaces in `allowed_extensions` and `allowed_critical_options` of an SSH role do not count; in OpenBao `a, b` does not allow `b`. `valid_principals: ""` asks for the default user; in OpenBao for none.',
    '`sys/mounts/` and `sys/auth/` with a slash at the end are read as without it; OpenBao answers 404. Errors of lists on paths of single servers, and 405, have a text.',
    'There are no identity groups, also not in templates of SSH roles, no `sys/internal/specs/openapi` (`dev --openapi secrets` prints the document), no `sys/host-info` and no web interface with its redirect of `/`.',
    'A new service has the mounts `secret/`, of version 2, and `ssh/`, also after `sys/init`.',
    'Encryption keys cannot be rotated, root tokens cannot be generated, and namespaces cannot be locked or sealed.',
    'Deleting a namespace, moving a mount and upgrading a key-value mount are complete before the response.',
    'Templates of users also apply to SSH roles for one-time passwords, which have `default_user_template` and `allowed_users_template`.',
    'A mount has one CA: paths of issuers are 404 `unsupported path`, and `ssh issuer` fails.',
    'Auth methods of type ldap, oidc, kubernetes and cert are not in the catalog: the embedded service calls no directory, provider or cluster, and has no TLS.',
    '`ssh issue` accepts the allowed key lengths of the role; OpenBao rejects some of type `ec` and `rsa`.',
  ]),
  ...differences('consul', 'embedded is stricter', [
    'In `txn`, `cas` of a node or check that cannot be written is 409; Consul answers 200 without a result and writes nothing. An operation with two kinds, and a transaction with a namespace, are 400; Consul takes the first kind and ignores the namespace. A node that a transaction names only by its ID is found; Consul requires the name.',
    'A transaction has at most 64 operations, as specified; Consul 1.21 takes 128.',
    'A static `jwt` method without `JWTSupportedAlgs` accepts RS256 only, as documented; Consul 1.21.4 accepts every algorithm.',
    'A negative `wait` is 400; Consul ignores it. A bootstrap secret that is not a UUID is 400; Consul answers 500. A `Protocol` of the wrong type is 400; Consul converts it and answers 500.',
  ]),
  ...differences('consul', 'dialect', [
    'The query `dc` also selects the datacenter of `catalog/register` and `catalog/deregister`; Consul ignores it there and takes `Datacenter` of the body.',
    'In `txn`, a check of a service without `ServiceName` needs permission for the service that is registered; Consul requires it for the empty name. A node that is set without an ID keeps its ID; Consul removes it.',
    'Writing a key that is locked keeps its `LockIndex`; Consul sets it to 0. A session ends after one TTL; Consul waits for two.',
    '`/v1/kv` without a slash is 400, `/v1/config` and `/` are 404; Consul redirects the first and the last, and answers 405 for the other. The name of a datacenter is accepted in any case; Consul answers 500 for another case than its own.',
    'A service without a port has `Port` 0, and lists without items are `[]` in results of queries; Consul leaves the port out and has null.',
  ]),
  ...differences('nomad', 'embedded is stricter', [
    'Lock operations: release of a missing variable 404, of an unlocked one 409, renewal without an ID 400; Nomad answers 500.',
    'A negative `per_page` or `wait`, `namespace=*` for one variable, and text after the JSON of a body are 400; Nomad ignores them. Invalid UTF-8, deeply nested JSON and requests for other hosts are rejected.',
  ]),
  ...differences('nomad', 'dialect', [
    'A variable has at most 16 KiB; Nomad allows 64 KiB. The namespace of the query precedes that of the body.',
    'A filter of variables is checked before it is evaluated: a field or an operation that does not fit is 400 also for an empty list, or after a test that has decided. `VariableData` cannot be selected.',
    'Of two members `Items` in one JSON object the last one counts; Nomad merges them. Syntax errors in JSON, filters and numbers have other texts.',
    'A policy with rules for node pools, operators, quotas, host volumes, plugins or Sentinel is accepted; the embedded service has none of these.',
    'A blocking list with a prefix may return early, after a write to another variable.',
  ]),
  ...differences('boundary', 'embedded is stricter', [
    'Short and malformed login names and passwords are 400 with the field, malformed JSON, types, `page_size` and list tokens 400; Boundary answers 500.',
    '`set-password` without `password` is 400; Boundary removes the password.',
    'A filter with an invalid regular expression is 400; Boundary returns an empty list. Names and descriptions have at most 4,096 characters.',
    'Lists of accounts of a user: an outdated version is 404, an unknown account or that of another user 400; Boundary answers 500.',
    'Principals, grants and grant scopes of a role: an outdated version is 404; an unknown principal, a principal or grant that the role already has, and grant scopes that exclude each other are 400; Boundary answers 500. The deletion of `u_anon`, `u_auth` and `u_recovery` is 400; Boundary answers 500.',
    'OIDC auth methods are always inactive and logins to LDAP auth methods are 400: the embedded service calls no provider or directory. Logins with cookies are 400: it has no web interface.',
  ]),
  ...differences('boundary', 'dialect', [
    'A list token belongs to its auth method and filter: with others it is 400; Boundary continues the list.',
    'A PATCH ignores unknown fields, a path may end in a slash, and the API address serves `/health`; Boundary answers 500, 500 and 404.',
    'Accounts are created with `full_name`, `email`, `dn`, `member_of_groups` and claims; Boundary rejects or drops them. `api_url_prefix` of an OIDC auth method is optional.',
    'Missing attributes have the name of the attribute with `attributes.`. The message for an unchanged password is that of its field. Errors for a version have plain quotes.',
    'Unknown paths and methods have a body in JSON.',
    'There are no groups, managed groups, targets, sessions, aliases and workers; grants may name them. Principals of roles are users.',
    'A start restores the role of the administrator, `r_1234567890`, and adds the administrator to it.',
  ]),
];
