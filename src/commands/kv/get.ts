import { command, flag, showWarnings } from '../../cli/command.ts';
import { usage } from '../../errors.ts';
import type { Result } from '../../output/result.ts';
import { maskValues } from './lib/pairs.ts';
import { describeMissingSecret, mountFlag, pathArg, requireSecret, version1Path } from './lib/secret-path.ts';
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
  ],
  service: 'secrets',
  args: { path: pathArg },
  flags: { version: flag.integer('N', 'version to read (default: latest)'), mount: mountFlag },
  async run({ args, flags }, ctx) {
    const secrets = await ctx.api.secrets();
    const secretPath = await requireSecret(secrets, args.path, flags.mount);
    if (secretPath.version === 1) {
      if (flags.version !== undefined)
        throw usage(`--version is not supported by ${secretPath.mount}/, a key-value engine of version 1`);
      const { body } = await secrets
        .readKv1({ path: version1Path(secretPath) })
        .catch(describeMissingSecret(secretPath));
      showWarnings(ctx.output, body);
      maskValues(ctx.output, body.data);
      return displayedData(body, body.data);
    }
    const { mount, path } = secretPath;
    const { version } = flags;
    const { body } = await secrets
      .readKv({ mount, path, version })
      .catch(
        version === undefined
          ? describeMissingSecret(secretPath)
          : describeMissingVersion(secrets, secretPath, version),
      );
    showWarnings(ctx.output, body);
    const pairs = body.data.data;
    if (pairs === null) return { data: body, payload: null, document: noDataView(body.data.metadata) };
    maskValues(ctx.output, pairs);
    return displayedData(body, pairs);
  },
});

const displayedData = (data: unknown, pairs: Readonly<Record<string, unknown>>): Result => ({
  data,
  payload: pairs,
  payloadFirst: true,
  document: pairsView(pairs),
});
