import type { AnyCommand } from '../cli/command.ts';

/** A command: its path is the command line and the file. */
export interface CommandEntry {
  readonly path: string;
  readonly summary: string;
  readonly load: () => Promise<{ default: AnyCommand }>;
}

const entry = (path: string, summary: string, load: CommandEntry['load']): CommandEntry => ({
  path,
  summary,
  load,
});

/** The groups of commands. */
export const groups: Readonly<Record<string, string>> = {
  ssh: 'Sign SSH keys and manage certificate authorities',
  'ssh ca': 'Manage the CA key pair',
  'ssh role': 'Manage signing roles',
  'ssh zero-address': 'Manage roles that issue one-time passwords for any IP',
  kv: 'Manage key-value secrets and their versions',
  'kv metadata': 'Manage the metadata of a secret',
  'kv config': 'Manage the configuration of a key-value mount',
  secrets: 'Read and write any path of the secrets service',
  acl: 'Manage access control of the service registry',
  'acl oidc': 'Run the steps of an OIDC login from a script',
  query: 'Manage and execute prepared queries',
  txn: 'Check and apply transactions of the service registry',
  chain: 'Show discovery chains of the service mesh',
  'discovery-chain': 'Show discovery chains (alias of chain)',
  box: 'Manage boxes, their versions and images',
  'box version': 'Manage versions of a box',
  'box provider': 'Manage providers of a version',
  'box token': 'Manage the access token of the box registry',
  'box org': 'Show users and organizations that own boxes',
  namespace: 'Manage scheduler namespaces',
  var: 'Manage scheduler variables',
  account: 'Manage accounts, passwords and logins',
  profile: 'Manage profiles: addresses, TLS and token sources',
};

