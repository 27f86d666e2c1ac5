import { command, showWarnings } from '../../command/command.ts';
import { confirmWrite } from '../../errors.ts';
import { code, textResult } from '../../output/document.ts';
import { mountFlag, pathArg } from './lib/secret-path.ts';
import { checkAllVersions, checkVersions, selectVersions, versionsFlag } from './lib/secret-versions.ts';

export default command({
  description: 'Removes the data of versions permanently; their metadata is kept.',
  examples: ['lanyard kv destroy secret/app/db --versions 1,2'],
  service: 'secrets',
  writes: 'after reads',
  args: { path: pathArg },
  flags: { versions: versionsFlag, mount: mountFlag },
  async run({ args, flags }, ctx) {
    const selected = await selectVersions(args.path, flags, ctx);
    const { secrets, secretPath, versions, request, name, these } = selected;
    await ctx.input.confirm(`Destroy ${these}${name}? This cannot be undone.`);
    const response = await confirmWrite(
      () => secrets.destroyKv(request),
      () => checkAllVersions(secrets, secretPath, versions, ({ destroyed }) => destroyed),
    );
    showWarnings(ctx.output, response?.body);
    const end = await checkVersions(secrets, secretPath, { versions, expectsLive: false });
    return textResult(response?.body ?? null, `Destroyed ${these}`, code(name), `${end}.`);
  },
});
