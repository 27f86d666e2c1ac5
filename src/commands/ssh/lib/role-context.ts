import { hasStatus } from '../../../api/conditions/any.ts';
import type { Context } from '../../../command/context.ts';
import { insteadOf, LanyardError } from '../../../errors.ts';
import type { MountLifetimes, Role } from './role-question.ts';

/** The public key of the CA, or of the issuer of the role; undefined if it does not exist. */
export async function readCa(mount: string, { issuer_ref: issuer }: Role, ctx: Context) {
  const secrets = await ctx.api.secrets();
  const isOwn = typeof issuer === 'string' && issuer !== '' && issuer !== 'default';
  const isMissing = (error: unknown) => hasStatus(error, 400, 404);
  const reading = secrets.publicKey({ mount: isOwn ? `${mount}/issuer/${issuer}` : mount });
  const response = await reading.catch(insteadOf(isMissing, undefined));
  return response && (await ctx.ssh.keys()).readPublicKey(response.body, "the CA's public key").info;
}

/**
 * The lifetimes of a mount: the effective ones, else the configured ones, which every token with access to the mount can
 * read; undefined if neither can be read.
 */
export async function readMountLifetimes(mount: string, ctx: Context): Promise<MountLifetimes | undefined> {
  const secrets = await ctx.api.secrets();
  const checks = [
    async () => dataOf((await secrets.read({ path: `sys/mounts/${mount}/tune` })).body),
    async () => (await secrets.findMount({ path: mount })).body.data.config as Fields,
  ];
  for (const look of checks) {
    try {
      const { default_lease_ttl: defaultTtl, max_lease_ttl: maxTtl } = (await look()) ?? {};
      if (typeof defaultTtl === 'number' && typeof maxTtl === 'number') return { defaultTtl, maxTtl };
    } catch (error) {
      if (!(error instanceof LanyardError) || error.status === undefined) throw error;
    }
  }
  return undefined;
}

type Fields = Readonly<Record<string, unknown>> | null | undefined;

const dataOf = (body: unknown): Fields => (body as { readonly data?: Fields } | null | undefined)?.data;
