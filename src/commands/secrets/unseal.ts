import type { SecretsClient } from '../../api/secrets.ts';
import { arg, command, flag } from '../../command/command.ts';
import { confirmWrite, conflict, LanyardError, usage } from '../../errors.ts';
import { sealResult } from './lib/seal-status.ts';

export default command({
  description:
    'Requires no token; prompts for the key if SRC is omitted. Run it once per key until the threshold is reached; a repeated key counts once. Keys are not accepted on the command line.',
  examples: [
    'lanyard secrets unseal',
    'lanyard secrets unseal env://UNSEAL_KEY',
    'lanyard secrets unseal --reset',
  ],
  service: 'secrets',
  writes: 'after reads',
  args: {
    key: arg.optional('SRC', 'source of the unseal key: -, @FILE or env://NAME', { completes: 'file' }),
  },
  flags: {
    reset: flag.boolean('discard the keys provided so far'),
    nonce: flag.name('NONCE', 'fail unless the current attempt has this nonce, as shown with its progress'),
  },
  async run({ args, flags }, ctx) {
    if (flags.reset && args.key !== undefined) throw usage('--reset cannot be combined with a key');
    const secrets = await ctx.api.secrets();
    const { body: before } = await secrets.checkSeal({});
    if (before.initialized === false)
      throw new LanyardError('unavailable', 'cannot unseal the secrets service: not initialized', {
        service: 'secrets',
        hint: 'Run `lanyard secrets init` to initialize it.',
      });
    if (!before.sealed) return sealResult(before);
    checkNonce(flags.nonce, before);
    const request = flags.reset
      ? { reset: true }
      : { key: await ctx.input.readSecret(args.key, 'unseal key') };
    const response = await confirmWrite(
      () => secrets.unseal(request),
      () => checkProgress(secrets, flags.reset),
    );
    if (!response) ctx.output.warn('the response was lost, but the request took effect');
    return sealResult((response ?? (await secrets.sealStatus({}))).body);
  },
});

/** @throws LanyardError conflict: the attempt in progress is another one. */
function checkNonce(
  nonce: string | undefined,
  current: { readonly nonce?: string | undefined; readonly progress: number },
): void {
  if (nonce === undefined || current.nonce === nonce) return;
  const state =
    current.progress === 0 ? 'no attempt is in progress' : `the current attempt has nonce "${current.nonce}"`;
  throw conflict(`cannot unseal the secrets service: ${state}`, {
    service: 'secrets',
    hint: 'Run `lanyard secrets unseal` without --nonce to take part in the current attempt, or with --reset to discard it.',
  });
}

/** The state after a lost response. Progress may come from another client, so only its end is certain. */
async function checkProgress(secrets: SecretsClient, isReset: boolean) {
  const { sealed, progress, t } = (await secrets.sealStatus({})).body;
  return {
    done: isReset ? progress === 0 : !sealed,
    found: `the service is sealed, ${progress} of ${t} keys provided; a key that is given again counts once`,
  };
}
