import { command, flag, showWarnings } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { isWatching, watchFlags } from '../../command/watch-flags.ts';
import { usage } from '../../errors.ts';
import type { Result } from '../../output/result.ts';
import { showChanges } from '../../watch/show-changes.ts';
import { maskValues } from './lib/mask-values.ts';
import { describeMissingSecret, mountFlag, pathArg, requireSecret } from './lib/secret-path.ts';
import { secretSource } from './lib/secret-source.ts';
import { readState, type SecretState } from './lib/secret-state.ts';
import { describeMissingVersion } from './lib/secret-versions.ts';
import { noDataView, pairsView } from './lib/views.ts';

export default command({
  description:
    'Prints the values in plain text. A version 2 engine returns the latest version unless --version is given.',
  examples: [
    'lanyard kv get secret/app/db',
    'lanyard kv get secret/app/db --field password',
    'lanyard kv get secret/app/db --version 2 -o json',
    'lanyard kv get secret/app/db -o env',
    'lanyard kv get secret/app/db --field password --watch',
  ],
  service: 'secrets',
  args: { path: pathArg },
  flags: {
    version: flag.integer('N', 'version to read (default: latest)'),
    mount: mountFlag,
    ...watchFlags,
  },
  async run({ args, flags }, ctx) {
    if (isWatching(flags)) {
      const secrets = await ctx.api.secrets({ retries: 0 });
      const source = secretSource(secrets, { path: args.path, mount: flags.mount, version: flags.version });
      return showChanges(ctx, source, flags, {
        result: (state) => stateResult(state, ctx.output),
        absent: `secret ${args.path} does not exist`,
      });
    }
    const secrets = await ctx.api.secrets();
    const secretPath = await requireSecret(secrets, args.path, flags.mount);
    const { version } = flags;
    if (secretPath.version === 1 && version !== undefined)
      throw usage(`--version is not supported by ${secretPath.mount}/, a key-value engine of version 1`);
    const describeMissing =
      version === undefined
        ? describeMissingSecret(secretPath)
        : describeMissingVersion(secrets, secretPath, version);
    return stateResult(await readState(secrets, secretPath, version).catch(describeMissing), ctx.output);
  },
});

function stateResult(
  { body, pairs, metadata }: SecretState,
  output: Context['output'],
): Result<SecretState['body']> {
  if (pairs !== null) maskValues(output, pairs);
  showWarnings(output, body);
  if (pairs === null) return { data: body, payload: null, document: noDataView(metadata ?? {}) };
  return { data: body, payload: pairs, payloadFirst: true, document: pairsView(pairs) };
}
