import type { Context } from '../../../command/context.ts';
import type { CertificateInfo } from '../../../ssh/types.ts';
import { privateKeyPath } from '../../../wire/key-paths.ts';

/** Adds a key with its certificate to the ssh-agent, until the certificate expires. */
export async function addToAgent(
  path: string,
  signed: string,
  certificate: CertificateInfo,
  ctx: Context,
): Promise<void> {
  const agent = await ctx.ssh.agent();
  const remaining = (certificate.validBefore ?? 0) - Math.floor(ctx.system.clock().getTime() / 1000);
  await agent.addCertificate(ctx.files.absolute(privateKeyPath(path)), signed, Math.max(remaining, 0));
}
