import { isAccessControlOff } from '../api/conditions.ts';
import type { TokenPlan } from '../api/settings.ts';
import { command } from '../command.ts';
import type { Context } from '../context.ts';
import { kinds, LanyardError, NotSet } from '../errors.ts';
import { bad, dim, good, table, text, type Words, warn } from '../output/document.ts';
import { until } from '../output/time.ts';
import { type ServiceName, serviceNames } from '../wire/services.ts';

/** What is known of one service. */
interface Finding {
  readonly service: ServiceName;
  readonly address: string | null;
  /** Where the address came from. */
  readonly from: string | null;
  readonly state: 'ok' | 'not set' | 'unreachable' | 'sealed' | 'not initialised' | 'standby' | 'failed';
  readonly product: string | null;
  readonly version: string | null;
  readonly token: 'valid' | 'refused' | 'none' | 'not checked' | 'access control is off';
  /** ISO 8601; null: no end, or not known. */
  readonly tokenValidUntil: string | null;
  readonly problem: string | null;
}

export default command({
  description:
    'Asks every service that has an address. The exit code is 0 when all that are set up answer, 7 when one is unreachable, 8 when one is sealed or not initialised.',
  args: {},
  flags: {},
  async run(_input, ctx) {
    const findings = await Promise.all(serviceNames.map((service) => look(service, ctx)));
    const now = ctx.clock();
    return {
      data: findings,
      rows: findings,
      exitCode: exitCode(findings),
      document: [
        table(
          ['SERVICE', { title: 'ADDRESS', give: 1 }, 'STATE', 'PRODUCT', 'TOKEN', { title: 'FROM', give: 2 }],
          findings.map((finding) => [
            finding.service,
            finding.address ?? [dim('-')],
            stateWords(finding),
            [finding.product, finding.version].filter((part) => part !== null).join(' ') || [dim('-')],
            tokenWords(finding, now),
            finding.from ?? [dim('-')],
          ]),
        ),
        ...findings.filter(hasFailed).map(({ service, problem }) => text(`${service}: ${problem}`)),
      ],
    };
  },
});

async function look(service: ServiceName, ctx: Context): Promise<Finding> {
  // Every member is there from the beginning, in the order in which they are shown.
  const nothing: Finding = {
    ...{ service, address: null, from: null, state: 'not set', product: null, version: null },
    ...{ token: 'none', tokenValidUntil: null, problem: null },
  };
  let address: string;
  let from: string;
  try {
    ({ address, addressFrom: from } = await ctx.api.settings(service));
  } catch (error) {
    if (!(error instanceof LanyardError) || error.kind !== 'usage') throw error;
    return error instanceof NotSet ? nothing : { ...nothing, state: 'failed', problem: error.message };
  }
  const found = { ...nothing, address, from };
  try {
    const { status, headers, body } = await ctx.api.health(service);
    const [product = null, version = null] =
      /^([\w.-]+)\/(\S+)/.exec(headers.server ?? '')?.slice(1, 3) ?? [];
    const state = stateOf(service, status);
    return {
      ...found,
      state,
      product,
      version: version ?? versionIn(body) ?? (await versionOf(service, ctx)),
      ...(state === 'ok' ? await tokenOf(service, ctx) : { token: 'not checked' }),
      ...(state === 'failed' ? { problem: `status ${status}` } : {}),
    };
  } catch (error) {
    if (!(error instanceof LanyardError) || error.kind === 'interrupted') throw error;
    const state = error.kind === 'unreachable' ? 'unreachable' : 'failed';
    return { ...found, state, token: 'not checked', problem: error.message };
  }
}

/** Is there a reason to tell, why nothing more is known of the service? */
const hasFailed = ({ state, problem }: Finding): boolean =>
  problem !== null && (state === 'failed' || state === 'unreachable');

function stateOf(service: ServiceName, status: number): Finding['state'] {
  if (service !== 'secrets') return status < 500 ? 'ok' : 'failed';
  if (status === 501) return 'not initialised';
  if (status === 503) return 'sealed';
  return status === 200 ? 'ok' : 'standby';
}

