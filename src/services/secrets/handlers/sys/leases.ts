import type { JsonObject } from '../../../../wire/json.ts';
import { mapInSlices } from '../../../core/in-slices.ts';
import * as s from '../../../core/schema/types.ts';
import { badRequest, orBadRequest } from '../../errors.ts';
import type { Lease } from '../../model/leases.ts';
import { namesBelow } from '../../model/names-below.ts';
import type { TokenEntry } from '../../model/token-entries.ts';
import { tokenLeaseId, tokenOfLease, tokensBelow } from '../../model/token-leases.ts';
import { type InputOf, requireSudo } from '../../resource.ts';
import { any } from '../../returns.ts';
import { timeText } from '../../views.ts';
import { type SysContext, sysResource } from './context.ts';

/** Leases of credentials, and of tokens, which their own paths renew (docs/protocol/secrets.md#leases). */

const fields = { lease_id: s.required(s.string('The ID of the lease.')) };

const shownLease = s.named(
  'Lease',
  s.object({
    id: s.string(),
    path: s.string(),
    issue_time: s.time(),
    expire_time: s.nullable(s.time()),
    last_renewal: s.nullable(s.time()),
    renewable: s.boolean(),
    ttl: s.integer('Seconds.'),
  }),
);

export const lookUp = sysResource({
  summary: 'Show a lease.',
  fields,
  returns: { write: shownLease },
  write({ leases, tokens, path }, request) {
    const id = leaseId(request);
    const lease = leases.find(path, id);
    if (lease) return { data: showLease(lease, leases.now()) };
    const token = orBadRequest(tokenOfLease(tokens, path, id), 'invalid lease');
    return { data: showTokenLease(id, token, leases.now()) };
  },
  async list(context, request) {
    requireSudo(request, 'sys/leases/lookup/');
    return { data: { keys: await names(context, '') } };
  },
});

export const listBelow = sysResource({
  summary: 'List the leases below a prefix.',
  async list(context, request, prefix) {
    requireSudo(request, `sys/leases/lookup/${prefix}/`);
    return { data: { keys: await names(context, `${prefix}/`) } };
  },
});

/** The names directly below a prefix of the leases of credentials and tokens. */
async function names({ leases, tokens, path }: SysContext, prefix: string): Promise<string[]> {
  const below = await tokensBelow(tokens, path, prefix);
  const ofTokens = await mapInSlices(below, (entry) => tokenLeaseId(entry) ?? '');
  const all = [...(await leases.listNames(path, prefix)), ...(await namesBelow(prefix, ofTokens))];
  return [...new Set(all)].sort();
}

export const renew = sysResource({
  summary: 'Renew a lease, if it is renewable.',
  fields,
  returns: { write: any },
  write({ leases, tokens, path }, request) {
    const id = leaseId(request);
    if (tokenOfLease(tokens, path, id)) throw badRequest('tokens cannot be renewed through this endpoint');
    if (!leases.find(path, id)) throw badRequest('lease not found');
    throw badRequest('lease is not renewable');
  },
});

export const revoke = sysResource({
  summary: 'Revoke a lease and its credentials.',
  fields,
  write: (context, request) => revokeLease(context, leaseId(request)),
});

export const revokeById = sysResource({
  summary: 'Revoke the lease with this ID.',
  write: (context, _request, id) => revokeLease(context, id),
});

export const revokePrefix = revocation('revoke-prefix', 'Revoke all leases below a prefix.');
/** The engines revoke the credentials without another service, so there are no errors to ignore. */
export const revokeForce = revocation(
  'revoke-force',
  'Revoke all leases below a prefix, also after an error.',
);

function revocation(operation: string, summary: string) {
  return sysResource({
    summary,
    async write({ leases, tokens, path }, request, prefix) {
      requireSudo(request, `sys/leases/${operation}/${prefix}`);
      await leases.revokePrefix(path, `${prefix}/`);
      await tokens.revokeAll(await tokensBelow(tokens, path, `${prefix}/`));
    },
  });
}

const leaseId = ({ input }: { readonly input: InputOf<typeof fields> }): string =>
  orBadRequest(input.lease_id, 'lease_id must be specified');

async function revokeLease({ leases, tokens, path }: SysContext, id: string): Promise<undefined> {
  const lease = leases.find(path, id);
  if (lease) await leases.revoke(lease);
  const token = tokenOfLease(tokens, path, id);
  if (token) await tokens.revoke(token);
}

function showLease(lease: Lease, now: number): JsonObject {
  return {
    id: lease.id,
    path: lease.id.slice(0, lease.id.lastIndexOf('/')),
    issue_time: timeText(lease.issued),
    expire_time: timeText(lease.expires),
    last_renewal: null,
    renewable: false,
    ttl: lease.expires - now,
  };
}

function showTokenLease(id: string, entry: TokenEntry, now: number): JsonObject {
  return {
    id,
    path: entry.path,
    issue_time: timeText(entry.created),
    expire_time: entry.expires === null ? null : timeText(entry.expires),
    last_renewal: entry.renewed === null ? null : timeText(entry.renewed),
    renewable: entry.renewable,
    ttl: entry.expires === null ? 0 : entry.expires - now,
  };
}
