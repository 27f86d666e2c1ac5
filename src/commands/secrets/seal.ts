import { command } from '../../command/command.ts';
import { confirmWrite } from '../../errors.ts';
import { sealResult } from './lib/seal-status.ts';

export default command({
  description:
    'Removes the decryption key from memory: every request fails until the service is unsealed again. Prompts for confirmation. Requires a token with sudo on sys/seal.',
  examples: ['lanyard secrets seal'],
  service: 'secrets',
  writes: 'after reads',
  async run(_input, ctx) {
    const secrets = await ctx.api.secrets();
    const { body: before } = await secrets.checkSeal({});
    if (before.sealed) return sealResult(before);
    const keys = before.t === 1 ? 'an unseal key is' : `${before.t} unseal keys are`;
    await ctx.input.confirm(`Seal the secrets service? Every request fails until ${keys} provided.`);
    const response = await confirmWrite(
      () => secrets.seal({}),
      async () => ({ done: (await secrets.sealStatus({})).body.sealed, found: 'the service is not sealed' }),
    );
    if (!response) ctx.output.warn('the response was lost, but the service is sealed');
    return sealResult({ ...before, sealed: true, progress: 0, nonce: '' });
  },
});
