import { command, flag, showWarnings } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { notFound, usage } from '../../../errors.ts';
import { code, textResult } from '../../../output/document.ts';
import { findLease, leaseArg, leaseNames, leasePrefix } from '../lib/leases.ts';

export default command({
  description:
    'Invalidates the credentials of the lease, or with --prefix of all leases below LEASE. --force also removes leases whose credentials the engine fails to revoke: these stay valid in the other system. Prompts for confirmation.',
  examples: [
    'lanyard secrets lease revoke "$LEASE"',
    'lanyard secrets lease revoke ssh/creds/otp --prefix --yes',
    'lanyard secrets lease revoke ssh --prefix --force --dry-run',
  ],
  service: 'secrets',
  writes: 'after reads',
  args: { lease: leaseArg },
  flags: {
    prefix: flag.boolean('revoke all leases below the path LEASE; requires sudo'),
    force: flag.boolean('with --prefix: ignore errors of the engine'),
    sync: flag.boolean('wait until the credentials are revoked'),
  },
  async run({ args: { lease }, flags }, ctx) {
    if (flags.force && !flags.prefix) throw usage('--force requires --prefix');
    if (flags.force && flags.sync) throw usage('--sync cannot be combined with --force');
    const sync = flags.sync ? true : undefined;
    if (flags.prefix) return revokePrefix(leasePrefix(lease), { force: flags.force, sync }, ctx);
    const secrets = await ctx.api.secrets();
    // The service confirms the revocation of a missing lease.
    await findLease(secrets, lease);
    await ctx.input.confirm(`Revoke lease ${lease}? Its credentials become invalid.`);
    const { body } = await secrets.revokeLease({ lease_id: lease, sync });
    showWarnings(ctx.output, body);
    return textResult({ lease_id: lease }, 'Revoked lease ', code(lease), '.');
  },
});

async function revokePrefix(
  prefix: string,
  { force, sync }: { readonly force: boolean; readonly sync: true | undefined },
  ctx: Pick<Context, 'api' | 'input' | 'output'>,
) {
  const secrets = await ctx.api.secrets();
  const names = await leaseNames(secrets, prefix);
  if (names.length === 0)
    throw notFound(`no leases below "${prefix}/"`, {
      service: 'secrets',
      hint: 'Run `lanyard secrets lease list` for the prefixes of the existing leases.',
    });
  const leftOver = force ? ' Credentials that the engine fails to revoke stay valid.' : '';
  await ctx.input.confirm(
    `Revoke all leases below "${prefix}/"? Their credentials become invalid.${leftOver}`,
  );
  const { body } = await (force
    ? secrets.forceRevokeLeases({ prefix })
    : secrets.revokeLeases({ prefix, sync }));
  showWarnings(ctx.output, body);
  return textResult({ prefix: `${prefix}/`, force }, 'Revoked all leases below ', code(`${prefix}/`), '.');
}
