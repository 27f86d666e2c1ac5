import type { SecretsClient } from '../../api/secrets.ts';
import { arg, command, flag, passWarnings } from '../../command.ts';
import { isNothing, settle } from '../../errors.ts';
import { formatJson } from '../../wire/json.ts';
import { isServiceWide } from '../../wire/service-wide.ts';
import { maskSecrets } from './mask.ts';
import { pathArg, refuseQuery } from './shared.ts';
import { doneView, meant } from './views.ts';

export default command({
  description:
    'Sends the fields as a JSON object, empty without any. Give secret values as K=@FILE (exact content) or K=- (standard input without its last line break), because other users and the shell history can see the command line.',
  examples: [
    'lanyard secrets write ssh/roles/deploy key_type=ca allow_user_certificates=true allowed_users=ubuntu',
    'lanyard secrets write auth/userpass/users/bob password=- policies=ops < password.txt',
    'lanyard secrets write sys/mounts/kv --in mount.json',
  ],
  service: 'secrets',
  writes: true,
  args: { path: pathArg, members: arg.pairs('fields; the values are strings') },
  flags: {
    in: flag.text('FILE|-', 'fields as a JSON object; - for standard input', { completes: 'file' }),
  },
  async run({ args, flags }, ctx) {
    const { path } = args;
    refuseQuery('POST', path);
    const members = await ctx.members({ pairs: args.members, file: flags.in });
    const secrets = await ctx.api.secrets();
    const request = { path, content: formatJson(members) };
    // Values that are not on the command line are never shown.
    const isSecret = flags.in !== undefined || args.members.some((member) => member.isSource);
    const answer = await settle(
      () =>
        isServiceWide(path)
          ? secrets.writeServiceWide(request)
          : isSecret
            ? secrets.writeSecret(request)
            : secrets.write(request),
      () => look(secrets, path, members),
    );
    if (!answer) ctx.io.warn('the response was lost, but the fields were written');
    passWarnings(ctx.io, answer?.body);
    maskSecrets(ctx.io, answer?.body);
    return {
      data: answer?.body ?? null,
      payload: meant(answer?.body) ?? null,
      document: doneView(answer?.body, 'Wrote to', path),
    };
  },
});

/** Whether every written field is stored. Many paths return other fields, or none. */
async function look(secrets: SecretsClient, path: string, members: Readonly<Record<string, unknown>>) {
  try {
    const there = meant((await secrets.read({ path })).body);
    const done =
      Object.keys(members).length > 0 &&
      Object.entries(members).every(
        ([name, value]) =>
          typeof there === 'object' &&
          there !== null &&
          formatJson(there[name as keyof typeof there]) === formatJson(value),
      );
    return { done, found: 'the stored fields differ' };
  } catch (error) {
    if (isNothing(error)) return { done: false, found: 'the path does not exist' };
    throw error;
  }
}
