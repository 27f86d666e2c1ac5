import { command, showWarnings } from '../../command/command.ts';
import { confirmWrite } from '../../errors.ts';
import { code, text } from '../../output/document.ts';
import { mountFlag, pathArg, requireVersionedSecret } from './lib/secret-path.ts';
import { checkAllVersions, checkVersions, versionsFlag, versionsText } from './lib/secret-versions.ts';

export default command({
  description: 'Destroyed versions cannot be restored.',
  examples: ['lanyard kv undelete secret/app/db --versions 3'],
  service: 'secrets',
  writes: true,
  readsFirst: true,
  args: { path: pathArg },
  flags: { versions: versionsFlag, mount: mountFlag },
  async run({ args, flags }, ctx) {
    const versions = versionsText(flags.versions);
    const secrets = await ctx.api.secrets();
    const secretPath = await requireVersionedSecret(secrets, args.path, flags.mount);
    const { mount, path, name } = secretPath;
    const response = await confirmWrite(
      () => secrets.undeleteKv({ mount, path, versions }),
      () => checkAllVersions(secrets, secretPath, versions, ({ deletion_time }) => deletion_time === ''),
    );
    showWarnings(ctx.output, response?.body);
    const end = await checkVersions(secrets, secretPath, { versions, expectsLive: true });
    return {
      data: response?.body ?? null,
      document: [text(`Undeleted version ${versions.join(', ')} of `, code(name), `${end}.`)],
    };
  },
});
