import { arg, command, flag, showWarnings } from '../../command/command.ts';
import { confirmWrite, usage } from '../../errors.ts';
import { formatJson } from '../../wire/json.ts';
import { receivedSecrets } from '../../wire/received-secrets.ts';
import { isServiceWide } from '../../wire/services.ts';
import { checkWritten } from './lib/check-written.ts';
import { pathArg, rejectQuery } from './lib/path-query.ts';
import { doneView, payloadOf } from './lib/views.ts';
import { wrapInfoOf, wrapTtlFlag, wrapTtlOf, wrapView } from './lib/wrapping.ts';

export default command({
  description:
    'Sends the fields as a JSON object, empty without any. Give secret values as K=@FILE (exact content) or K=- (standard input without its last line break), because other users and the shell history can see the command line.',
  examples: [
    'lanyard secrets write ssh/roles/deploy key_type=ca allow_user_certificates=true allowed_users=ubuntu',
    'lanyard secrets write auth/userpass/users/bob password=- policies=ops < password.txt',
    'lanyard secrets write sys/mounts/kv --in mount.json',
    'lanyard secrets write sys/wrapping/wrap password=@password.txt --wrap-ttl 10m',
  ],
  service: 'secrets',
  writes: true,
  changes: ['secrets'],
  args: { path: pathArg, members: arg.pairs('fields; the values are strings') },
  flags: { in: flag.file('FILE|-', 'fields as a JSON object; - for standard input'), ...wrapTtlFlag },
  async run({ args, flags }, ctx) {
    const { path } = args;
    const wrapTtl = wrapTtlOf(flags);
    rejectQuery('POST', path);
    if (wrapTtl !== undefined && isServiceWide(path))
      throw usage(`--wrap-ttl is not supported by ${path}: its responses are never wrapped`);
    const members = await ctx.input.readJsonObject({ pairs: args.members, file: flags.in });
    const secrets = await ctx.api.secrets();
    const request = { path, wrapTtl, content: formatJson(members) };
    // Values that are not on the command line are never shown.
    const isSecret = flags.in !== undefined || args.members.some((member) => member.isSource);
    const response = await confirmWrite(
      () =>
        isServiceWide(path)
          ? secrets.writeServiceWide(request)
          : isSecret
            ? secrets.writeSecret(request)
            : secrets.write(request),
      () => checkWritten(secrets, path, members),
    );
    if (!response) ctx.output.warn('the response was lost, but the fields were written');
    const wrap = wrapInfoOf(response?.body);
    if (response && wrapTtl !== undefined && !wrap)
      ctx.output.warn('the response has no content, so that nothing was wrapped');
    for (const text of receivedSecrets(response?.body)) ctx.output.mask(text);
    showWarnings(ctx.output, response?.body);
    return {
      data: response?.body ?? null,
      payload: payloadOf(response?.body) ?? null,
      document: wrap ? wrapView(wrap) : doneView(response?.body, 'Wrote to', path),
    };
  },
});
