import { arg, command, flag } from '../../../command/command.ts';
import { LanyardError } from '../../../errors.ts';
import { keepRenewed } from '../lib/renewal.ts';
import { describeNotRenewable, lookUp } from '../lib/tokens.ts';

export default command({
  description:
    'Renews the configured token until the command ends, and returns its exit code. A token that can no longer be renewed is reported, and the command continues. Nothing is run if the token cannot be renewed at the start; a token that does not expire needs no renewal.',
  examples: [
    'lanyard secrets token keep-alive -- ./import-all',
    'lanyard secrets token keep-alive --increment 1h -- ./import-all',
  ],
  service: 'secrets',
  handlesSignals: true,
  hasNoResult: true,
  changes: ['secrets token'],
  args: { command: arg.rest('COMMAND', 'command and arguments, after --', 1, { completes: 'command' }) },
  flags: { increment: flag.duration('requested lifetime of each renewal (default: set by the token)') },
  async run({ args, flags: { increment } }, ctx) {
    const [name = '', ...rest] = args.command;
    const secrets = await ctx.api.secrets();
    const token = await lookUp(secrets, { kind: 'self' });
    const expires = (token.ttl ?? 0) > 0;
    const renew = async () => (await secrets.renewSelf({ increment })).body.auth;
    if (expires && token.renewable === false)
      throw new LanyardError('failure', 'cannot keep the token alive: not renewable', {
        service: 'secrets',
        hint: 'Batch tokens and tokens with --not-renewable cannot be renewed. Nothing was run.',
      });
    const first = expires ? await renew().catch(describeNotRenewable) : undefined;
    const ended = new AbortController();
    const renewing = first && keepRenewed(first.lease_duration, { renew, ended: ended.signal }, ctx);
    try {
      return { exitCode: await ctx.system.runChild({ command: name, args: rest }) };
    } finally {
      ended.abort();
      await renewing;
    }
  },
});
