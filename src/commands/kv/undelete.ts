import { command, showWarnings } from '../../command/command.ts';
import { confirmWrite } from '../../errors.ts';
import { code, textResult } from '../../output/document.ts';
import { mountFlag, pathArg } from './lib/secret-path.ts';
import { checkAllVersions, checkVersions, selectVersions, versionsFlag } from './lib/secret-versions.ts';

export default command({
  description: 'Destroyed versions cannot be restored.',
  examples: ['lanyard kv undelete secret/app/db --versions 3'],
  service: 'secrets',
  writes: 'after reads',
  args: { path: pathArg },
  flags: { versions: versionsFlag, mount: mountFlag },
  async run({ args, flags }, ctx) {
    const selected = await selectVersions(args.path, flags, ctx);
    const { secrets, secretPath, versions, request, name, these } = selected;
    const response = await confirmWrite(
      () => secrets.undeleteKv(request),
      () => checkAllVersions(secrets, secretPath, versions, ({ deletion_time }) => deletion_time === ''),
    );
    showWarnings(ctx.output, response?.body);
    const end = await checkVersions(secrets, secretPath, { versions, expectsLive: true });
    return textResult(response?.body ?? null, `Undeleted ${these}`, code(name), `${end}.`);
  },
});
