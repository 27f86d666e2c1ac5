import { hasStatus } from '../../../api/conditions/any.ts';
import type { SecretsClient } from '../../../api/secrets.ts';
import { command, showWarnings } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { confirmDelete, insteadOf, LanyardError } from '../../../errors.ts';
import { textResult } from '../../../output/document.ts';
import { readIssuers } from '../lib/ca/issuers.ts';
import { mountFlag } from '../lib/mount.ts';

export default command({
  description:
    'Deletes the private key permanently; nothing can be signed until a new CA is created. All issuers of the mount are deleted. Signed certificates stay valid until they expire.',
  examples: ['lanyard ssh ca delete'],
  service: 'secrets',
  writes: 'after reads',
  flags: { mount: mountFlag },
  async run({ flags: { mount } }, ctx) {
    const secrets = await ctx.api.secrets();
    const count = await issuerCount(secrets, mount, ctx.output);
    await ctx.input.confirm(
      count > 1
        ? `Delete the CA of ${mount}/ with all of its ${count} issuers? This cannot be undone.`
        : `Delete the CA key pair of ${mount}/? This cannot be undone.`,
    );
    const response = await confirmDelete(
      () => secrets.deleteCa({ mount }),
      () => secrets.readCa({ mount }),
      'the CA',
      isMissingCa,
    );
    showWarnings(ctx.output, response?.body);
    const issuers = count > 1 ? ` and its ${count} issuers` : '';
    return textResult(response?.body ?? null, `Deleted the CA of ${mount}/${issuers}.`);
  },
});

const isMissingCa = (error: unknown) => hasStatus(error, 400, 404);

/** The number of issuers of the mount; 0 if not known. */
async function issuerCount(
  secrets: SecretsClient,
  mount: string,
  { isDryRun }: Pick<Context['output'], 'isDryRun'>,
): Promise<number> {
  const isIgnored = (error: unknown) => isDryRun && error instanceof LanyardError;
  return (await readIssuers(secrets, mount).catch(insteadOf(isIgnored, undefined)))?.ids.length ?? 0;
}
