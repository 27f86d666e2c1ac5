import { isRejectedExtension } from '../../../api/conditions.ts';
import { passWarnings } from '../../../command.ts';
import type { Identity, MemoryKey } from '../../../ssh/ssh.ts';
import { certificateFor, inWords } from '../certificate.ts';
import type { Connection, Tools } from './access.ts';
import { extensionsToAsk } from './extensions.ts';
import type { Role } from './role.ts';

/** Seconds: long enough for a login with several hosts on the way, too short for anything else. */
const usualTtl = 120;

export interface Wanted {
  readonly principals: readonly string[];
  /** Those that are needed; those of `--extension` come to them. */
  readonly extensions: readonly string[];
}

export interface Certified {
  readonly line: string;
  /** Unix seconds; undefined: for ever. */
  readonly validBefore: number | undefined;
}

/** A key in memory, with a certificate that is renewed when two thirds of its life are over. */
export function identityFor(key: MemoryKey, wanted: Wanted, connection: Connection, ctx: Tools): Identity {
  let held: { readonly line: string; readonly renewAt: number } | undefined;
  return {
    key,
    async certificate() {
      const now = ctx.clock().getTime();
      if (held === undefined || now >= held.renewAt) {
        const { line, validBefore } = await certify(key, wanted, connection, ctx);
        const left = validBefore === undefined ? Number.POSITIVE_INFINITY : validBefore * 1000 - now;
        held = { line, renewAt: now + (left * 2) / 3 };
      }
      return held.line;
    },
  };
}

/** The same, whose failures are told to the user: who asks for it is ssh, which has no words for them. */
export const told = (identity: Identity, io: Tools['io']): Identity => ({
  key: identity.key,
  certificate: () =>
    identity.certificate().catch((error: unknown) => {
      io.warn(`no certificate: ${error instanceof Error ? error.message : String(error)}`);
      throw error;
    }),
});

/** Has a public key signed. */
export async function certify(
  key: Pick<MemoryKey, 'line' | 'fingerprint'>,
  wanted: Wanted,
  { mount, role, flags }: Connection,
  ctx: Tools,
): Promise<Certified> {
  const { asked, refused } = extensionsToAsk(wanted.extensions, role);
  if (refused.length > 0) ctx.io.warn(`the role ${role.name} does not allow ${refused.join(', ')}`);
  const extensions = { ...Object.fromEntries(asked.map((name) => [name, ''])), ...flags.extension };
  const request = {
    ...{ mount, role: role.name, public_key: key.line },
    valid_principals: wanted.principals.join(','),
    ttl: flags.ttl ?? `${Math.min(usualTtl, role.maxTtl ?? usualTtl)}s`,
  };
  const secrets = await ctx.api.secrets();
  const { body } = await secrets
    .signKey(Object.keys(extensions).length === 0 ? request : { ...request, extensions })
    .catch((error: unknown) => {
      if (flags.extension || !mayNotAsk(role, error)) throw error;
      ctx.io.detail(`the role ${role.name} allows no extensions to be asked for; those it gives have to do`);
      return secrets.signKey(request);
    })
    .catch(inWords(role.name, mount));
  passWarnings(ctx.io, body);
  const line = body.data.signed_key;
  const { validBefore } = await certificateFor(key.fingerprint, line, await ctx.keys());
  return { line, validBefore };
}

/** Does a role that could not be read turn out to allow no extensions to be asked for? */
const mayNotAsk = (role: Role, error: unknown): boolean =>
  role.allowedExtensions === undefined && isRejectedExtension(error);
