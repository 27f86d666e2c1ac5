/** Fields of responses of the account service that are shown (docs/protocol/accounts.md). Times are in RFC 3339. */

interface Times {
  /** RFC 3339. */
  created_time?: string;
  /** RFC 3339. */
  updated_time?: string;
}

export interface Scope {
  id?: string;
  /** `global`, `org` or `project`. */
  type?: string;
  name?: string;
  description?: string;
  /** Absent: the scope is `global`. */
  parent_scope_id?: string;
}

export interface Account extends Times {
  type?: string;
  auth_method_id?: string;
  name?: string;
  description?: string;
  /** What the token may do with the account. */
  authorized_actions?: string[] | null;
  managed_group_ids?: string[] | null;
}

export interface AuthMethod extends Times {
  /** `password`, `oidc` or `ldap`. */
  type?: string;
  scope_id?: string;
  name?: string;
  description?: string;
  version?: number;
  /** Users of the scope are created from its accounts. */
  is_primary?: boolean;
  authorized_actions?: string[] | null;
  /** What the token may do with parts of the auth method, by kind. */
  authorized_collection_actions?: Record<string, string[] | null> | null;
  scope?: Scope | null;
}

/** A token, without its secret. */
export interface AuthToken extends Times {
  id?: string;
  user_id?: string;
  account_id?: string;
  auth_method_id?: string;
  scope_id?: string;
  scope?: Scope | null;
  /** RFC 3339. */
  approximate_last_used_time?: string;
  /** RFC 3339. */
  expiration_time?: string | null;
  authorized_actions?: string[] | null;
}

/** About a list that is returned in pages. */
export interface Page {
  /** `complete` or `delta`: whether more pages follow. */
  response_type?: string;
  /** For the next request of the list, which returns what has changed. */
  list_token?: string | null;
  sort_by?: string;
  /** `asc` or `desc`. */
  sort_dir?: string;
  /** An estimate of the number of items. */
  est_item_count?: number;
  /** Items that were deleted since the list token. */
  removed_ids?: string[] | null;
}

/** What users, roles and scopes have in common. */
interface Labelled extends Times {
  /** Absent: the global scope has no scope above it. */
  scope_id?: string;
  name?: string;
  description?: string;
  /** What the token may do with it. */
  authorized_actions?: string[] | null;
}

export interface AccountUser extends Labelled {
  /** Login name of the primary account. */
  login_name?: string;
  /** Full name of the primary account. */
  full_name?: string;
  /** Email address of the primary account. */
  email?: string;
  /** The account of the primary auth method of the scope. */
  primary_account_id?: string;
  /** Absent in lists. */
  account_ids?: string[] | null;
}

/** A user, group or managed group that has a role. */
export interface Principal {
  id?: string;
  /** `user`, `group` or `managed group`. */
  type?: string;
  scope_id?: string;
}

export interface AccountRole extends Labelled {
  /** Scopes that the grants apply to: `this`, `children`, `descendants` or IDs of scopes. */
  grant_scope_ids?: string[] | null;
  /** Absent in lists. */
  principal_ids?: string[] | null;
  /** Absent in lists. */
  principals?: Principal[] | null;
  /** As they were written. Absent in lists. */
  grant_strings?: string[] | null;
}

export interface AccountScope extends Labelled {
  /** `global`, `org` or `project`. */
  type?: string;
  /** Accounts of this auth method get a user with their first login. */
  primary_auth_method_id?: string;
  /** What the token may do with parts of the scope, by kind. */
  authorized_collection_actions?: Record<string, string[] | null> | null;
}
