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
