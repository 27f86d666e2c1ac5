import { isRejectedExtension } from '../../../../api/conditions/secrets.ts';
import { showWarnings } from '../../../../command/command.ts';
import type { Context } from '../../../../command/context.ts';
import type { Identity, MemoryKey } from '../../../../ssh/types.ts';
import { checkSignedCertificate, describeSignError } from '../certificate-request.ts';
import type { Connection } from './connection.ts';
import { extensionsToRequest } from './extensions.ts';

/** Seconds: long enough for a login through several jump hosts, too short for other uses. */
const defaultTtlSeconds = 120;

export interface CertificateRequest {
  readonly principals: readonly string[];
  /** Required extensions; `--extension` adds more. */
  readonly extensions: readonly string[];
}

export interface IssuedCertificate {
  readonly line: string;
  /** Unix seconds; undefined: unlimited. */
  readonly validBefore: number | undefined;
}

/** An in-memory key with a certificate that is renewed after two thirds of its validity period. */
export function identityFor(
  key: MemoryKey,
  desired: CertificateRequest,
  connection: Connection,
  ctx: Context,
): Identity {
  let current: { readonly line: string; readonly renewAt: number } | undefined;
  return {
    key,
    async certificate() {
      const now = ctx.system.clock().getTime();
      if (current === undefined || now >= current.renewAt) {
        const { line, validBefore } = await issueCertificate(key, desired, connection, ctx);
        const remaining = validBefore === undefined ? Number.POSITIVE_INFINITY : validBefore * 1000 - now;
        current = { line, renewAt: now + (remaining * 2) / 3 };
      }
      return current.line;
    },
  };
}

/** The same, but errors are printed as warnings: ssh, which requests it, cannot show them. */
export const withWarning = (identity: Identity, output: Context['output']): Identity => ({
  key: identity.key,
  certificate: () =>
    identity.certificate().catch((error: unknown) => {
      output.warn(`cannot sign a certificate: ${error instanceof Error ? error.message : String(error)}`);
      throw error;
    }),
});

export async function issueCertificate(
  key: Pick<MemoryKey, 'line' | 'fingerprint'>,
  desired: CertificateRequest,
  { mount, role, flags, rejectRevoked }: Connection,
  ctx: Context,
): Promise<IssuedCertificate> {
  const { requested, rejected } = extensionsToRequest(desired.extensions, role);
  if (rejected.length > 0) ctx.output.warn(`role ${role.name} does not allow ${rejected.join(', ')}`);
  const extensions = { ...Object.fromEntries(requested.map((name) => [name, ''])), ...flags.extension };
  const request = {
    mount,
    role: role.name,
    public_key: key.line,
    valid_principals: desired.principals.join(','),
    ttl: flags.ttl ?? `${Math.min(defaultTtlSeconds, role.maxTtl ?? defaultTtlSeconds)}s`,
  };
  const secrets = await ctx.api.secrets();
  const { body } = await secrets
    .signKey(Object.keys(extensions).length === 0 ? request : { ...request, extensions })
    .catch((error: unknown) => {
      // The role could not be read, and turns out not to allow extensions in requests.
      const isRejected = role.allowedExtensions === undefined && isRejectedExtension(error);
      if (flags.extension || !isRejected) throw error;
      ctx.output.detail(`role ${role.name} does not allow extensions in requests; using its defaults`);
      return secrets.signKey(request);
    })
    .catch(describeSignError(role.name, mount));
  showWarnings(ctx.output, body);
  const line = body.data.signed_key;
  const { validBefore } = await checkSignedCertificate(key.fingerprint, line, await ctx.ssh.keys());
  await rejectRevoked(line);
  return { line, validBefore };
}
