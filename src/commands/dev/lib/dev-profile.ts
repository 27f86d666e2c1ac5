import type { Context } from '../../../command/context.ts';
import type { Configuration, DevMark, Profile } from '../../../config/profile.ts';
import type { StoredLogin } from '../../../config/stored-login.ts';
import { LanyardError } from '../../../errors.ts';
import { compact } from '../../../wire/objects.ts';
import { type ServiceName, serviceNames } from '../../../wire/services.ts';
import type { RunningServices } from './start-dev.ts';

/** The profile of a running instance of `lanyard dev`. */
export interface DevProfile {
  readonly name: string;
  readonly isActive: boolean;
  /** Removes the profile and its tokens; with a data directory only restores the active profile. */
  close(): Promise<void>;
}

type Profiles = Configuration['profiles'];

/** The name of the first one; others are `dev-2`, `dev-3` ... */
const firstName = 'dev';

/** The login that marks the tokens of `dev`; any other command that stores a token replaces it. */
const loginOf = (dataDirectory: string | undefined): StoredLogin => ({
  command: ['dev', ...(dataDirectory === undefined ? [] : ['--data', dataDirectory])],
});

/** The tokens of the last run with a data directory, which its services still accept. */
export async function readStoredTokens(
  directory: string,
  ctx: Context,
): Promise<Partial<Record<ServiceName, string>>> {
  const dataDirectory = await ctx.files.realPath(directory);
  const { profiles } = await ctx.profile.read();
  const bound = Object.entries(profiles).filter(([, { dev }]) => dev?.dataDirectory === dataDirectory);
  // Its own profile before one that the user changed.
  const [name, profile] = bound.find(([, { dev }]) => dev?.instance !== undefined) ?? bound[0] ?? [];
  if (name === undefined) return {};
  const found = await Promise.all(
    serviceNames
      .filter((service) => profile?.[service]?.token === 'stored')
      .map(async (service) => {
        const isOwn = await ctx.profile.tokens.isOfDev(name, service);
        return [service, isOwn ? await ctx.profile.credentials.get(name, service) : undefined] as const;
      }),
  );
  return compact(Object.fromEntries(found));
}

/**
 * Writes the addresses and tokens to a profile that no user and no other running instance owns
 * (docs/adr/0050-profiles-of-dev.md). Removes the profiles of instances that were killed.
 */
export async function openDevProfile(
  running: Pick<RunningServices, 'addresses' | 'tokens'>,
  directory: string | undefined,
  ctx: Context,
): Promise<DevProfile> {
  const dataDirectory = directory === undefined ? undefined : await ctx.files.realPath(directory);
  const instances = await ctx.profile.instances();
  const instance = Buffer.from(ctx.system.random(8)).toString('hex');
  const endInstance = await instances.start(instance);
  try {
    const isEnded = ({ dev }: Profile): boolean =>
      dev?.instance !== undefined && dev.instance !== instance && !instances.isRunning(dev.instance);
    const claim = await claimProfile(
      { instance, dataDirectory, isEnded, userTokens: await readUserTokens(dataDirectory, ctx), ...running },
      ctx,
    );
    const close = async (): Promise<void> => {
      if (dataDirectory === undefined) await removeOwned(claim.name, instance, ctx);
      else await ctx.profile.change((current) => deactivated(current, claim.name, instance));
    };
    try {
      for (const name of claim.leftovers) await removeOwned(name, instance, ctx);
      for (const ended of claim.endedInstances) instances.remove(ended);
      await storeTokens(claim, { instance, dataDirectory, tokens: running.tokens }, ctx);
    } catch (error) {
      await close().catch(() => undefined);
      throw error;
    }
    for (const service of claim.keepsTokenOf)
      if (running.tokens[service] !== undefined)
        ctx.output.note(
          `Profile "${claim.name}" keeps its ${service} token, which was not stored by "lanyard dev".`,
        );
    if (claim.problem !== undefined) ctx.output.note(`Using profile "${claim.name}": ${claim.problem}.`);
    return {
      name: claim.name,
      isActive: claim.isActive,
      close: () => close().finally(endInstance),
    };
  } catch (error) {
    endInstance();
    throw error;
  }
}

interface Claim {
  readonly name: string;
  readonly isActive: boolean;
  /** Services whose stored token is kept: it is from the user, or the service has none (sealed, not initialized). */
  readonly keepsTokenOf: readonly ServiceName[];
  /** Why it is not the first name. */
  readonly problem: string | undefined;
  /** Claimed profiles of ended instances, to be removed. */
  readonly leftovers: readonly string[];
  readonly endedInstances: readonly string[];
}

interface ClaimOptions extends Pick<RunningServices, 'addresses' | 'tokens'> {
  readonly instance: string;
  readonly dataDirectory: string | undefined;
  readonly isEnded: (profile: Profile) => boolean;
  /** Services with a token in the profile of the data directory that `dev` did not store. */
  readonly userTokens: readonly ServiceName[];
}

