import type { Context } from '../../context.ts';
import type { Signing } from './renewal.ts';
import { droppedForcedCommand, dropsForcedCommand } from './role-rules.ts';

/** Says so where the critical options that were asked for have taken the role's forced command away. */
export async function warnOfForcedCommand(
  name: string,
  mount: string,
  request: Signing['request'],
  ctx: Context,
): Promise<void> {
  if (request.critical_options === undefined) return;
  const secrets = await ctx.api.secrets();
  // Who may sign need not be permitted to read the role; the certificate is signed either way.
  const role = await secrets.readRole({ mount, role: name }).catch(() => undefined);
  if (role && dropsForcedCommand({ role: role.body.data, request })) ctx.io.warn(droppedForcedCommand(name));
}
