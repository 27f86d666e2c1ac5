import { arg, command, passWarnings } from '../../command.ts';
import { settle, usage } from '../../errors.ts';
import { same } from '../../output/changes.ts';
import { formatJson } from '../../wire/json.ts';
import { mountFlag, pathArg, plainPath, secretAt } from './place.ts';
import { casFlag, inFlag, look, pairsFrom, wrote } from './values.ts';

export default command({
  description:
    'Replaces all keys; "kv patch" updates some. Give secret values as K=@FILE (exact content) or K=- (standard input without its last line break), because other users and the shell history can see the command line.',
  examples: [
    'lanyard kv put secret/app/tls certificate=@tls.crt key=@tls.key',
    'lanyard kv put secret/app/db user=app password=- --cas 0 < password.txt',
    'lanyard kv put secret/app/db --in pairs.json',
  ],
  service: 'secrets',
  writes: true,
  readsFirst: true,
  args: { path: pathArg, pairs: arg.pairs('keys and values; the values are strings') },
  flags: { in: inFlag, cas: casFlag, mount: mountFlag },
  async run({ args, flags }, ctx) {
    const pairs = await pairsFrom(args.pairs, flags.in, ctx);
    const secrets = await ctx.api.secrets();
    const place = await secretAt(secrets, args.path, flags.mount);
    const { mount, path } = place;
    if (place.version === 1 && flags.cas !== undefined)
      throw usage(`--cas is not supported by ${mount}/, a key-value engine of version 1`);
    const options = flags.cas === undefined ? {} : { cas: flags.cas };
    const answer = await settle(
      async () =>
        place.version === 1
          ? secrets.writeSecret({ path: plainPath(place), content: formatJson(pairs) })
          : secrets.writeKv({ mount, path, data: pairs, options }),
      () => look(secrets, place, (stored) => same(stored, pairs)),
    );
    if (!answer) ctx.io.warn('the response was lost, but the secret was written');
    passWarnings(ctx.io, answer?.body);
    return wrote(place, answer?.body);
  },
});
