import { arg, command } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import {
  currentProfile,
  forEachService,
  type ServiceOutcome,
  selectServices,
} from '../command/each-service.ts';
import { loginCommand } from '../command/remembered-login.ts';
import type { Profile, RememberedLogin } from '../config/profile.ts';
import { usage } from '../errors.ts';
import { formatTimestamp } from '../output/humanize.ts';
import { type ServiceName, serviceNames } from '../wire/services.ts';

export default command({
  description:
    'Repeats the logins that the profile remembers: "secrets login", "acl login", "account login" and "box token create" store method and user name in the profile, never a secret. Missing values are prompted for. A failed login does not stop the others; the exit code is 9 if only some succeeded.',
  examples: ['lanyard login', 'lanyard -p prod login secrets'],
  writes: true,
  changes: [
    'profiles',
    'tokens',
    'secrets token',
    'secrets identity',
    'acl token',
    'account token',
    'account user',
  ],
  returnsList: () => true,
  args: {
    services: arg.rest('SERVICE', 'services to log in to (default: all with a remembered login)', 0, {
      completes: serviceNames,
    }),
  },
  async run({ args }, ctx) {
    const { name, profile } = await currentProfile('log in', ctx);
    const services = selectServices(args.services);
    const remembered = services.filter((service) => loginOf(profile, service) !== undefined);
    const missing = args.services.length === 0 ? [] : services.filter((each) => !remembered.includes(each));
    if (missing.length > 0 || remembered.length === 0) throw noLoginError(name, missing);
    return forEachService(
      remembered,
      async (service) => {
        const login = loginOf(profile, service) ?? {};
        const words = loginCommand(service, login);
        if (words === undefined) throw usage(`the ${service} service has no logins`);
        return logIn(name, service, login, words, ctx);
      },
      ctx,
    );
  },
});

async function logIn(
  name: string,
  service: ServiceName,
  login: RememberedLogin,
  words: readonly string[],
  ctx: Context,
): Promise<ServiceOutcome<'logged in'>> {
  const done = await ctx.system.runCommand(['-p', name, ...words]);
  const who = [
    ...(login.method === undefined ? [] : [` with ${login.method}`]),
    ...(login.username === undefined ? [] : [` as ${login.username}`]),
  ].join('');
  if (done?.exitCode)
    return {
      service,
      status: 'unconfirmed',
      message: `stored a token${who} that the service did not accept`,
    };
  const end = (await ctx.profile.credentials.login(name, service))?.validUntil;
  const until = end === undefined ? '' : `, valid until ${formatTimestamp(new Date(end))}`;
  return { service, status: 'logged in', message: `logged in${who}${until}` };
}

const loginOf = (profile: Profile, service: ServiceName): RememberedLogin | undefined =>
  profile[service]?.login;

function noLoginError(name: string, missing: readonly ServiceName[]) {
  const of = missing.length === 0 ? '' : ` for ${missing.join(', ')}`;
  const commands = { secrets: 'secrets login', registry: 'acl login', accounts: 'account login' };
  const [only] = missing;
  const first =
    only !== undefined && only in commands ? commands[only as keyof typeof commands] : commands.secrets;
  return usage(`cannot log in: profile "${name}" remembers no login${of}`, {
    hint: `Log in once with \`lanyard ${first} --method METHOD\`; the profile remembers it.`,
  });
}
