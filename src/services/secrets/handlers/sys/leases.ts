import { mapInSlices } from '../../../core/in-slices.ts';
import type { EngineRequest } from '../../engine.ts';
import { badRequest } from '../../errors.ts';
import { textField } from '../../fields.ts';
import { required, text } from '../../help/field.ts';
import { namesBelow } from '../../model/names-below.ts';
import { tokenLeaseId, tokenOfLease, tokensBelow } from '../../model/token-leases.ts';
import { type Resource, requireSudo } from '../../resource.ts';
import { showLease, showTokenLease } from '../../views.ts';
import type { SysContext } from './context.ts';

/**
 * `sys/leases/` (docs/protocol/secrets.md#leases). Leases of credentials, which are for a fixed time, and of tokens,
 * which are renewed by the paths of tokens.
 */

const fields = { lease_id: required(text('The ID of the lease.')) };

export const lookUp: Resource<SysContext> = {
  summary: 'Show a lease.',
  fields,
  write({ leases, tokens, path }, request) {
    const id = leaseId(request);
    const lease = leases.find(path, id);
    if (lease) return { data: showLease(lease, leases.now()) };
    const token = tokenOfLease(tokens, path, id);
    if (!token) throw badRequest('invalid lease');
    return { data: showTokenLease(id, token, leases.now()) };
  },
  async list(context, request) {
    requireSudo(request, 'sys/leases/lookup/');
    return { data: { keys: await names(context, '') } };
  },
};

export const listBelow: Resource<SysContext> = {
  summary: 'List the leases below a prefix.',
  async list(context, request, prefix) {
    requireSudo(request, `sys/leases/lookup/${prefix}/`);
    return { data: { keys: await names(context, `${prefix}/`) } };
  },
};

/** The names directly below a prefix of the leases of credentials and tokens. */
async function names({ leases, tokens, path }: SysContext, prefix: string): Promise<string[]> {
  const below = await tokensBelow(tokens, path, prefix);
  const ofTokens = await mapInSlices(below, (entry) => tokenLeaseId(entry) ?? '');
  const all = [...(await leases.listNames(path, prefix)), ...(await namesBelow(prefix, ofTokens))];
  return [...new Set(all)].sort();
}

export const renew: Resource<SysContext> = {
  summary: 'Renew a lease, if it is renewable.',
  fields,
  write({ leases, tokens, path }, request) {
    const id = leaseId(request);
    if (tokenOfLease(tokens, path, id)) throw badRequest('tokens cannot be renewed through this endpoint');
    if (!leases.find(path, id)) throw badRequest('lease not found');
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
    async write({ leases, tokens, path }, request, prefix) {
      requireSudo(request, `sys/leases/${operation}/${prefix}`);
      await leases.revokePrefix(path, `${prefix}/`);
      await tokens.revokeAll(await tokensBelow(tokens, path, `${prefix}/`));
    },
  };
}

function leaseId({ data }: EngineRequest): string {
  const id = textField(data, 'lease_id');
  if (!id) throw badRequest('lease_id must be specified');
  return id;
}

async function revokeLease({ leases, tokens, path }: SysContext, id: string): Promise<undefined> {
  const lease = leases.find(path, id);
  if (lease) await leases.revoke(lease);
  const token = tokenOfLease(tokens, path, id);
  if (token) await tokens.revoke(token);
}
