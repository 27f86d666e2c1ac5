import { command, passWarnings } from '../../command.ts';
import { isNothing, notFound } from '../../errors.ts';
import { isServiceWide } from '../../wire/service-wide.ts';
import { maskSecrets } from './mask.ts';
import { pathArg, warningsIn, withQuery } from './shared.ts';
import { answerView, meant } from './views.ts';

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
    const target = withQuery(args.path);
    try {
      const { body } = isServiceWide(target.path)
        ? await secrets.readServiceWide(target)
        : await secrets.read(target);
      passWarnings(ctx.io, warningsIn(body));
      maskSecrets(ctx.io, body);
      return { data: body, payload: meant(body), document: answerView(body) };
    } catch (error) {
      if (!isNothing(error)) throw error;
      throw notFound(`${args.path} not found`, { service: 'secrets', status: 404 });
    }
  },
});
