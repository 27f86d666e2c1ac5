import { hasStatus } from '../../../api/conditions/any.ts';
import { command, flag, showWarnings } from '../../../command/command.ts';
import { LanyardError } from '../../../errors.ts';
import { textResult } from '../../../output/document.ts';
import { mountFlag } from '../lib/mount.ts';

export default command({
  description: 'The snapshot must be loaded. It replaces the current CA.',
  examples: ['lanyard ssh ca recover --snapshot 2b5f3a1e'],
  service: 'secrets',
  writes: true,
  flags: { snapshot: flag.required('ID', 'loaded snapshot'), mount: mountFlag },
  async run({ flags }, ctx) {
    const { mount } = flags;
    await ctx.input.confirm(
      `Replace the CA key pair of ${mount}/ with the key pair of snapshot ${flags.snapshot}? This cannot be undone.`,
    );
    const secrets = await ctx.api.secrets();
    const { body } = await secrets
      .recoverCa({ mount, snapshot: flags.snapshot })
      .catch(describeUnsupported(flags.snapshot));
    showWarnings(ctx.output, body);
    return textResult(body ?? null, `Restored the CA of ${mount}/ from snapshot ${flags.snapshot}.`);
  },
});

/** A service without snapshots does not know the method of the request (OpenBao 405). */
const describeUnsupported =
  (snapshot: string) =>
  (error: unknown): never => {
    if (!hasStatus(error, 405)) throw error;
    throw new LanyardError(
      error.kind,
      `cannot recover the CA from snapshot "${snapshot}": the service does not support snapshots`,
      error,
    );
  };
