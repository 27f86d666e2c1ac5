import { isAddressOf } from '../../api/address.ts';
import { services } from '../../api/services.ts';
import type { Settings } from '../../api/settings.ts';
import type { Api } from '../../command/api.ts';
import { toKebabCase } from '../../command/command.ts';
import type {
  Change,
  LoginLine,
  ProfileStore,
  ReplacedToken,
  StoredTokenStore,
  TokenChange,
  TokenLocation,
} from '../../command/profile-store.ts';
import { rememberedLogin } from '../../command/remembered-login.ts';
import type { Configuration, RememberedLogin, ServiceSettings } from '../../config/profile.ts';
import { isLoginOfDev, type StoredLogin } from '../../config/stored-login.ts';
import { conflict, usage } from '../../errors.ts';
import type { Messages, Prompts } from '../../io/io.ts';
import { compact } from '../../wire/objects.ts';

/** Name of the profile that a login creates, as `profile import` does. */
const defaultProfile = 'default';

const notCompleted =
  'Shell completion cannot read tokens in this keyring, so it does not complete names of the service.';

/** The tokens stored for profiles. */
export function storedTokens(ctx: {
  readonly api: Pick<Api, 'settings' | 'environment' | 'checkToken'>;
  readonly profile: Omit<ProfileStore, 'tokens'>;
  readonly io: Messages & Pick<Prompts, 'isInteractive'>;
  readonly clock: () => Date;
}): StoredTokenStore {
  const { credentials } = ctx.profile;
  const isPast = (time: string | undefined): boolean =>
    time !== undefined && Date.parse(time) <= ctx.clock().getTime();
  return {
    async locate(service, alternative) {
      const settings = await ctx.api.settings(service);
      const { address, addressFrom, headerPrefixes } = settings;
      const { active, profiles } = await ctx.profile.read();
      const profile = ctx.profile.name ?? active;
      const created =
        alternative !== undefined && profile === undefined ? await newProfile(settings, profiles) : undefined;
      if (created) {
        await credentials.check(defaultProfile, service);
        return { service, profile: defaultProfile, address, source: undefined, created };
      }
      const prefix = headerPrefixes.length > 1 ? '' : ` ${service}.header-prefix=${headerPrefixes[0]}`;
      const put = (name: string) => `\`lanyard profile put ${name} ${service}.address=${address}${prefix}\``;
      const hintEnd = alternative === undefined ? '.' : `; ${alternative}.`;
      if (profile === undefined) {
        throw usage('cannot store the token: no profile is active', {
          hint: `Run ${put('NAME')} for the address from ${addressFrom}, or \`lanyard profile import\` for all settings of the environment${hintEnd}`,
        });
      }
      const stored = profiles[profile]?.[service];
      if (!isAddressOf(address, stored)) {
        throw usage(
          `cannot store the token: the address ${address} (from ${addressFrom}) is not an address of the profile "${profile}"`,
          {
            details: ['A token stored in a profile is sent only to the addresses of that profile.'],
            hint: `Choose a profile with --profile, or run ${put(profile)}${hintEnd}`,
          },
        );
      }
      if (alternative !== undefined) await credentials.check(profile, service);
      return { service, profile, address, source: stored?.token };
    },
    async read({ service, profile, source }) {
      return source === 'stored' ? credentials.get(profile, service) : undefined;
    },
    async store(home, token, login) {
      const remembered = login && rememberedLogin(home.service, login);
      const change = home.created
        ? createProfile(home, compact({ ...home.created, login: remembered }))
        : await changeAfterLogin(home, remembered);
      const { where, replaced } = await keep(
        home.profile,
        [{ service: home.service, token, login: login && storedLogin(login) }],
        change,
      );
      if (home.source !== undefined && home.source !== 'stored')
        ctx.io.note(`the profile "${home.profile}" no longer takes its token from ${home.source}`);
      if (home.reportsReplaced !== true) await noteReplaced(home.profile, replaced);
      const { token: plan, tokenFrom: from, addressFrom } = await ctx.api.settings(home.service);
      if (home.created)
        ctx.io.note(
          `Created profile "${home.profile}" for ${home.address} (from ${addressFrom}) and set it active.`,
        );
      // Once for each profile and service: the next login finds a stored token.
      if (where === 'keyring' && home.source !== 'stored' && ctx.io.isInteractive()) {
        const isCompleted = await credentials.isReadWithoutPrompt(home.profile, home.service);
        if (!isCompleted) ctx.io.note(notCompleted);
      }
      if (plan?.from !== 'store') ctx.io.warn(`${from} is set and overrides the stored token`);
      return where;
    },
    async confirm({ service, profile }, token) {
      const check = await ctx.api.checkToken(service, token);
      if (check.token === 'valid' || check.token === 'access control is off') return true;
      const what =
        check.token === 'not checked'
          ? 'cannot verify the token'
          : `the service issued the token but does not accept it with the settings of the profile "${profile}"`;
      if (check.problem !== null) ctx.io.warn(`${what}: ${check.problem}`);
      return check.kind === null;
    },
    async remove(home) {
      await credentials.delete(home.profile, home.service);
      if (home.source === 'stored') await ctx.profile.change(setTokenSource(home, undefined));
    },
    isOfDev: async (profile, service) => isLoginOfDev(await credentials.login(profile, service)),
    saveAll: keep,
    noteReplaced,
  };

  /** What a login changes in the profile; undefined: nothing. */
  async function changeAfterLogin(
    home: TokenLocation,
    remembered: RememberedLogin | undefined,
  ): Promise<Change | undefined> {
    const { service, profile, source } = home;
    const before = (await ctx.profile.read()).profiles[profile]?.[service]?.login;
    const isSame = remembered === undefined || JSON.stringify(before) === JSON.stringify(remembered);
    if (isSame) return source === 'stored' ? undefined : setTokenSource(home, 'stored');
    return setTokenSource(home, 'stored', remembered);
  }

  async function noteReplaced(profile: string, tokens: readonly ReplacedToken[]): Promise<void> {
    for (const { service, isRemoved, validUntil } of tokens) {
      const end = validUntil === undefined ? '' : `; it is valid until ${validUntil}`;
      const done = isRemoved ? 'removed' : 'replaced';
      ctx.io.note(`The stored ${service} token of profile "${profile}" was ${done}, not revoked${end}.`);
    }
  }

  /**
   * The settings of a profile for the address of a product's own variable, without the token; undefined: the address is
   * from elsewhere, or the profile exists.
   */
  async function newProfile(
    settings: Settings,
    profiles: Configuration['profiles'],
  ): Promise<ServiceSettings | undefined> {
    const { service, address, addressFrom } = settings;
    const isOfProduct = services[service].product.address?.includes(addressFrom) === true;
    if (!isOfProduct || Object.hasOwn(profiles, defaultProfile)) return undefined;
    const environment = await ctx.api.environment(service);
    if (environment?.address !== address) return undefined;
    const members = await ctx.profile.importable(environment);
    return Object.fromEntries(
      members.filter(({ member }) => member !== 'token').map(({ member, value }) => [member, value]),
    );
  }

  async function keep(profile: string, changes: readonly TokenChange[], change: Change | undefined) {
    const undo: (() => Promise<unknown>)[] = [];
    try {
      const notices = new Set<string>();
      const replaced: ReplacedToken[] = [];
      let where: 'keyring' | 'file' = 'file';
      for (const { service, token, login } of changes) {
        const previous = await credentials.get(profile, service).catch(() => undefined);
        const previousLogin = await credentials.login(profile, service).catch(() => undefined);
        undo.push(() =>
          previous === undefined
            ? credentials.delete(profile, service)
            : credentials.set(profile, service, previous, previousLogin),
        );
        const validUntil = previousLogin?.validUntil;
        if (previous !== undefined && previous !== token && !isPast(validUntil))
          replaced.push({ service, isRemoved: token === undefined, validUntil });
        if (token === undefined) {
          await credentials.delete(profile, service);
          continue;
        }
        const stored = await credentials.set(profile, service, token, login);
        where = stored.where;
        if (stored.notice) notices.add(stored.notice);
      }
      const after = change && (await ctx.profile.change(change));
      for (const notice of notices) ctx.io.note(notice);
      return { where, after, replaced };
    } catch (error) {
      // The first failure is reported; a failure to undo is not.
      for (const step of undo.reverse()) await step().catch(() => undefined);
      throw error;
    }
  }
}

