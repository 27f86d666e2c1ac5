import type { SecretsClient } from '../../../api/secrets.ts';
import { command, passWarnings } from '../../../command.ts';
import type { Context } from '../../../context.ts';
import { LanyardError, settle } from '../../../errors.ts';
import { text } from '../../../output/document.ts';
import { mountFlag, mountOf } from '../shared.ts';
import { issuersOf } from './issuers.ts';

export default command({
  description:
    'Deletes the private key permanently; nothing can be signed until a new CA is created. All issuers of the mount are deleted. Signed certificates stay valid until they expire.',
  examples: ['lanyard ssh ca delete'],
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
        : `Delete the CA key pair of ${mount}/? This cannot be undone.`,
    );
    const answer = await settle(
      () => secrets.deleteCa({ mount }),
      async () => {
        try {
          await secrets.readCa({ mount });
          return { done: false, found: 'the CA still exists' };
        } catch (error) {
          const gone = error instanceof LanyardError && (error.status === 400 || error.status === 404);
          return { done: gone, found: 'the CA could not be read' };
        }
      },
    );
    passWarnings(ctx.io, answer?.body);
    const issuers = count > 1 ? ` and its ${count} issuers` : '';
    return { data: answer?.body ?? null, document: [text(`Deleted the CA of ${mount}/${issuers}.`)] };
  },
});

/** The number of issuers of the mount; 0 if not known. */
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
