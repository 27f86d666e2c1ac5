import type { SecretsClient } from '../../../api/secrets.ts';
import { command, passWarnings } from '../../../command.ts';
import type { Context } from '../../../context.ts';
import { LanyardError, settle } from '../../../errors.ts';
import { text } from '../../../output/document.ts';
import { mountFlag, mountOf } from '../shared.ts';
import { issuersOf } from './issuers.ts';

export default command({
  description:
    'The private key is gone for good, and nothing more can be signed until there is a new CA. A service that keeps several issuers in a mount (OpenBao) deletes all of them. Certificates that were signed stay valid until they expire.',
  service: 'secrets',
  writes: true,
  readsFirst: true,
  args: {},
  flags: { mount: mountFlag },
  async run({ flags }, ctx) {
    const mount = mountOf(flags);
    const secrets = await ctx.api.secrets();
    const count = await issuerCount(secrets, mount, ctx);
    await ctx.io.confirm(
      count > 1
        ? `Delete the CA of ${mount}/ with all of its ${count} issuers? This cannot be undone.`
        : `Delete the CA key pair of ${mount}/? It cannot be brought back.`,
    );
    const answer = await settle(
      () => secrets.deleteCa({ mount }),
      async () => {
        try {
          await secrets.readCa({ mount });
          return { done: false, found: 'a CA is still configured' };
        } catch (error) {
          const gone = error instanceof LanyardError && (error.status === 400 || error.status === 404);
          return { done: gone, found: 'the CA could not be read' };
        }
      },
    );
    passWarnings(ctx.io, answer?.body);
    const deleted = count > 1 ? `is deleted, with its ${count} issuers` : 'is deleted';
    return { data: answer?.body ?? null, document: [text(`The CA of ${mount}/ ${deleted}.`)] };
  },
});

/** How many issuers go with the CA; 0 where the service does not tell. */
async function issuerCount(
  secrets: SecretsClient,
  mount: string,
  { rehearsal }: Pick<Context, 'rehearsal'>,
): Promise<number> {
  try {
    return (await issuersOf(secrets, mount))?.ids.length ?? 0;
  } catch (error) {
    if (rehearsal && error instanceof LanyardError) return 0;
    throw error;
  }
}
