import { command, passWarnings } from '../../../command.ts';
import { LanyardError, settle } from '../../../errors.ts';
import { text } from '../../../output/document.ts';
import { mountFlag, mountOf } from '../shared.ts';

export default command({
  description:
    'The private key is gone for good, and nothing more can be signed until there is a new CA. Certificates that were signed stay valid until they expire.',
  service: 'secrets',
  writes: true,
  args: {},
  flags: { mount: mountFlag },
  async run({ flags }, ctx) {
    const mount = mountOf(flags);
    const secrets = await ctx.api.secrets();
    await ctx.io.confirm(`Delete the CA key pair of ${mount}/? It cannot be brought back.`);
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
    return { data: answer?.body ?? null, document: [text(`The CA of ${mount}/ is deleted.`)] };
  },
});
