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
  /** Required extensions; those of `--extension` are added. */
  readonly extensions: readonly string[];
}

export interface Certified {
  readonly line: string;
  /** Unix seconds; undefined: for ever. */
  readonly validBefore: number | undefined;
}

/** An in-memory key with a certificate that is renewed after two thirds of its validity period. */
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

/** The same, but errors are printed as warnings: ssh, which requests it, cannot show them. */
export const told = (identity: Identity, io: Tools['io']): Identity => ({
  key: identity.key,
  certificate: () =>
    identity.certificate().catch((error: unknown) => {
      io.warn(`cannot sign a certificate: ${error instanceof Error ? error.message : String(error)}`);
      throw error;
    }),
});

/** Signs a public key. */
export async function certify(
  key: Pick<MemoryKey, 'line' | 'fingerprint'>,
  wanted: Wanted,
  { mount, role, flags }: Connection,
  ctx: Tools,
): Promise<Certified> {
  const { asked, refused } = extensionsToAsk(wanted.extensions, role);
  if (refused.length > 0) ctx.io.warn(`role ${role.name} does not allow ${refused.join(', ')}`);
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
      ctx.io.detail(`role ${role.name} does not allow extensions in requests; using its defaults`);
      return secrets.signKey(request);
    })
    .catch(inWords(role.name, mount));
  passWarnings(ctx.io, body);
  const line = body.data.signed_key;
  const { validBefore } = await certificateFor(key.fingerprint, line, await ctx.keys());
  return { line, validBefore };
}

/** Whether a role that could not be read turns out not to allow extensions in requests. */
const mayNotAsk = (role: Role, error: unknown): boolean =>
  role.allowedExtensions === undefined && isRejectedExtension(error);
