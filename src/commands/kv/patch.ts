import { arg, command, passWarnings } from '../../command.ts';
import { settle } from '../../errors.ts';
import { same } from '../../output/changes.ts';
import { missing, mountFlag, pathArg, versionedAt } from './place.ts';
import { casFlag, inFlag, look, pairsFrom, patched, wrote } from './values.ts';

export default command({
  description:
    'Updates the given keys and keeps the others; version 2 only. In the JSON of --in, null removes a key and an object is merged. Give secret values as K=@FILE (exact content) or K=- (standard input without its last line break).',
  examples: [
    'lanyard kv patch secret/app/db password=- < password.txt',
    'echo \'{"old": null}\' | lanyard kv patch secret/app/db --in - --cas 3',
  ],
  service: 'secrets',
  writes: true,
  readsFirst: true,
  args: { path: pathArg, pairs: arg.pairs('keys to update; the values are strings') },
  flags: { in: inFlag, cas: casFlag, mount: mountFlag },
  async run({ args, flags }, ctx) {
    const pairs = await pairsFrom(args.pairs, flags.in, ctx);
    const secrets = await ctx.api.secrets();
    const place = await versionedAt(secrets, args.path, flags.mount);
    const { mount, path } = place;
    const options = flags.cas === undefined ? {} : { cas: flags.cas };
    const answer = await settle(
      () => secrets.patchKv({ mount, path, data: pairs, options }).catch(missing(place)),
      () => look(secrets, place, (stored) => same(stored, patched({ ...stored }, { ...pairs }))),
    );
    if (!answer) ctx.io.warn('the response was lost, but the secret was written');
    passWarnings(ctx.io, answer?.body);
    return wrote(place, answer?.body);
  },
});
