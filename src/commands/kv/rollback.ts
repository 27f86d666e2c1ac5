import { removedVersion } from '../../api/conditions/secrets.ts';
import type { SecretsClient } from '../../api/secrets.ts';
import { command, flag, showWarnings } from '../../command/command.ts';
import { confirmWrite, describeAs, LanyardError, notFound, usage } from '../../errors.ts';
import { isEqual } from '../../output/diff.ts';
import { code, text } from '../../output/document.ts';
import { maskValues } from './lib/mask-values.ts';
import { checkWritten } from './lib/pairs.ts';
import {
  describeMissingSecret,
  mountFlag,
  pathArg,
  requireVersionedSecret,
  type SecretPath,
} from './lib/secret-path.ts';
import type { Pairs } from './lib/secret-state.ts';
import { describeMissingVersion } from './lib/secret-versions.ts';

export default command({
  description:
    'The data becomes a new version; no version is removed. Deleted and destroyed versions are rejected. Nothing is written if the secret changes meanwhile (check-and-set), or if --version is the current version.',
  examples: [
    'lanyard kv rollback secret/app/db --version 1',
    'lanyard kv rollback --mount secret app/db --version 1',
  ],
  service: 'secrets',
  writes: 'after reads',
  args: { path: pathArg },
  flags: { version: flag.integer('N', 'version whose data to write (required)'), mount: mountFlag },
  async run({ args, flags }, ctx) {
    const { version } = flags;
    if (version === undefined)
      throw usage('missing flag --version', {
        hint: `Run \`lanyard kv metadata get ${args.path}\` for the existing versions.`,
      });
    if (version < 1) throw usage(`invalid --version ${version}: expected a version number such as 1`);
    const secrets = await ctx.api.secrets();
    const secretPath = await requireVersionedSecret(secrets, args.path, flags.mount);
    const { mount, path, name } = secretPath;
    const current = await readCurrentVersion(secrets, secretPath);
    const { body: read } = await secrets
      .readKv({ mount, path, version })
      .catch(describeMissingVersion(secrets, secretPath, version));
    showWarnings(ctx.output, read);
    if (current === version)
      return {
        data: null,
        document: [
          text(`Version ${version} of `, code(name), ' is the current version; nothing was written.'),
        ],
      };
    if (read.data.data === null)
      throw notFound(`cannot roll back secret "${name}": version ${version} has no data (null)`, {
        service: 'secrets',
      });
    const data = read.data.data as Pairs;
    maskValues(ctx.output, data);
    const response = await confirmWrite(
      () =>
        secrets
          .writeKv({ mount, path, data, options: { cas: current } })
          .catch(describeConflict(name, current)),
      () =>
        checkWritten(
          secrets,
          secretPath,
          (stored, number) => number === current + 1 && isEqual(stored, data),
        ),
    );
    if (!response) ctx.output.warn('the response was lost, but the secret was written');
    showWarnings(ctx.output, response?.body);
    const written = response?.body.data.version ?? current + 1;
    return {
      data: response?.body ?? null,
      payload: response?.body.data ?? null,
      document: [text(`Rolled back `, code(name), ` to version ${version}, written as version ${written}.`)],
    };
  },
});

/** The number of the latest version, also if it is deleted. @throws LanyardError not found. */
async function readCurrentVersion(secrets: SecretsClient, secretPath: SecretPath): Promise<number> {
  const { mount, path } = secretPath;
  try {
    return (await secrets.readKv({ mount, path })).body.data.metadata.version;
  } catch (error) {
    return removedVersion(error)?.version ?? describeMissingSecret(secretPath)(error);
  }
}

const describeConflict = (name: string, current: number) =>
  describeAs(
    (error) => error instanceof LanyardError && error.kind === 'conflict',
    'conflict',
    `cannot roll back secret "${name}": changed concurrently; nothing was written`,
    { hint: `The current version is no longer ${current}. Run \`lanyard kv metadata get ${name}\`.` },
  );
