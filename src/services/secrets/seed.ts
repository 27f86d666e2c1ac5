import type { DefaultMount } from './model/mounts.ts';

/** The mounts of the root namespace; existing data gets each new entry of this list once. */
export const defaultMounts: readonly DefaultMount[] = [
  { path: 'secret/', type: 'kv', options: { version: '2' } },
  { path: 'ssh/', type: 'ssh' },
];

/** The policy `default` of a namespace: the permissions of every token. */
export const defaultPolicy = `# Allow a token to manage itself.
path "auth/token/lookup-self" { capabilities = ["read"] }
path "auth/token/renew-self" { capabilities = ["update"] }
path "auth/token/revoke-self" { capabilities = ["update"] }
path "sys/capabilities-self" { capabilities = ["update"] }
path "sys/internal/ui/mounts/*" { capabilities = ["read"] }
path "sys/leases/lookup" { capabilities = ["update"] }
path "sys/leases/renew" { capabilities = ["update"] }

# Allow a token to use its own cubbyhole.
path "cubbyhole/*" { capabilities = ["create", "read", "update", "delete", "list"] }

# Allow a token to wrap and unwrap responses.
path "sys/wrapping/wrap" { capabilities = ["update"] }
path "sys/wrapping/lookup" { capabilities = ["update"] }
path "sys/wrapping/unwrap" { capabilities = ["update"] }

# Allow a token to hash data.
path "sys/tools/hash" { capabilities = ["update"] }
path "sys/tools/hash/*" { capabilities = ["update"] }
`;
