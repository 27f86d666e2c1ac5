import type { Context } from '../../../command/context.ts';
import type { Signing } from './renewal.ts';
import { map, type Question } from './role-question.ts';

/**
 * Whether a request drops the default `force-command` of a role: requested critical options replace all of the role's
 * own, which permits any command.
 */
export const dropsForcedCommand = ({ role, request }: Pick<Question, 'role' | 'request'>): boolean =>
  request.critical_options !== undefined &&
  Object.hasOwn(map(role.default_critical_options), 'force-command') &&
  !Object.hasOwn(request.critical_options, 'force-command');

/** The warning about a request that drops the forced command of a role. */
export const droppedForcedCommand = (role: string): string =>
  `the certificate has no force-command: the requested critical options replace the defaults of role "${role}"; add --critical-option force-command=COMMAND to keep it`;

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