/** Chooses and marks the profile, and those to be removed, in one change: no other instance can claim them. */
async function claimProfile(
  { instance, dataDirectory, isEnded, userTokens, addresses, tokens }: ClaimOptions,
  ctx: Context,
): Promise<Claim> {
  let claim: Claim | undefined;
  await ctx.profile.change((before) => {
    const ended = Object.entries(before.profiles).filter(([, profile]) => isEnded(profile));
    const temporary = ended.flatMap(([name, { dev }]) => (dev?.dataDirectory === undefined ? [name] : []));
    const bound = ended.find(
      ([, { dev }]) => dataDirectory !== undefined && dev?.dataDirectory === dataDirectory,
    );
    const name = bound?.[0] ?? freeName(before.profiles, temporary);
    const leftovers = temporary.filter((each) => each !== name);
    const wasActivated = ended.some(([each, { dev }]) => each === before.active && dev?.isActivated === true);
    const isDangling = before.active !== undefined && temporary.includes(before.active);
    const active = wasActivated || isDangling ? undefined : before.active;
    const isActivated = active === undefined;
    const previous = bound?.[1];
    const keepsTokenOf = serviceNames.filter(
      (service) =>
        previous?.[service]?.token === 'stored' &&
        (tokens[service] === undefined || userTokens.includes(service)),
    );
    const mark: DevMark = compact({ instance, dataDirectory, isActivated: isActivated || undefined });
    const settings = serviceNames.map((service) => [
      service,
      compact({
        ...previous?.[service],
        address: addresses[service],
        token: keepsTokenOf.includes(service) ? 'stored' : undefined,
      }),
    ]);
    claim = {
      name,
      isActive: isActivated || active === name,
      keepsTokenOf,
      problem: name === firstName || bound ? undefined : problemOf(before.profiles[firstName]),
      leftovers,
      endedInstances: ended.flatMap(([each, { dev }]) =>
        each === name || leftovers.includes(each) ? (dev?.instance ?? []) : [],
      ),
    };
    const claimed = leftovers.map((each) => [each, { ...before.profiles[each], dev: { instance } }]);
    return {
      ...before,
      active: active ?? name,
      profiles: {
        ...before.profiles,
        ...Object.fromEntries(claimed),
        [name]: compact({ ...Object.fromEntries(settings), ssh: previous?.ssh, dev: mark }),
      },
    };
  });
  if (claim === undefined) throw new Error('the change was not applied');
  return claim;
}

async function readUserTokens(
  dataDirectory: string | undefined,
  ctx: Context,
): Promise<readonly ServiceName[]> {
  const { profiles } = await ctx.profile.read();
  const [name, profile] =
    Object.entries(profiles).find(
      ([, { dev }]) =>
        dataDirectory !== undefined && dev?.instance !== undefined && dev.dataDirectory === dataDirectory,
    ) ?? [];
  if (name === undefined) return [];
  const found: ServiceName[] = [];
  for (const service of serviceNames) {
    if (profile?.[service]?.token !== 'stored' || (await ctx.profile.tokens.isOfDev(name, service))) continue;
    if ((await ctx.profile.credentials.get(name, service)) !== undefined) found.push(service);
  }
  return found;
}

function freeName(profiles: Profiles, temporary: readonly string[]): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? firstName : `${firstName}-${number}`;
    if (!Object.hasOwn(profiles, name) || temporary.includes(name)) return name;
  }
}

function problemOf(first: Profile | undefined): string {
  const { instance, dataDirectory } = first?.dev ?? {};
  if (instance === undefined) return `profile "${firstName}" was not created by "lanyard dev"`;
  return dataDirectory === undefined
    ? `profile "${firstName}" belongs to another running "lanyard dev"`
    : `profile "${firstName}" belongs to the data directory ${dataDirectory}`;
}

async function storeTokens(
  { name, keepsTokenOf }: Claim,
  {
    instance,
    dataDirectory,
    tokens,
  }: Pick<ClaimOptions, 'instance' | 'dataDirectory'> & Pick<RunningServices, 'tokens'>,
  ctx: Context,
): Promise<void> {
  const changes = serviceNames
    .filter((service) => !keepsTokenOf.includes(service))
    .map((service) => ({ service, token: tokens[service], login: loginOf(dataDirectory) }));
  await ctx.profile.tokens.saveAll(name, changes, (current) => {
    const profile = owned(current, name, instance);
    const stored = changes.flatMap(({ service, token }) =>
      token === undefined ? [] : [[service, { ...profile[service], token: 'stored' as const }]],
    );
    return {
      ...current,
      profiles: { ...current.profiles, [name]: { ...profile, ...Object.fromEntries(stored) } },
    };
  });
}

/** Removes a profile of this instance with its tokens; one that belongs to the user by now is unchanged. */
async function removeOwned(name: string, instance: string, ctx: Context): Promise<void> {
  const before = await ctx.profile.read();
  if (before.profiles[name]?.dev?.instance !== instance) return;
  try {
    await ctx.profile.tokens.saveAll(
      name,
      serviceNames.map((service) => ({ service, token: undefined })),
      (current) => {
        owned(current, name, instance);
        const { active, ...rest } = current;
        const { [name]: _, ...profiles } = current.profiles;
        return { ...rest, ...(active === undefined || active === name ? {} : { active }), profiles };
      },
    );
  } catch (error) {
    if (!(error instanceof LanyardError)) throw error;
    ctx.output.warn(`cannot remove profile "${name}": ${error.message}; the next "lanyard dev" removes it`);
  }
}

/** Ends what the instance made active. */
function deactivated(current: Configuration, name: string, instance: string): Configuration {
  const { dev } = current.profiles[name] ?? {};
  const { active, ...rest } = current;
  return dev?.instance === instance && dev.isActivated === true && active === name ? rest : current;
}

/** The profile, if it still belongs to the instance. @throws LanyardError conflict. */
function owned({ profiles }: Configuration, name: string, instance: string): Profile {
  const profile = profiles[name];
  if (profile?.dev?.instance === instance) return profile;
  throw new LanyardError('conflict', `profile "${name}" was changed in the meantime`);
}
