import { arg, command, flag, showWarnings } from '../../command/command.ts';
import { confirmWrite, usage } from '../../errors.ts';
import { isEqual } from '../../output/diff.ts';
import { compact } from '../../wire/objects.ts';
import { applyPatch, methodFlag, patchOrRewrite } from './lib/merge-patch.ts';
import { casFlag, checkWritten, inFlag, readPairs, readReplaced, writeResult } from './lib/pairs.ts';
import { describeMissingSecret, mountFlag, pathArg, requireVersionedSecret } from './lib/secret-path.ts';
import { type Pairs, readSecret } from './lib/secret-state.ts';

export default command({
  description:
    'Keeps the other keys; version 2 only. In the JSON of --in, null removes a key and an object is merged. Give secret values as K=@FILE (exact content) or K=- (standard input without its last line break).',
  examples: [
    'lanyard kv patch secret/app/db password=- < password.txt',
    'echo \'{"old": null}\' | lanyard kv patch secret/app/db --in - --cas 3',
    'lanyard kv patch secret/app/db --remove password',
  ],
  service: 'secrets',
  writes: 'after reads',
  args: { path: pathArg, pairs: arg.pairs('keys to update; the values are strings') },
  flags: {
    in: inFlag,
    remove: flag.texts('KEY', 'key to remove; repeatable', { aliases: ['remove-data'] }),
    cas: casFlag,
    method: methodFlag,
    mount: mountFlag,
  },
  async run({ args, flags }, ctx) {
    const updated = await readPairs(args.pairs, flags.in, ctx, flags.remove.length > 0);
    const pairs = withRemovals(updated, flags.remove);
    const secrets = await ctx.api.secrets();
    const secretPath = await requireVersionedSecret(secrets, args.path, flags.mount);
    const { mount, path } = secretPath;
    const before = await readReplaced(secrets, secretPath);
    const rewrite = async () => {
      const current = await readSecret(secrets, secretPath);
      const data = applyPatch({ ...current.pairs }, { ...pairs }) as Pairs;
      return secrets.writeKv({ mount, path, data, options: compact({ cas: flags.cas ?? current.version }) });
    };
    const patch = () =>
      secrets
        .patchKv({ mount, path, data: pairs, options: compact({ cas: flags.cas }) })
        .catch(describeMissingSecret(secretPath));
    const response = await confirmWrite(
      () => patchOrRewrite(flags.method, patch, rewrite),
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

/** The patch that also removes keys. @throws LanyardError usage: a key is both updated and removed. */
function withRemovals(updated: Pairs, removed: readonly string[]): Pairs {
  const both = removed.find((key) => Object.hasOwn(updated, key));
  if (both !== undefined) throw usage(`key "${both}" cannot be both updated and removed`);
  return { ...updated, ...Object.fromEntries(removed.map((key) => [key, null])) };
}
