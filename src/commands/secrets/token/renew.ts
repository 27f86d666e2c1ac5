import type { SecretsClient } from '../../../api/secrets.ts';
import { command, flag, showWarnings } from '../../../command/command.ts';
import {
  accessorFlag,
  authView,
  describeMissingToken,
  describeNotRenewable,
  readSubject,
  type TokenSubject,
  tokenArg,
} from '../lib/tokens.ts';

export default command({
  description:
    'Without SRC, the configured token is renewed. The service may grant less than --increment, and nothing beyond the maximum lifetime.',
  examples: [
    'lanyard secrets token renew',
    'lanyard secrets token renew --increment 2h',
    'lanyard secrets token renew --accessor "$ACCESSOR"',
  ],
  service: 'secrets',
  writes: true,
  args: { token: tokenArg },
  flags: {
    ...accessorFlag,
    increment: flag.duration('requested lifetime from now (default: set by the token)'),
  },
  async run({ args, flags }, ctx) {
    const subject = await readSubject(args.token, flags.accessor, ctx);
    const { body } = await renew(await ctx.api.secrets(), subject, flags.increment)
      .catch(describeMissingToken)
      .catch(describeNotRenewable);
    showWarnings(ctx.output, body);
    const { client_token: _token, ...auth } = body.auth;
    return { data: auth, document: authView(auth) };
  },
});

function renew(secrets: SecretsClient, subject: TokenSubject, increment: string | undefined) {
  if (subject.kind === 'self') return secrets.renewSelf({ increment });
  return subject.kind === 'token'
    ? secrets.renewToken({ token: subject.token, increment })
    : secrets.renewAccessor({ accessor: subject.accessor, increment });
}
