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
    'Sends the members as a JSON object; without any, an empty one. Other users and the shell’s history see the command line: give a secret value as K=@FILE (the file exactly) or K=- (standard input, without one line break at its end), or all members as JSON with --in.',
  examples: [
    'lanyard secrets write ssh/roles/deploy key_type=ca allow_user_certificates=true allowed_users=ubuntu',
    'lanyard secrets write auth/userpass/users/bob password=- policies=ops < password.txt',
    'lanyard secrets write sys/mounts/kv --in mount.json',
  ],
  service: 'secrets',
  writes: true,
  args: { path: pathArg, members: arg.pairs('the members; the values are text') },
  flags: {
    in: flag.text('FILE|-', 'the members as a JSON object; - is standard input', { completes: 'file' }),
  },
  async run({ args, flags }, ctx) {
    const { path } = args;
    refuseQuery('POST', path);
    const members = await ctx.members({ pairs: args.members, file: flags.in });
    const secrets = await ctx.api.secrets();
    const request = { path, content: formatJson(members) };
    // What did not stand on the command line is not to be shown, whatever its name.
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
    if (!answer) ctx.io.warn('the answer was lost, but what was written is there now');
    passWarnings(ctx.io, answer?.body);
    maskSecrets(ctx.io, answer?.body);
    return {
      data: answer?.body ?? null,
      payload: meant(answer?.body) ?? null,
      document: doneView(answer?.body, 'Wrote to', path),
    };
  },
});

/** Is every member there that was written? Many paths give back something else, or nothing. */
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
    return { done, found: 'what is there now is not the same' };
  } catch (error) {
    if (isNothing(error)) return { done: false, found: 'there is nothing' };
    throw error;
  }
}
