import type { EngineRequest } from '../../engine.ts';
import { badRequest } from '../../errors.ts';
import { textField } from '../../fields.ts';
import { required, text } from '../../help/field.ts';
import { type Resource, requireSudo } from '../../resource.ts';
import { showLease } from '../../views.ts';
import type { SysContext } from './context.ts';

/**
 * `sys/leases/` (docs/protocol/secrets.md#leases). No lease is renewable: engines issue credentials for a
 * fixed time.
 */

const fields = { lease_id: required(text('The ID of the lease.')) };

export const lookUp: Resource<SysContext> = {
  summary: 'Show a lease.',
  fields,
  write({ leases, path }, request) {
    const lease = leases.find(path, leaseId(request));
    if (!lease) throw badRequest('invalid lease');
    return { data: showLease(lease, leases.now()) };
  },
  list({ leases, path }, request) {
    requireSudo(request, 'sys/leases/lookup/');
    return { data: { keys: leases.listNames(path, '') } };
  },
};

export const listBelow: Resource<SysContext> = {
  summary: 'List the leases below a prefix.',
  list({ leases, path }, request, prefix) {
    requireSudo(request, `sys/leases/lookup/${prefix}/`);
    return { data: { keys: leases.listNames(path, `${prefix}/`) } };
  },
};

export const renew: Resource<SysContext> = {
  summary: 'Renew a lease, if it is renewable.',
  fields,
  write({ leases, path }, request) {
    if (!leases.find(path, leaseId(request))) throw badRequest('lease not found');
    throw badRequest('lease is not renewable');
  },
};

export const revoke: Resource<SysContext> = {
  summary: 'Revoke a lease and its credentials.',
  fields,
  write: (context, request) => revokeLease(context, leaseId(request)),
};

export const revokeById: Resource<SysContext> = {
  summary: 'Revoke the lease with this ID.',
  write: (context, _request, id) => revokeLease(context, id),
};

export const revokePrefix = revocation('revoke-prefix', 'Revoke all leases below a prefix.');
/** The engines revoke the credentials without another service, so there are no errors to ignore. */
export const revokeForce = revocation(
  'revoke-force',
  'Revoke all leases below a prefix, also after an error.',
);

function revocation(operation: string, summary: string): Resource<SysContext> {
  return {
    summary,
    async write({ leases, path }, request, prefix) {
      requireSudo(request, `sys/leases/${operation}/${prefix}`);
      await leases.revokePrefix(path, `${prefix}/`);
    },
  };
}

function leaseId({ data }: EngineRequest): string {
  const id = textField(data, 'lease_id');
  if (!id) throw badRequest('lease_id must be specified');
  return id;
}

async function revokeLease({ leases, path }: SysContext, id: string): Promise<undefined> {
  const lease = leases.find(path, id);
  if (lease) await leases.revoke(lease);
}
