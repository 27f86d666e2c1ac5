import type { Context } from '../../../../command/context.ts';
import { splitList } from '../../../../command/flag-values.ts';
import { LanyardError, usage } from '../../../../errors.ts';
import { parseDuration } from '../../../../wire/duration.ts';
import { roleNotFoundError } from '../certificate-request.ts';

export type Mode = 'ca' | 'otp';

/** The fields of a role that a connection needs; undefined: not known or not set. */
export interface Role {
  readonly name: string;
  readonly mode: Mode;
  readonly defaultUser: string | undefined;
  /** Allowed extensions; `*`: any; undefined: not known. */
  readonly allowedExtensions: readonly string[] | undefined;
  /** Whether the role has default extensions; undefined: not known. */
  readonly hasDefaultExtensions: boolean | undefined;
  /** Seconds. */
  readonly maxTtl: number | undefined;
}

/** Reads the role if permitted: the token of a login may lack that permission. */
export async function readRole(
  mount: string,
  name: string,
  mode: Mode | undefined,
  ctx: Context,
): Promise<Role> {
  const fields = await fieldsOf(mount, name, ctx);
  const keyType = fields?.key_type;
  if (keyType !== undefined && keyType !== 'ca' && keyType !== 'otp')
    throw usage(`role ${name} has key type ${keyType}, which cannot be used to log in`);
  if (mode !== undefined && keyType !== undefined && mode !== keyType)
    throw usage(`role ${name} has key type ${keyType}, not ${mode}`);
  const user = fields?.default_user_template === true ? undefined : fields?.default_user;
  return {
    name,
    mode: mode ?? keyType ?? 'ca',
    defaultUser: typeof user === 'string' && user !== '' ? user : undefined,
    allowedExtensions: fields && splitList(String(fields.allowed_extensions ?? '')),
    hasDefaultExtensions: fields && Object.keys(fields.default_extensions ?? {}).length > 0,
    maxTtl: parseDuration(String(fields?.max_ttl ?? '')) || undefined,
  };
}

async function fieldsOf(mount: string, name: string, ctx: Context) {
  const secrets = await ctx.api.secrets();
  try {
    return (await secrets.readRole({ mount, role: name })).body.data;
  } catch (error) {
    if (!(error instanceof LanyardError)) throw error;
    if (error.kind === 'forbidden') return undefined;
    throw error.kind === 'not_found' ? roleNotFoundError(name, mount, error) : error;
  }
}
