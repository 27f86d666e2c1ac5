import { isMissingMount } from '../../../api/conditions/secrets.ts';
import type { Context } from '../../../command/context.ts';
import { confirmDelete } from '../../../errors.ts';
import { code, textResult } from '../../../output/document.ts';
import { findMount, type MountTable, mountPath } from './mounts.ts';

/** The result of `disable`: removes a mount. The service reports success for a missing one too, so it is read first. */
export async function disableMount(
  table: MountTable,
  given: string,
  ctx: Pick<Context, 'api' | 'input' | 'output'>,
) {
  const path = mountPath(table, given);
  const secrets = await ctx.api.secrets();
  const { type } = await findMount(table, secrets, path);
  const effect =
    table.command === 'mount'
      ? 'All of its data is deleted, and its leases are revoked.'
      : 'Its configuration is deleted, and the tokens of its logins are revoked.';
  await ctx.input.confirm(`Disable ${table.noun} "${path}/" (${type})? ${effect} This cannot be undone.`);
  const { disable, read } = table.operations(secrets);
  await confirmDelete(
    () => disable({ path }),
    () => read({ path }),
    `the ${table.noun}`,
    isMissingMount,
  );
  return textResult({ path: `${path}/`, type }, `Disabled ${table.noun} `, code(`${path}/`), '.');
}
