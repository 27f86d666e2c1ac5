import type { BoxClient } from '../../../api/box.ts';
import { command, flag } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { storedLine } from '../../../command/login-lines.ts';
import { LanyardError } from '../../../errors.ts';
import { raw, text } from '../../../output/document.ts';
import {
  describeRejectedLogin,
  loginFlag,
  passwordFlag,
  readCredentials,
} from '../lib/token/credential-flags.ts';

export default command({
  description:
    'Stores the token with the profile, in the keyring or a file of mode 0600, and replaces an existing one. Missing values are prompted for, including the code if the account uses two-factor authentication.',
  examples: [
    'lanyard box token create --login dev',
    'lanyard box token create --login dev --password env://BOX_PASSWORD --description "build server" --no-store',
  ],
  service: 'box',
  writes: true,
  changes: ['profiles', 'tokens'],
  flags: {
    login: loginFlag,
    password: passwordFlag,
    code: flag.source('source of the two-factor code'),
    description: flag.text('TEXT', 'description of the token'),
    noStore: flag.boolean('print the token instead of storing it'),
  },
  async run({ flags }, ctx) {
    // Before any prompt or request: no token is created that cannot be stored.
    const location = flags.noStore
      ? undefined
      : await ctx.profile.tokens.locate('box', '--no-store prints the token instead');
    const user = await readCredentials(flags, ctx);
    const given =
      flags.code === undefined ? undefined : await ctx.input.readSecret(flags.code, 'two-factor code');
    const token = flags.description === undefined ? {} : { token: { description: flags.description } };
    const made = await createWithSecondFactor(await ctx.api.box(), { ...token, user }, given, ctx);
    ctx.output.mask(made.token);
    if (location === undefined) return { data: made, document: [raw(`${made.token}\n`)] };
    const storage = await ctx.profile.tokens.store(location, made.token, {
      command: 'box token create',
      flags: { login: user.login, password: flags.password },
      sources: ['password'],
    });
    return {
      data: {
        profile: location.profile,
        stored: storage,
        login: user.login,
        description: made.description ?? null,
        createdAt: made.created_at ?? null,
      },
      document: [text(`Logged in as ${user.login}.`), storedLine(location.profile, storage)],
    };
  },
});

type Wanted = Omit<Parameters<BoxClient['createToken']>[0], 'two_factor'>;

/** Creates the token; a required code that was not given is prompted for on a terminal. */
async function createWithSecondFactor(
  box: BoxClient,
  desired: Wanted,
  given: string | undefined,
  ctx: Context,
) {
  const make = async (code: string | undefined) => {
    const two_factor = code === undefined ? {} : { two_factor: { code } };
    const what = code === undefined ? 'the login or password' : 'the login, password or code';
    return (await box.createToken({ ...desired, ...two_factor }).catch(describeRejectedLogin(what))).body;
  };
  try {
    return await make(given);
  } catch (error) {
    if (!(error instanceof LanyardError) || error.status !== 406) throw error;
    const { methods, preferred } = codeDelivery(error);
    if (given !== undefined || !ctx.input.isInteractive()) throw codeRequiredError(error, methods);
    if (preferred === 'sms') {
      const { body } = await box.requestCode({
        two_factor: { delivery_method: preferred },
        user: desired.user,
      });
      ctx.output.noteNow(
        `sent a code to ${body.two_factor.obfuscated_destination ?? 'the phone number of the account'}`,
      );
    }
    return make(await ctx.input.askSecret('two-factor code: '));
  }
}

/** The delivery methods of codes for the account, from the error response. */
function codeDelivery(error: LanyardError) {
  const body = 'body' in error ? (error.body as { two_factor?: unknown } | null | undefined) : undefined;
  const fields = (body?.two_factor ?? {}) as {
    readonly delivery_methods?: unknown;
    readonly default_delivery_method?: unknown;
  };
  return {
    methods: Array.isArray(fields.delivery_methods) ? fields.delivery_methods.map(String) : [],
    preferred:
      typeof fields.default_delivery_method === 'string' ? fields.default_delivery_method : undefined,
  };
}

const codeRequiredError = (error: LanyardError, methods: readonly string[]): LanyardError =>
  new LanyardError('unauthenticated', 'cannot log in: a two-factor code is required (406)', {
    ...error,
    details: [...error.details, ...(methods.length === 0 ? [] : [`Delivery methods: ${methods.join(', ')}`])],
    hint: 'Run `lanyard box request-code` to get a code, and pass it with --code.',
  });