const versionIn = (body: unknown): string | null =>
  typeof body === 'object' && body !== null && 'version' in body && typeof body.version === 'string'
    ? body.version
    : null;

/** The scheduler's health does not tell its version, but its agent does to tokens that may read it. */
async function versionOf(service: ServiceName, ctx: Context): Promise<string | null> {
  if (service !== 'scheduler') return null;
  try {
    return (await (await ctx.api.scheduler()).readAgent({})).body.config.Version.Version;
  } catch (error) {
    if (error instanceof LanyardError && error.kind !== 'interrupted') return null;
    throw error;
  }
}

/** Asks about the token alone, where the service has a way to. */
async function tokenOf(
  service: ServiceName,
  ctx: Context,
): Promise<Pick<Finding, 'token' | 'tokenValidUntil' | 'problem'>> {
  const unknown = { token: 'not checked', tokenValidUntil: null, problem: null } as const;
  const settings = await ctx.api.settings(service);
  if (!settings.token) return { ...unknown, token: 'none' };
  try {
    if (!(await isThere(settings.token, service, ctx))) return { ...unknown, token: 'none' };
    const endOf = ends[service];
    if (!endOf) return unknown;
    const end = await endOf(ctx);
    return end === undefined ? unknown : { ...unknown, token: 'valid', tokenValidUntil: end };
  } catch (error) {
    if (!(error instanceof LanyardError)) throw error;
    if (service === 'registry' && isAccessControlOff(error))
      return { ...unknown, token: 'access control is off' };
    const refusals: readonly string[] =
      service === 'accounts' || service === 'box' ? ['unauthenticated'] : ['unauthenticated', 'forbidden'];
    return {
      ...unknown,
      token: refusals.includes(error.kind) ? 'refused' : 'not checked',
      problem: error.message,
    };
  }
}

/** The profile says that a token is stored; it may have been forgotten since. */
const isThere = async (token: TokenPlan, service: ServiceName, ctx: Context): Promise<boolean> =>
  token.from !== 'store' || (await (await ctx.credentials()).get(token.profile, service)) !== undefined;

/** When the token ends, null for never; undefined: there is no way to ask. */
const ends: { readonly [S in ServiceName]?: (ctx: Context) => Promise<string | null | undefined> } = {
  secrets: async (ctx) => {
    const { body } = await (await ctx.api.secrets()).lookupSelf({});
    return body.data.expire_time ?? null;
  },
  registry: async (ctx) => (await (await ctx.api.registry()).readOwnToken({})).body.ExpirationTime ?? null,
  box: async (ctx) => {
    await (await ctx.api.box()).checkToken({});
    return null;
  },
  scheduler: async (ctx) => (await (await ctx.api.scheduler()).readOwnToken({})).body.ExpirationTime ?? null,
  accounts: async (ctx) => {
    const id = await ctx.api.accountsTokenId();
    if (id === undefined) return undefined;
    try {
      const { body } = await (await ctx.api.accounts()).readAuthToken({ id });
      return body.expiration_time ?? null;
    } catch (error) {
      // A service may have no route to tokens.
      if (error instanceof LanyardError && error.kind === 'not_found') return undefined;
      throw error;
    }
  },
};

function exitCode(findings: readonly Finding[]): number {
  const states = new Set(findings.map((finding) => finding.state));
  if (states.has('unreachable')) return kinds.unreachable.code;
  if (states.has('sealed') || states.has('not initialised')) return kinds.unavailable.code;
  return states.has('failed') ? kinds.failure.code : 0;
}

function stateWords({ state }: Finding): Words {
  if (state === 'ok') return [good('ok')];
  if (state === 'not set') return [dim('not set')];
  return [state === 'standby' ? warn(state) : bad(state)];
}

function tokenWords({ service, token, tokenValidUntil }: Finding, now: Date): Words {
  if (token === 'refused') return [bad('refused')];
  if (token !== 'valid') return [dim(token)];
  // The box registry does not say when a token ends.
  if (service === 'box') return [good('valid')];
  if (tokenValidUntil === null) return [good('valid'), ', no end'];
  return [good('valid'), `, ends ${until((Date.parse(tokenValidUntil) - now.getTime()) / 1000)}`];
}
