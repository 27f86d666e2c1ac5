import { arg, command, passWarnings } from '../../command.ts';
import { settle } from '../../errors.ts';
import { same } from '../../output/changes.ts';
import { missing, mountFlag, pathArg, versionedAt } from './place.ts';
import { casFlag, inFlag, look, pairsFrom, patched, wrote } from './values.ts';

export default command({
  description:
    'The pairs that are named change, the others stay. In the JSON of --in, null takes a pair away and an object changes the members that it names. Of K=@FILE the value is the file exactly, of K=- standard input without one line break at its end. Version 2 only.',
  examples: [
    'lanyard kv patch secret/app/db password=- < password.txt',
    'echo \'{"old": null}\' | lanyard kv patch secret/app/db --in - --cas 3',
  ],
  service: 'secrets',
  writes: true,
  readsFirst: true,
  args: { path: pathArg, pairs: arg.pairs('the pairs that change; the values are text') },
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
    if (!answer) ctx.io.warn('the answer was lost, but the service has these pairs now');
    passWarnings(ctx.io, answer?.body);
    return wrote(place, answer?.body);
  },
});
