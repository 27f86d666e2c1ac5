import { isUnknownOtp } from '../../api/conditions.ts';
import { arg, command, flag, passWarnings } from '../../command.ts';
import { LanyardError, usage } from '../../errors.ts';
import { fields, good } from '../../output/document.ts';
import { answerPam, type MadeFor } from './pam.ts';
import { mountFlag, mountOf } from './shared.ts';

export default command({
  description:
    'Uses a one-time password up, as a host does when someone logs in, and says who it was for. No token is needed. Without a source it is asked for. With --pam it is the host that asks, through pam_exec: the password comes on standard input, and the exit code is 0 only when it is for PAM_USER and for an address of this host; the guide docs/guides/one-time-passwords.md has the configuration.',
  examples: ['lanyard ssh verify - < otp.txt', 'lanyard ssh verify env://OTP'],
  service: 'secrets',
  writes: true,
  args: {
    otp: arg.optional('SRC', 'where the password comes from: -, @FILE or env://NAME', { completes: 'file' }),
  },
  flags: {
    pam: flag.boolean('answer pam_exec: exit code 0 lets in, 1 keeps out'),
    ip: flag.list('IP,IP', '--pam: other addresses that are this host’s (behind a NAT)'),
    allowedCidr: flag.list('CIDR,CIDR', '--pam: blocks with such addresses'),
    mount: mountFlag,
  },
  async run({ args, flags }, ctx) {
    const verify = async (otp: string) => {
      const secrets = await ctx.api.secrets();
      const { body } = await secrets.verifyOtp({ mount: mountOf(flags), otp }).catch(notValid);
      passWarnings(ctx.io, body);
      checkUser(body.data);
      return body;
    };
    if (flags.pam) {
      if (args.otp !== undefined)
        throw usage('--pam reads the password from standard input, and nowhere else');
      return { exitCode: await answerPam(flags, ctx, async (otp) => (await verify(otp)).data) };
    }
    if (flags.ip || flags.allowedCidr) throw usage('--ip and --allowed-cidr belong to --pam');
    const body = await verify(await ctx.io.secret(args.otp, 'one-time password'));
    return {
      data: body,
      payload: body.data,
      document: [
        fields([
          ['password', [good('valid'), ', and used up now']],
          ['user', body.data.username ?? ''],
          ['address', body.data.ip ?? ''],
        ]),
      ],
    };
  },
});

/** A response that is not about a user: the one to a test text of the service's own, or one that says nothing. */
function checkUser({ ip, username, message }: MadeFor & { readonly message?: string | undefined }): void {
  if (username) return;
  if (message !== undefined && ip === undefined)
    throw new LanyardError('forbidden', 'the service answers, but that is no one-time password', {
      service: 'secrets',
    });
  throw new LanyardError('unknown', 'verify OTP: outcome unknown: the response names no user', {
    service: 'secrets',
    details: ['The one-time password may be used up.'],
    hint: 'Do not accept this login. Generate a new password with "lanyard ssh creds".',
  });
}

/** A password that is unknown or used up is answered with 400; to a host it means "let nobody in". */
function notValid(error: unknown): never {
  if (!isUnknownOtp(error)) throw error;
  throw new LanyardError('forbidden', 'the one-time password is not valid: unknown, or used before', {
    service: error.service,
    status: error.status,
    details: error.details,
  });
}
