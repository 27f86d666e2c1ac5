/** The shell completion of a value; `command`: a command line, as in `dev run -- COMMAND`. */
export type Completes = 'file' | 'directory' | 'profile' | 'command' | LiveSource | readonly string[];

/** What a service can list for a value (`src/cli/completion`). */
export type LiveSource =
  | 'ssh-role'
  | 'ssh-mount'
  | 'ssh-issuer'
  | 'kv-path'
  | 'kv-mount'
  | 'secrets-path'
  | 'secrets-mount'
  | 'secrets-auth'
  | 'secrets-auth-role'
  | 'secrets-policy'
  | 'secrets-namespace'
  | 'acl-policy'
  | 'acl-role'
  | 'acl-token'
  | 'acl-auth-method'
  | 'acl-binding-rule'
  | 'query'
  | 'registry-service'
  | 'registry-agent-service'
  | 'registry-datacenter'
  | 'registry-node'
  | 'registry-key'
  | 'registry-session'
  | 'config-entry'
  | 'box'
  | 'box-owner'
  | 'box-version'
  | 'box-provider'
  | 'scheduler-namespace'
  | 'variable'
  | 'variable-item'
  | 'account'
  | 'account-auth-method'
  | 'account-token'
  /** The namespaces of the service of the command. */
  | 'namespace'
  /** The aliases in the configuration. */
  | 'alias'
  /** The fields of the result of the command. */
  | 'field'
  /** The words of a command that has a result; no service is asked. */
  | 'result';
