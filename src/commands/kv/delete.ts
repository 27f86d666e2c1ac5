import { removedVersion } from '../../api/conditions/secrets.ts';
import { command, showWarnings } from '../../command/command.ts';
import { confirmWrite, isEmptyListError } from '../../errors.ts';
import { code, text, textResult } from '../../output/document.ts';
import { mountFlag, pathArg, rejectVersion1, requireSecret, version1Path } from './lib/secret-path.ts';
import { checkAllVersions, checkVersions, versionsFlag } from './lib/secret-versions.ts';

export default command({
  description:
    'Version 2: without --versions, the latest version is deleted; "kv undelete" restores versions. Version 1: deletes the secret permanently.',
  examples: ['lanyard kv delete secret/app/db', 'lanyard kv delete secret/app/db --versions 2,3'],
  service: 'secrets',
  writes: 'after reads',
  args: { path: pathArg },
  flags: { versions: versionsFlag, mount: mountFlag },
  async run({ args, flags }, ctx) {
    const secrets = await ctx.api.secrets();
    const secretPath = await requireSecret(secrets, args.path, flags.mount);
    const { mount, path, name } = secretPath;
    const { versions } = flags;
    if (secretPath.version === 1) {
      if (versions) rejectVersion1(secretPath);
      await ctx.input.confirm(`Delete ${name}? This cannot be undone.`);
      const response = await confirmWrite(
        () => secrets.remove({ path: version1Path(secretPath) }),
        () => describeDeleted(secrets.readKv1({ path: version1Path(secretPath) })),
      );
      showWarnings(ctx.output, response?.body);
      return textResult(response?.body ?? null, 'Deleted ', code(name), ', if it existed.');
    }
    const response = await confirmWrite(
      () =>
        versions ? secrets.deleteKvVersions({ mount, path, versions }) : secrets.deleteKv({ mount, path }),
      () =>
        versions
          ? checkAllVersions(secrets, secretPath, versions, ({ deletion_time }) => deletion_time !== '')
          : describeDeleted(secrets.readKv({ mount, path })),
    );
    showWarnings(ctx.output, response?.body);
    // After a lost response, the secret was already checked.
    const end =
      response || versions ? await checkVersions(secrets, secretPath, { versions, expectsLive: true }) : '';
    const what = versions ? `Deleted version ${versions.join(', ')} of ` : 'Deleted the latest version of ';
    return {
      data: response?.body ?? null,
      document: [text(what, code(name), `${end}. To restore it, run "lanyard kv undelete".`)],
    };
  },
});

async function describeDeleted(
  reading: Promise<unknown>,
): Promise<{ readonly done: boolean; readonly found: string }> {
  try {
    await reading;
    return { done: false, found: 'the secret still exists' };
  } catch (error) {
    if (isEmptyListError(error) || removedVersion(error))
      return { done: true, found: 'the secret does not exist' };
    throw error;
  }
}
