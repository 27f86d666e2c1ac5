import { arg, command, showWarnings } from '../../command/command.ts';
import { confirmWrite } from '../../errors.ts';
import { isEqual } from '../../output/diff.ts';
import {
  applyPatch,
  casFlag,
  checkWritten,
  inFlag,
  readPairs,
  readReplaced,
  writeResult,
} from './lib/pairs.ts';
import { describeMissingSecret, mountFlag, pathArg, requireVersionedSecret } from './lib/secret-path.ts';
import type { Pairs } from './lib/secret-state.ts';

export default command({
  description:
    'Updates the given keys and keeps the others; version 2 only. In the JSON of --in, null removes a key and an object is merged. Give secret values as K=@FILE (exact content) or K=- (standard input without its last line break).',
  examples: [
    'lanyard kv patch secret/app/db password=- < password.txt',
    'echo \'{"old": null}\' | lanyard kv patch secret/app/db --in - --cas 3',
  ],
  service: 'secrets',
  writes: 'after reads',
  args: { path: pathArg, pairs: arg.pairs('keys to update; the values are strings') },
  flags: { in: inFlag, cas: casFlag, mount: mountFlag },
  async run({ args, flags }, ctx) {
    const pairs = await readPairs(args.pairs, flags.in, ctx);
    const secrets = await ctx.api.secrets();
    const secretPath = await requireVersionedSecret(secrets, args.path, flags.mount);
    const { mount, path } = secretPath;
    const options = flags.cas === undefined ? {} : { cas: flags.cas };
    const before = await readReplaced(secrets, secretPath);
    const response = await confirmWrite(
      () => secrets.patchKv({ mount, path, data: pairs, options }).catch(describeMissingSecret(secretPath)),
      () =>
        checkWritten(secrets, secretPath, (stored) =>
          isEqual(stored, applyPatch({ ...stored }, { ...pairs })),
        ),
    );
    if (!response) ctx.output.warn('the response was lost, but the secret was written');
    showWarnings(ctx.output, response?.body);
    const after = applyPatch({ ...before }, { ...pairs }) as Pairs;
    return writeResult(secretPath, response?.body, before, after);
  },
});
