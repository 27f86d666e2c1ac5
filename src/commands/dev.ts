import { command, flag } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { usage } from '../errors.ts';
import { code, type Document, fields, text } from '../output/document.ts';
import { compact } from '../wire/objects.ts';
import { serviceNames } from '../wire/services.ts';
import { auditFlags, readAuditLog } from './dev/lib/audit-flags.ts';
import { conditionFlags, readConditions } from './dev/lib/condition-flags.ts';
import { datacenterFlags, readDatacenters } from './dev/lib/datacenters.ts';
import { type DevProfile, openDevProfile, readStoredTokens } from './dev/lib/dev-profile.ts';
import { openApiResult, rejectOtherFlags } from './dev/lib/openapi.ts';
import { rateLimitFlags, readRateLimits } from './dev/lib/rate-limits.ts';
import { defaultUsers, type RunningServices, readPorts, startServices } from './dev/lib/start-dev.ts';

export default command({
  description:
    'Listens on 127.0.0.1 until Ctrl+C: secrets 8200, registry 8500, box 8090, scheduler 4646, accounts 9200. Writes the addresses and tokens to profile "dev" (else "dev-2" ...), active if no other is, and removes it at the end; with --data it is kept. State is kept in memory unless --data is given.',
  examples: [
    'lanyard dev',
    'lanyard dev --data ~/lanyard-data',
    'lanyard dev --port 0 -o json',
    'lanyard dev --uninitialized',
    'lanyard dev --datacenters dc1,dc2,dc3 --round-trip dc1:dc3=5ms',
    'lanyard dev --rate-limit accounts=boundary --rate-limit registry=50',
    'lanyard dev --openapi registry > registry.json',
  ],
  handlesSignals: true,
  changes: ['profiles', 'tokens', 'files'],
  flags: {
    data: flag.text('DIR', 'store state in this directory, which must be new, empty or created by --data', {
      completes: 'directory',
    }),
    port: flag.list('0|SERVICE=PORT', 'free ports for all services (0), or the port of one; repeatable'),
    uninitialized: flag.boolean('secrets: start new data without keys and tokens, for "secrets init"'),
    ...auditFlags,
    ...datacenterFlags,
    ...conditionFlags,
    password: flag.source('source of the password of the initial users', ' (default: generated, shown once)'),
    twoFactor: flag.boolean('box: require a two-factor code, which is printed here'),
    ...rateLimitFlags,
    openapi: flag.choice(serviceNames, 'print the OpenAPI document of a service and exit', {
      value: 'SERVICE',
    }),
  },
  async run({ flags }, ctx) {
    if (flags.openapi !== undefined) {
      rejectOtherFlags(flags);
      return openApiResult(flags.openapi, ctx);
    }
    const password = await resolvePassword(flags, ctx);
    const dataDirectory = flags.data === undefined ? undefined : ctx.files.absolute(flags.data);
    const running = await startServices(
      compact({
        ports: readPorts(flags.port),
        ...readDatacenters(flags),
        conditions: readConditions(flags),
        dataDirectory,
        tokens: dataDirectory === undefined ? undefined : await readStoredTokens(dataDirectory, ctx),
        password,
        uninitialized: flags.uninitialized,
        auditLog: readAuditLog(flags, ctx),
        twoFactor: flags.twoFactor,
        rateLimits: readRateLimits(flags.rateLimit),
      }),
      ctx,
    );
    let profile: DevProfile | undefined;
    try {
      profile = await openDevProfile(running, dataDirectory, ctx);
      await ctx.output.show({
        data: {
          addresses: running.addresses,
          standby: running.standbyAddress ?? null,
          tokens: running.tokens,
          users: defaultUsers,
          password: password ?? null,
          unsealKey: running.unsealKey ?? null,
          sealState: running.sealState,
          profile: profile.name,
        },
        document: view(running, { data: flags.data, password, profile }),
      });
      await untilAborted(ctx.system.signal);
    } finally {
      try {
        await profile?.close();
      } finally {
        await running.close();
      }
    }
    ctx.output.note('Stopped the embedded services.');
    return undefined;
  },
});

/** The given or generated password; undefined: existing users keep their passwords. */
async function resolvePassword(
  { password, data }: { readonly password?: string | undefined; readonly data?: string | undefined },
  ctx: Context,
): Promise<string | undefined> {
  if (password !== undefined) {
    const given = await ctx.input.readSecret(password, 'password');
    if (given.length < 8) throw usage('invalid --password: expected at least 8 characters');
    return given;
  }
  if (data !== undefined && (await ctx.files.exists(`${data}/lanyard.db`))) return undefined;
  return Buffer.from(ctx.system.random(12)).toString('base64url');
}

const view = (
  { addresses, standbyAddress, tokens, unsealKey, sealState }: RunningServices,
  {
    data,
    password,
    profile,
  }: {
    readonly data: string | undefined;
    readonly password: string | undefined;
    readonly profile: Pick<DevProfile, 'name' | 'isActive'>;
  },
): Document => [
  text('Embedded services (reachable from this machine only):'),
  fields([
    ...serviceNames.map((service) => [service, addresses[service]] as const),
    ...(standbyAddress === undefined ? [] : ([['standby', standbyAddress]] as const)),
  ]),
  fields([
    ...(tokens.secrets === undefined ? [] : ([['root token', tokens.secrets]] as const)),
    ...(unsealKey === undefined ? [] : ([['unseal key', unsealKey]] as const)),
    ...(sealState === 'unsealed' ? [] : ([['secrets', sealedText(sealState)]] as const)),
    ['users', `${defaultUsers.box} (box), ${defaultUsers.accounts} (accounts)`],
    ['password', password ?? 'unchanged (set it with --password)'],
    ['state', data === undefined ? 'in memory, lost on exit' : `stored in ${data}`],
    ['profile', `${profile.name} (with the tokens)`],
  ]),
  text(
    'Run ',
    code(`lanyard ${profile.isActive ? '' : `-p ${profile.name} `}status`),
    ' in another terminal, or ',
    code('lanyard quickstart'),
    ' for a tour. Press Ctrl+C to stop.',
  ),
];

const sealedText = (state: 'sealed' | 'not initialized'): string =>
  state === 'sealed'
    ? 'sealed (run "lanyard secrets unseal")'
    : 'not initialized (run "lanyard secrets init", then "lanyard secrets unseal")';

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((done) => {
    if (signal.aborted) done();
    else signal.addEventListener('abort', () => done(), { once: true });
  });