/** All commands. */
export const tree: readonly CommandEntry[] = [
  entry('quickstart', 'Take a tour: sign an SSH key on embedded services', () => import('./quickstart.ts')),
  entry('dev', 'Run the five embedded services on this machine', () => import('./dev.ts')),
  entry('dev run', 'Run a command against new embedded services', () => import('./dev/run.ts')),
  entry('run', 'Run a command with secrets and variables as environment', () => import('./run.ts')),
  entry('status', 'Show service health, product versions and tokens', () => import('./status.ts')),

  entry('ssh sign', 'Sign a public key for a user or a host', () => import('./ssh/sign.ts')),
  entry('ssh issue', 'Generate and sign a key pair', () => import('./ssh/issue.ts')),
  entry('ssh creds', 'Generate a one-time password for a host', () => import('./ssh/creds.ts')),
  entry('ssh lookup', 'List the roles that match an IP address', () => import('./ssh/lookup.ts')),
  entry('ssh verify', 'Verify and consume a one-time password', () => import('./ssh/verify.ts')),
  entry(
    'ssh connect',
    'Log in with a short-lived certificate or one-time password',
    () => import('./ssh/connect.ts'),
  ),
  entry(
    'ssh config',
    'Configure ssh, scp and rsync to use signed certificates',
    () => import('./ssh/config.ts'),
  ),
  entry('ssh proxy', 'Renew a certificate and connect to a port', () => import('./ssh/proxy.ts')),
  entry('ssh trust', 'Print or install the files that trust the CA', () => import('./ssh/trust.ts')),
  entry('ssh explain', 'Explain whether a role would sign a request', () => import('./ssh/explain.ts')),
  entry('ssh inspect', 'Inspect a certificate or key', () => import('./ssh/inspect.ts')),
  entry('ssh ca create', 'Generate or import the CA key pair', () => import('./ssh/ca/create.ts')),
  entry('ssh ca get', 'Show the CA public key', () => import('./ssh/ca/get.ts')),
  entry(
    'ssh ca public-key',
    'Show the CA public key without a token',
    () => import('./ssh/ca/public-key.ts'),
  ),
  entry('ssh ca delete', 'Delete the CA key pair', () => import('./ssh/ca/delete.ts')),
  entry('ssh ca recover', 'Restore the CA key pair from a snapshot', () => import('./ssh/ca/recover.ts')),
  entry('ssh role list', 'List SSH roles', () => import('./ssh/role/list.ts')),
  entry('ssh role get', 'Show an SSH role', () => import('./ssh/role/get.ts')),
  entry('ssh role put', 'Create or replace an SSH role', () => import('./ssh/role/put.ts')),
  entry('ssh role delete', 'Delete an SSH role', () => import('./ssh/role/delete.ts')),

  entry('ssh zero-address get', 'List zero-address roles', () => import('./ssh/zero-address/get.ts')),
  entry('ssh zero-address put', 'Set the zero-address roles', () => import('./ssh/zero-address/put.ts')),
  entry(
    'ssh zero-address delete',
    'Remove all zero-address roles',
    () => import('./ssh/zero-address/delete.ts'),
  ),
  entry('ssh tidy', 'Delete leftover dynamic host keys', () => import('./ssh/tidy.ts')),

  entry('kv get', 'Read a secret', () => import('./kv/get.ts')),
  entry('kv put', 'Write a secret', () => import('./kv/put.ts')),
  entry('kv patch', 'Update keys of a secret', () => import('./kv/patch.ts')),
  entry('kv edit', 'Edit a secret in an editor', () => import('./kv/edit.ts')),
  entry('kv list', 'List secrets under a path', () => import('./kv/list.ts')),
  entry('kv delete', 'Delete a secret or some of its versions', () => import('./kv/delete.ts')),
  entry('kv undelete', 'Restore deleted versions of a secret', () => import('./kv/undelete.ts')),
  entry('kv destroy', 'Destroy versions of a secret permanently', () => import('./kv/destroy.ts')),
  entry(
    'kv metadata get',
    'Show the metadata and versions of a secret',
    () => import('./kv/metadata/get.ts'),
  ),
  entry('kv metadata put', 'Update the metadata of a secret', () => import('./kv/metadata/put.ts')),
  entry(
    'kv metadata delete',
    'Delete a secret and all of its versions',
    () => import('./kv/metadata/delete.ts'),
  ),
  entry('kv config get', 'Show the configuration of a key-value mount', () => import('./kv/config/get.ts')),
  entry('kv config put', 'Update the configuration of a key-value mount', () => import('./kv/config/put.ts')),

  entry('secrets read', 'Read a path', () => import('./secrets/read.ts')),
  entry('secrets write', 'Write to a path', () => import('./secrets/write.ts')),
  entry('secrets list', 'List a path', () => import('./secrets/list.ts')),
  entry('secrets delete', 'Delete a path', () => import('./secrets/delete.ts')),
  entry('secrets help', 'Show the help of the service for a path', () => import('./secrets/help.ts')),
  entry('secrets status', 'Show the health and seal status', () => import('./secrets/status.ts')),
  entry('secrets login', 'Log in and store the token', () => import('./secrets/login.ts')),
  entry('secrets logout', 'Revoke and remove the stored token', () => import('./secrets/logout.ts')),

  entry('acl bootstrap', 'Create the initial management token', () => import('./acl/bootstrap.ts')),
  entry('acl login', 'Log in with a bearer token and store the result', () => import('./acl/login.ts')),
  entry('acl logout', 'Delete and remove the token of a login', () => import('./acl/logout.ts')),
  entry('acl oidc auth-url', 'Get the URL for an OIDC login', () => import('./acl/oidc/auth-url.ts')),
  entry('acl oidc callback', 'Complete an OIDC login', () => import('./acl/oidc/callback.ts')),
  entry(
    'acl replication',
    'Show the ACL replication status of a datacenter',
    () => import('./acl/replication.ts'),
  ),
  entry(
    'acl translate-rules',
    'Translate legacy ACL rules to the current syntax',
    () => import('./acl/translate-rules.ts'),
  ),

  entry('query list', 'List prepared queries', () => import('./query/list.ts')),
  entry('query get', 'Show a prepared query', () => import('./query/get.ts')),
  entry('query create', 'Create a prepared query', () => import('./query/create.ts')),
  entry('query update', 'Update a prepared query', () => import('./query/update.ts')),
  entry('query put', 'Create or replace prepared queries from files', () => import('./query/put.ts')),
  entry('query delete', 'Delete a prepared query', () => import('./query/delete.ts')),
  entry('query edit', 'Edit a prepared query in an editor', () => import('./query/edit.ts')),
  entry('query exec', 'Execute a prepared query and list its instances', () => import('./query/exec.ts')),
  entry('query explain', 'Show how a query template renders for a name', () => import('./query/explain.ts')),

  entry('txn apply', 'Apply operations in one transaction', () => import('./txn/apply.ts')),
  entry('txn check', 'Check a transaction without sending it', () => import('./txn/check.ts')),

  entry('chain get', 'Show the compiled discovery chain of a service', () => import('./chain/get.ts')),
  entry('discovery-chain get', 'Show a discovery chain (alias of chain get)', () => import('./chain/get.ts')),

  entry('box search', 'Search for boxes', () => import('./box/search.ts')),
  entry('box get', 'Show a box and its versions', () => import('./box/get.ts')),
  entry('box create', 'Create a box', () => import('./box/create.ts')),
  entry('box update', 'Update a box', () => import('./box/update.ts')),
  entry('box delete', 'Delete a box and all of its versions', () => import('./box/delete.ts')),
  entry('box version get', 'Show a version and its providers', () => import('./box/version/get.ts')),
  entry('box version create', 'Create a version of a box', () => import('./box/version/create.ts')),
  entry('box version update', 'Update a version of a box', () => import('./box/version/update.ts')),
  entry('box version delete', 'Delete a version and its images', () => import('./box/version/delete.ts')),
  entry('box upload', 'Upload the image of a provider', () => import('./box/upload.ts')),
  entry('box publish', 'Create, upload and release a version in one step', () => import('./box/publish.ts')),
  entry('box download', 'Download and verify an image', () => import('./box/download.ts')),
  entry('box release', 'Release a version', () => import('./box/release.ts')),
  entry('box revoke', 'Revoke a released version', () => import('./box/revoke.ts')),
  entry(
    'box provider get',
    'Show a provider with its image and checksum',
    () => import('./box/provider/get.ts'),
  ),
  entry('box provider create', 'Create a provider of a version', () => import('./box/provider/create.ts')),
  entry('box provider update', 'Update a provider of a version', () => import('./box/provider/update.ts')),
  entry('box provider delete', 'Delete a provider and its image', () => import('./box/provider/delete.ts')),
  entry('box token create', 'Log in and store the token', () => import('./box/token/create.ts')),
  entry('box token check', 'Check whether the token is valid', () => import('./box/token/check.ts')),
  entry('box token delete', 'Delete and remove the stored token', () => import('./box/token/delete.ts')),
  entry(
    'box request-code',
    'Request a two-factor authentication code',
    () => import('./box/request-code.ts'),
  ),
  entry('box org get', 'Show a user or organization and its boxes', () => import('./box/org/get.ts')),

  entry('namespace list', 'List namespaces', () => import('./namespace/list.ts')),
  entry('namespace get', 'Show a namespace', () => import('./namespace/get.ts')),
  entry('namespace put', 'Create or update a namespace', () => import('./namespace/put.ts')),
  entry('namespace delete', 'Delete an empty namespace', () => import('./namespace/delete.ts')),

  entry('var list', 'List variables', () => import('./var/list.ts')),
  entry('var get', 'Read a variable', () => import('./var/get.ts')),
  entry('var put', 'Write a variable', () => import('./var/put.ts')),
  entry('var edit', 'Edit a variable in an editor', () => import('./var/edit.ts')),
  entry('var diff', 'Compare variables with files or another namespace', () => import('./var/diff.ts')),
  entry('var export', 'Export variables to files', () => import('./var/export.ts')),
  entry('var import', 'Import variables from files', () => import('./var/import.ts')),
  entry('var delete', 'Delete a variable', () => import('./var/delete.ts')),

  entry('account list', 'List the accounts of an auth method', () => import('./account/list.ts')),
  entry('account get', 'Show an account', () => import('./account/get.ts')),
  entry('account create', 'Create an account', () => import('./account/create.ts')),
  entry('account update', 'Update an account', () => import('./account/update.ts')),
  entry('account delete', 'Delete an account', () => import('./account/delete.ts')),
  entry(
    'account change-password',
    'Change a password with the current one',
    () => import('./account/change-password.ts'),
  ),
  entry(
    'account set-password',
    'Set or remove the password of an account',
    () => import('./account/set-password.ts'),
  ),
  entry('account login', 'Log in and store the token', () => import('./account/login.ts')),
  entry('account logout', 'Delete and remove the token of a login', () => import('./account/logout.ts')),

  entry('profile list', 'List profiles', () => import('./profile/list.ts')),
  entry('profile get', 'Show a profile', () => import('./profile/get.ts')),
  entry('profile put', 'Create or update a profile', () => import('./profile/put.ts')),
  entry(
    'profile import',
    'Create a profile from the environment and token files',
    () => import('./profile/import.ts'),
  ),
  entry('profile use', 'Set the active profile', () => import('./profile/use.ts')),
  entry('profile delete', 'Delete a profile and its stored tokens', () => import('./profile/delete.ts')),

  entry('api', 'Send any request to a service', () => import('./api.ts')),
  entry('completion', 'Print a shell completion script', () => import('./completion.ts')),
];
