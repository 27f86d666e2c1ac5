import { isUnknownOtp } from '../../api/conditions/secrets.ts';
import { arg, command, flag, showWarnings } from '../../command/command.ts';
import { describeAs, LanyardError, usage } from '../../errors.ts';
import { fields, good } from '../../output/document.ts';
import { mountFlag } from './lib/mount.ts';
import { type VerifiedLogin, verifyPam } from './lib/pam-verify.ts';

export default command({
  description:
    'Requires no token; prompts for the password if SRC is omitted. With --pam it serves pam_exec: reads the password from standard input and exits with 0 only if it is for PAM_USER and an address of this host.',
  examples: ['lanyard ssh verify - < otp.txt', 'lanyard ssh verify env://OTP'],
  service: 'secrets',
  writes: true,
  args: {
    otp: arg.optional('SRC', 'source of the password: -, @FILE or env://NAME', { completes: 'file' }),
  },
  flags: {
    pam: flag.boolean('verify for pam_exec: exit code 0 accepts, 1 rejects'),
    ip: flag.list('IP,IP', 'with --pam: additional addresses of this host (NAT)'),
    allowedCidr: flag.list('CIDR,CIDR', 'with --pam: blocks of additional addresses'),
    mount: mountFlag,
  },
  async run({ args, flags }, ctx) {
    const verify = async (otp: string) => {
      const secrets = await ctx.api.secrets();
      const { body } = await secrets.verifyOtp({ mount: flags.mount, otp }).catch(describeInvalidPassword);
      showWarnings(ctx.output, body);
      checkUser(body.data);
      return body;
    };
    if (flags.pam) {
      if (args.otp !== undefined) throw usage('--pam reads the password from standard input only');
      return { exitCode: await verifyPam(flags, ctx, async (otp) => (await verify(otp)).data) };
    }
    if (flags.ip || flags.allowedCidr) throw usage('--ip and --allowed-cidr require --pam');
    const body = await verify(await ctx.input.readSecret(args.otp, 'one-time password'));
    return {
      data: body,
      payload: body.data,
      document: [
        fields([
          ['password', [good('valid'), ', now used']],
          ['user', body.data.username ?? ''],
          ['address', body.data.ip ?? ''],
        ]),
      ],
    };
  },
});

/** Rejects a response without a user: to the service's own test text, or incomplete. */
function checkUser(login: VerifiedLogin & { readonly message?: string | undefined }): void {
  const { ip, username, message } = login;
  if (username) return;
  if (message !== undefined && ip === undefined)
    throw new LanyardError('forbidden', 'the text is not a one-time password', { service: 'secrets' });
  throw new LanyardError('unknown', 'verify OTP: outcome unknown: the response has no user', {
    service: 'secrets',
    details: ['The one-time password may be used already.'],
    hint: 'Do not accept this login. Run `lanyard ssh creds` to generate a new password.',
  });
}

/** Services respond with 400 for an unknown or used password; the error is "forbidden". */
const describeInvalidPassword = describeAs(
  isUnknownOtp,
  'forbidden',
  'invalid one-time password: unknown or already used',
  { hint: undefined, retryable: false },
);
