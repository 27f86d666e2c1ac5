import { command, flag } from '../command.ts';
import type { Context } from '../context.ts';
import { usage } from '../errors.ts';
import { code, type Document, fields, text } from '../output/document.ts';
import { serviceNames } from '../wire/services.ts';
import { datacenterFlags, readDatacenters } from './dev/datacenters.ts';
import { type Running, readPorts, type StartOptions, start, users } from './dev/start.ts';

/** The name of the profile that is written. */
const devProfile = 'dev';

export default command({
  description:
    'They listen on 127.0.0.1 until ^C: secrets 8200, registry 8500, box 8090, scheduler 4646, accounts 9200. The profile "dev" is written and, where no profile is active, made active, so that the other commands find them. State is kept in memory and lost at the end, unless --data names a directory: a new one, an empty one, or one that --data made before.',
  examples: [
    'lanyard dev',
    'lanyard dev --data ~/lanyard-data',
    'lanyard dev --port 0 -o json',
    'lanyard dev --datacenters dc1,dc2,dc3 --round-trip dc1:dc3=5ms',
  ],
  patient: true,
  args: {},
  flags: {
    data: flag.text(
      'DIR',
      'keep the state durably in this directory, which must be new, empty or made by --data',
      { completes: 'directory' },
    ),
    port: flag.list('0|SERVICE=PORT', 'free ports for all (0), or a port for one; repeatable'),
    ...datacenterFlags,
    password: flag.text(
      'SRC',
      'of the users that the services begin with (default: made up once, and shown)',
      {
        completes: 'file',
      },
    ),
    twoFactor: flag.boolean('box registry: a login needs a code, which is printed here'),
    rateLimit: flag.integer('N', 'box registry: answer so many requests a minute, and refuse the rest'),
  },
  async run({ flags }, ctx) {
    if (flags.rateLimit !== undefined && flags.rateLimit < 1) throw usage('--rate-limit has to be 1 or more');
    const password = await passwordFor(flags, ctx);
    const running = await start(
      {
        ports: readPorts(flags.port),
        ...readDatacenters(flags),
        ...(flags.data === undefined ? {} : { data: ctx.files.absolute(flags.data) }),
        ...(flags.data === undefined ? {} : { tokens: await storedTokens(ctx) }),
        ...(password === undefined ? {} : { password }),
        ...(flags.twoFactor ? { twoFactor: true } : {}),
        ...(flags.rateLimit === undefined ? {} : { rateLimit: flags.rateLimit }),
      },
      ctx,
    );
    try {
      await writeProfile(running, ctx);
      await ctx.show({
        data: {
          addresses: running.addresses,
          tokens: running.tokens,
          users,
          password: password ?? null,
          profile: devProfile,
        },
        document: view(running, { data: flags.data, password }),
      });
      await ended(ctx.signal);
    } finally {
      await running.close();
    }
    ctx.io.note('The embedded services are stopped.');
    return undefined;
  },
});

/** The password that is given, or made up; undefined: there are users with theirs from the last time. */
async function passwordFor(
  { password, data }: { readonly password?: string | undefined; readonly data?: string | undefined },
  ctx: Context,
): Promise<string | undefined> {
  if (password !== undefined) {
    const given = await ctx.io.secret(password, 'password');
    if (given.length < 8) throw usage('the password of --password has to have 8 characters or more');
    return given;
  }
  if (data !== undefined && (await ctx.files.exists(`${data}/lanyard.db`))) return undefined;
  return Buffer.from(ctx.random(12)).toString('base64url');
}

/** The tokens of the last time; services with kept data know them again. */
async function storedTokens(ctx: Context): Promise<NonNullable<StartOptions['tokens']>> {
  const credentials = await ctx.credentials();
  const found = await Promise.all(
    serviceNames.map(async (service) => [service, await credentials.get(devProfile, service)] as const),
  );
  return Object.fromEntries(found.filter(([, token]) => token !== undefined));
}

async function writeProfile({ addresses, tokens }: Running, ctx: Context): Promise<void> {
  const wanted = serviceNames.flatMap((service) => {
    const token = tokens[service];
    return token === undefined ? [] : [{ service, token }];
  });
  await ctx.tokens.keep(devProfile, wanted, (current) => ({
    ...current,
    active: current.active ?? devProfile,
    profiles: {
      ...current.profiles,
      [devProfile]: Object.fromEntries(
        serviceNames.map((service) => [
          service,
          {
            address: addresses[service],
            ...(tokens[service] === undefined ? {} : { token: 'stored' as const }),
          },
        ]),
      ),
    },
  }));
}

const view = (
  { addresses, tokens, unsealKey }: Running,
  { data, password }: { readonly data: string | undefined; readonly password: string | undefined },
): Document => [
  text('Embedded services, on this machine only:'),
  fields(serviceNames.map((service) => [service, addresses[service]])),
  fields([
    ...(tokens.secrets === undefined ? [] : ([['root token', tokens.secrets]] as const)),
    ...(unsealKey === undefined || data === undefined ? [] : ([['unseal key', unsealKey]] as const)),
    ['users', `${users.box} (box), ${users.accounts} (accounts)`],
    ['their password', password ?? 'that of the last time; --password sets another'],
    ['state', data === undefined ? 'in memory; gone when this ends' : `kept in ${data}`],
    ['profile', `${devProfile}, which has the tokens`],
  ]),
  text(
    'Try ',
    code('lanyard status'),
    ' or ',
    code('lanyard quickstart'),
    ' in another terminal. ^C stops them.',
  ),
];

const ended = (signal: AbortSignal): Promise<void> =>
  new Promise((done) => {
    if (signal.aborted) done();
    else signal.addEventListener('abort', () => done(), { once: true });
  });
