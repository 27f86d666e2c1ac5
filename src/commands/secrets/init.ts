import { isAlreadyInitialized } from '../../api/conditions/secrets.ts';
import { command, flag } from '../../command/command.ts';
import { conflict, describeAs, LanyardError, usage } from '../../errors.ts';
import { code, fields, strong, text } from '../../output/document.ts';

const maxShares = 255;

export default command({
  description:
    'Generates the unseal keys and a root token, which are shown once and stored nowhere: --out writes them to a new file of mode 0600. The service stays sealed until "lanyard secrets unseal" has as many keys as the threshold.',
  examples: [
    'lanyard secrets init --out init.json -o json',
    'lanyard secrets init --secret-shares 1 --secret-threshold 1',
  ],
  service: 'secrets',
  writes: 'after reads',
  changes: ['secrets'],
  flags: {
    secretShares: flag.integer('N', 'number of unseal keys, 1 to 255 (default 5)', { aliases: ['shares'] }),
    secretThreshold: flag.integer('N', 'number of keys that unseal the service (default 3)', {
      aliases: ['threshold'],
    }),
  },
  async run({ flags }, ctx) {
    const shares = flags.secretShares ?? 5;
    const threshold = flags.secretThreshold ?? Math.min(3, shares);
    checkShares(shares, threshold);
    const secrets = await ctx.api.secrets();
    if ((await secrets.checkInitialized({})).body.initialized) throw alreadyInitialized();
    const { body } = await secrets
      .initialize({ secret_shares: shares, secret_threshold: threshold })
      .catch(describeInitError);
    const keys = body.keys_base64 ?? body.keys;
    for (const secret of [...body.keys, ...keys, body.root_token]) ctx.output.mask(secret);
    return {
      data: body,
      document: [
        fields([
          ...keys.map((key, index) => [`unseal key ${index + 1}`, [strong(key)]] as const),
          ['root token', [strong(body.root_token)]],
        ]),
        text(
          `Keep the keys in different places: without ${threshold === 1 ? 'a key' : `${threshold} of them`} the data cannot be decrypted. Run `,
          code('lanyard secrets unseal'),
          threshold === 1 ? ' to unseal the service.' : ` ${threshold} times, each with another key.`,
        ),
      ],
    };
  },
});

function checkShares(shares: number, threshold: number): void {
  if (shares < 1 || shares > maxShares)
    throw usage(`invalid --secret-shares ${shares}: expected 1 to ${maxShares}`);
  if (threshold < 1 || threshold > shares)
    throw usage(`invalid --secret-threshold ${threshold}: expected 1 to the number of shares (${shares})`);
  if (threshold === 1 && shares > 1)
    throw usage('invalid --secret-threshold 1: expected at least 2 with several shares');
}

const reason = 'cannot initialize the secrets service: already initialized';

const alreadyInitialized = (): LanyardError => conflict(reason, { service: 'secrets' });

/** Another client may have initialized the service since it was checked. */
function describeInitError(error: unknown): never {
  if (error instanceof LanyardError && error.kind === 'unknown')
    throw error.withHint(
      'Run `lanyard secrets status`. If the service is initialized, its keys are lost: delete its data and start again.',
    );
  return describeAs(isAlreadyInitialized, 'conflict', reason)(error);
}
