import { isMountPathTaken } from '../../../api/conditions/secrets.ts';
import type { SecretsClient } from '../../../api/secrets.ts';
import type { Context } from '../../../command/context.ts';
import { confirmWrite, describeAs, LanyardError, unlessNotFound, usage } from '../../../errors.ts';
import { code, text } from '../../../output/document.ts';
import { findMount, type MountTable, mountPath } from './mounts.ts';

const pollMs = 200;

/** The result of `move`: moves a mount, and waits until it is moved. */
export async function moveMount(
  table: MountTable,
  { source, destination }: { readonly source: string; readonly destination: string },
  ctx: Pick<Context, 'api' | 'input' | 'output' | 'system'>,
) {
  const [from, to] = [mountPath(table, source), mountPath(table, destination)];
  if (from === to) throw usage(`source and destination are the same path "${from}/"`);
  const secrets = await ctx.api.secrets();
  const { accessor } = await findMount(table, secrets, from);
  await ctx.input.confirm(
    table.command === 'mount'
      ? `Move secrets engine "${from}/" to "${to}/"? Its leases are revoked, and policies for "${from}/" no longer apply to it.`
      : `Move auth method "${from}/" to "${to}/"? The tokens of its logins are revoked.`,
  );
  const response = await confirmWrite(
    () =>
      secrets
        .remount({ from: `${table.prefix}${from}`, to: `${table.prefix}${to}` })
        .catch(
          describeAs(
            isMountPathTaken,
            'conflict',
            `cannot move ${table.noun} "${from}/" to "${to}/": path is already in use`,
          ),
        ),
    async () => ({
      done: (await findMount(table, secrets, to)).accessor === accessor,
      found: `the ${table.noun} is at "${from}/"`,
    }),
  );
  if (!response) ctx.output.warn(`the response was lost, but the ${table.noun} was moved`);
  const id = response?.body?.data.migration_id;
  if (id !== undefined) await waitForMove(secrets, id, { from, to }, ctx);
  return {
    data: { from: `${from}/`, to: `${to}/`, accessor: accessor ?? null },
    document: [text(`Moved ${table.noun} `, code(`${from}/`), ' to ', code(`${to}/`), '.')],
  };
}

/** Waits for the end of a move. A state that the service does not know ended before. */
async function waitForMove(
  secrets: SecretsClient,
  id: string,
  { from, to }: { readonly from: string; readonly to: string },
  { system }: Pick<Context, 'system'>,
): Promise<void> {
  for (;;) {
    const state = await unlessNotFound(secrets.readRemount({ migration_id: id }));
    const status = state?.data.migration_info.status ?? 'success';
    if (status === 'success') return;
    if (status === 'failure')
      throw new LanyardError('failure', `cannot move "${from}/" to "${to}/": the move failed`, {
        service: 'secrets',
        hint: `See the log of the service for the migration ID ${id}.`,
      });
    await system.sleep(pollMs);
  }
}
