import { command, flag, passWarnings } from '../../command.ts';
import { usage } from '../../errors.ts';
import type { Result } from '../../output/result.ts';
import { missing, mountFlag, pathArg, plainPath, secretAt } from './place.ts';
import { maskValues } from './values.ts';
import { noVersion } from './versions.ts';
import { noDataView, pairsView } from './views.ts';

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
    const place = await secretAt(secrets, args.path, flags.mount);
    if (place.version === 1) {
      if (flags.version !== undefined)
        throw usage(`--version is not supported by ${place.mount}/, a key-value engine of version 1`);
      const { body } = await secrets.readKv1({ path: plainPath(place) }).catch(missing(place));
      passWarnings(ctx.io, body);
      maskValues(ctx.io, body.data);
      return shown(body, body.data);
    }
    const { mount, path } = place;
    const { version } = flags;
    const { body } = await secrets
      .readKv({ mount, path, ...(version === undefined ? {} : { version }) })
      .catch(version === undefined ? missing(place) : noVersion(secrets, place, version));
    passWarnings(ctx.io, body);
    const pairs = body.data.data;
    if (pairs === null) return { data: body, payload: null, document: noDataView(body.data.metadata) };
    maskValues(ctx.io, pairs);
    return shown(body, pairs);
  },
});

const shown = (data: unknown, pairs: Readonly<Record<string, unknown>>): Result => ({
  ...{ data, payload: pairs, payloadFirst: true, document: pairsView(pairs) },
});
