import { command, showWarnings } from '../../cli/command.ts';
import { isEmptyListError, notFound } from '../../errors.ts';
import { receivedSecrets } from '../../wire/received-secrets.ts';
import { isServiceWide } from '../../wire/services.ts';
import { parsePathQuery, pathArg, warningsOf } from './lib/path-query.ts';
import { payloadOf, responseView } from './lib/views.ts';

export default command({
  description: 'Prints the data of the response. Use "kv get" for key-value secrets.',
  examples: [
    'lanyard secrets read ssh/roles/deploy',
    'lanyard secrets read sys/mounts -o json',
    "lanyard secrets read 'secret/data/app/db?version=1'",
  ],
  service: 'secrets',
  args: { path: pathArg },
  flags: {},
  async run({ args }, ctx) {
    const secrets = await ctx.api.secrets();
    const target = parsePathQuery(args.path);
    try {
      const { body } = isServiceWide(target.path)
        ? await secrets.readServiceWide(target)
        : await secrets.read(target);
      showWarnings(ctx.output, warningsOf(body));
      for (const text of receivedSecrets(body)) ctx.output.mask(text);
      return { data: body, payload: payloadOf(body), document: responseView(body) };
    } catch (error) {
      if (!isEmptyListError(error)) throw error;
      throw notFound(`${args.path} not found`, { service: 'secrets', status: 404 });
    }
  },
});
