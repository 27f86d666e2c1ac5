import { command, showWarnings } from '../../command/command.ts';
import { isEmptyListError, notFound, usage } from '../../errors.ts';
import { receivedSecrets } from '../../wire/received-secrets.ts';
import { isServiceWide } from '../../wire/services.ts';
import { parsePathQuery, pathArg, warningsOf } from './lib/path-query.ts';
import { payloadOf, responseView } from './lib/views.ts';
import { rejectUnwrapped, wrapInfoOf, wrapTtlFlag, wrapTtlOf, wrapView } from './lib/wrapping.ts';

export default command({
  description:
    'Prints the data of the response. Use "kv get" for key-value secrets. With --wrap-ttl only a wrapping token is shown, for "secrets unwrap".',
  examples: [
    'lanyard secrets read ssh/roles/deploy',
    'lanyard secrets read sys/policies/acl/default -o json',
    "lanyard secrets read 'secret/data/app/db?version=1'",
    'lanyard secrets read secret/data/app/db --wrap-ttl 5m --field token > wrapping-token.txt',
  ],
  service: 'secrets',
  changes: ['secrets'],
  args: { path: pathArg },
  flags: wrapTtlFlag,
  async run({ args, flags }, ctx) {
    const wrapTtl = wrapTtlOf(flags);
    const secrets = await ctx.api.secrets();
    const target = parsePathQuery(args.path);
    if (wrapTtl !== undefined && isServiceWide(target.path))
      throw usage(`--wrap-ttl is not supported by ${target.path}: its responses are never wrapped`);
    try {
      const { body } = isServiceWide(target.path)
        ? await secrets.readServiceWide(target)
        : await secrets.read({ ...target, wrapTtl });
      const wrap = wrapInfoOf(body);
      if (wrapTtl !== undefined && !wrap) throw rejectUnwrapped();
      for (const text of receivedSecrets(body)) ctx.output.mask(text);
      showWarnings(ctx.output, warningsOf(body));
      return { data: body, payload: payloadOf(body), document: wrap ? wrapView(wrap) : responseView(body) };
    } catch (error) {
      if (!isEmptyListError(error)) throw error;
      throw notFound(`path "${args.path}" not found`, { service: 'secrets', status: 404 });
    }
  },
});
