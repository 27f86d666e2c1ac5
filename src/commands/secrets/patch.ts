import { arg, command, flag, showWarnings } from '../../command/command.ts';
import { confirmWrite, usage } from '../../errors.ts';
import { formatJson } from '../../wire/json.ts';
import { receivedSecrets } from '../../wire/received-secrets.ts';
import { checkWritten } from './lib/check-written.ts';
import { pathArg, rejectQuery } from './lib/path-query.ts';
import { doneView, payloadOf } from './lib/views.ts';

export default command({
  description:
    'Changes the given fields and keeps the others, at paths that support it; a field that is null in --in is removed. Give secret values as K=@FILE or K=-, because other users and the shell history can see the command line. Use "kv patch" for key-value secrets.',
  examples: [
    'lanyard secrets patch secret/data/app/db --in patch.json',
    'lanyard secrets patch sys/namespaces/team --in metadata.json --dry-run',
  ],
  service: 'secrets',
  writes: true,
  changes: ['secrets'],
  args: { path: pathArg, members: arg.pairs('fields; the values are strings') },
  flags: { in: flag.file('FILE|-', 'fields as a JSON object; - for standard input') },
  async run({ args, flags }, ctx) {
    const { path } = args;
    rejectQuery('PATCH', path);
    const members = await ctx.input.readJsonObject({ pairs: args.members, file: flags.in });
    if (Object.keys(members).length === 0) throw usage('missing fields: KEY=VALUE or --in is required');
    const secrets = await ctx.api.secrets();
    const request = { path, content: formatJson(members) };
    // Values that are not on the command line are never shown.
    const isSecret = flags.in !== undefined || args.members.some((member) => member.isSource);
    const response = await confirmWrite(
      () => (isSecret ? secrets.patchSecret(request) : secrets.patch(request)),
      () => checkWritten(secrets, path, members),
    );
    if (!response) ctx.output.warn('the response was lost, but the fields were written');
    for (const text of receivedSecrets(response?.body)) ctx.output.mask(text);
    showWarnings(ctx.output, response?.body);
    return {
      data: response?.body ?? null,
      payload: payloadOf(response?.body) ?? null,
      document: doneView(response?.body, 'Patched', path),
    };
  },
});
