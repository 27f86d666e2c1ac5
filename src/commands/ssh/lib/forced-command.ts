import type { Context } from '../../../cli/context.ts';
import type { Signing } from './renewal.ts';
import { droppedForcedCommand, dropsForcedCommand } from './role-rules.ts';

/** Warns if the requested critical options drop the forced command of the role. */
export async function warnAboutForcedCommand(
  name: string,
  mount: string,
  request: Signing['request'],
  ctx: Context,
): Promise<void> {
  if (request.critical_options === undefined) return;
  const secrets = await ctx.api.secrets();
  // A token that may sign may lack permission to read the role; the certificate is signed either way.
  const role = await secrets.readRole({ mount, role: name }).catch(() => undefined);
  if (role && dropsForcedCommand({ role: role.body.data, request }))
    ctx.output.warn(droppedForcedCommand(name));
}
