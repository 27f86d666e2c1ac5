import type { Json } from '../../../../wire/json.ts';
import { type CoreRequest, type Paths, requireSudo } from '../../backend.ts';
import { SecretsError } from '../../engine.ts';
import { textField } from '../../fields.ts';
import { required, text } from '../../help/field.ts';
import type { Lease, Leases } from '../../model/leases.ts';

const fields = { lease_id: required(text('The ID of the lease.')) };

/**
 * `sys/leases/` (docs/protocol/secrets.md#leases). No lease is renewable: engines issue credentials for a
 * fixed time.
 */
export function leasePaths(paths: Paths, leases: Leases, namespace: string): Paths {
  const idOf = ({ data }: CoreRequest): string => {
    const id = textField(data, 'lease_id');
    if (!id) throw new SecretsError(400, 'lease_id must be specified');
    return id;
  };
  const revoke = async (id: string): Promise<undefined> => {
    const lease = leases.find(namespace, id);
    if (lease) await leases.revoke(lease);
  };
  return paths
    .on(
      'leases/lookup',
      'Show a lease.',
      {
        update(request) {
          const lease = leases.find(namespace, idOf(request));
          if (!lease) throw new SecretsError(400, 'invalid lease');
          return { data: showLease(lease, leases.now()) };
        },
        list: (request) => {
          requireSudo(request, 'sys/leases/lookup/');
          return { data: { keys: leases.listNames(namespace, '') } };
        },
      },
      fields,
    )
    .on('leases/lookup/*prefix', 'List the leases below a prefix.', {
      list(request, { prefix = '' }) {
        requireSudo(request, `sys/leases/lookup/${prefix}/`);
        return { data: { keys: leases.listNames(namespace, `${prefix}/`) } };
      },
    })
    .on(
      'leases/renew',
      'Renew a lease, if it is renewable.',
      {
        update(request) {
          if (!leases.find(namespace, idOf(request))) throw new SecretsError(400, 'lease not found');
          throw new SecretsError(400, 'lease is not renewable');
        },
      },
      fields,
    )
    .on(
      'leases/revoke',
      'Revoke a lease and its credentials.',
      { update: (request) => revoke(idOf(request)) },
      fields,
    )
    .on('leases/revoke/*id', 'Revoke the lease with this ID.', {
      update: (_request, { id = '' }) => revoke(id),
    })
    .on('leases/revoke-prefix/*prefix', 'Revoke all leases below a prefix.', {
      async update(request, { prefix = '' }) {
        requireSudo(request, `sys/leases/revoke-prefix/${prefix}`);
        await leases.revokePrefix(namespace, `${prefix}/`);
        return undefined;
      },
    });
}

function showLease(lease: Lease, now: number): Readonly<Record<string, Json>> {
  return {
    id: lease.id,
    issue_time: new Date(lease.issued * 1000).toISOString(),
    expire_time: new Date(lease.expires * 1000).toISOString(),
    last_renewal: null,
    renewable: false,
    ttl: lease.expires - now,
  };
}