/** The command line of a login without its secrets, which are prompted for. */
function storedLogin({ command, flags, sources, validUntil }: LoginLine): StoredLogin {
  const words = Object.entries(flags).flatMap(([name, value]) => {
    const isSecret = sources.includes(name) && !/^(env:\/\/|@)/.test(String(value));
    if (value === undefined || value === false || isSecret) return [];
    return [`--${toKebabCase(name)}`, ...(value === true ? [] : [String(value)])];
  });
  return { command: [...command.split(' '), ...words], validUntil: validUntil ?? undefined };
}

/** Sets the token source of a profile; undefined: no token. A login is remembered if it is given. */
const setTokenSource =
  ({ profile, service }: TokenLocation, token: 'stored' | undefined, login?: RememberedLogin): Change =>
  (current) => {
    const settings = current.profiles[profile];
    if (settings === undefined) return current;
    const { token: _, ...others } = settings[service] ?? {};
    const changed = { ...settings, [service]: compact({ ...others, token, ...(login && { login }) }) };
    return { ...current, profiles: { ...current.profiles, [profile]: changed } };
  };

/** Adds the profile, which becomes active. @throws LanyardError conflict: another one was created in the meantime. */
const createProfile =
  ({ profile, service }: TokenLocation, settings: ServiceSettings): Change =>
  (current) => {
    if (current.active !== undefined || Object.hasOwn(current.profiles, profile))
      throw conflict(`cannot create profile "${profile}": another profile was created at the same time`, {
        hint: 'Run the command again.',
      });
    const created = { [service]: { ...settings, token: 'stored' as const } };
    return { active: profile, profiles: { ...current.profiles, [profile]: created } };
  };
