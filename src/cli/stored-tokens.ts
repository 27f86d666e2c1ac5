import { isAddressOf } from '../api/address.ts';
import type { Configuration } from '../config/profile.ts';
import { usage } from '../errors.ts';
import type { ServiceName } from '../wire/services.ts';
import type { Context } from './context.ts';

/** The profile whose stored token of a service is meant, and the address that token is for. */
export interface TokenLocation {
  readonly service: ServiceName;
  readonly profile: string;
  readonly address: string;
  /** Where the profile says that its token is now. */
  readonly source: string | undefined;
}

/** A token that is to be stored with a profile; undefined: the stored one is to be removed. */
export interface TokenChange {
  readonly service: ServiceName;
  readonly token: string | undefined;
}

export interface StoredTokens {
  /** Where the tokens are. */
  readonly where: 'keyring' | 'file';
  /** The profiles after the change; undefined: they needed none. */
  readonly after: Configuration | undefined;
}

/** Tokens that rest with profiles. */
export interface StoredTokenStore {
  /**
   * The profile that a token is stored with. A token rests with the address that it is for, so the service that is
   * called must be the profile's own.
   *
   * @param alternative given by those who are going to store one, so that it is found out before whether that can be done:
   * what else a user can do, for the hint ("--no-store prints the token instead").
   * @throws LanyardError usage: no profile, or the address comes from elsewhere; failure: none can be stored.
   */
  locate(service: ServiceName, alternative?: string): Promise<TokenLocation>;
  /** The stored token; undefined: none, or the profile takes its token from elsewhere. */
  read(home: TokenLocation): Promise<string | undefined>;
  /** Stores the token with the profile, which says so from then on. */
  store(home: TokenLocation, token: string): Promise<StoredTokens['where']>;
  /**
   * Asks the service whether it accepts a token, sent as calls with the profile send it. Warns if it does not.
   *
   * @returns false: the login cannot be called done.
   */
  confirm(home: TokenLocation, token: string): Promise<boolean>;
  /** Removes the stored token, and the profile's word that it has one; none there is no failure. */
  remove(home: TokenLocation): Promise<void>;
  /**
   * Stores tokens with a profile, or removes them (undefined), and then changes the profiles. Where one of both fails,
   * the tokens are again what they were before.
   */
  saveAll(
    profile: string,
    changes: readonly TokenChange[],
    change: (current: Configuration) => Configuration,
  ): Promise<StoredTokens>;
}

type Change = (current: Configuration) => Configuration;

/** Tokens at rest with profiles. Depends on settings, profiles and credentials. */
export function storedTokens(
  ctx: Pick<Context, 'api' | 'profiles' | 'credentials' | 'io' | 'profileName'>,
): StoredTokenStore {
  return {
    async locate(service, alternative) {
      const { address, addressFrom, headerPrefixes } = await ctx.api.settings(service);
      const { active, profiles } = await (await ctx.profiles()).read();
      const profile = ctx.profileName ?? active;
      const prefix = headerPrefixes.length > 1 ? '' : ` ${service}.header-prefix=${headerPrefixes[0]}`;
      const put = (name: string) => `\`lanyard profile put ${name} ${service}.address=${address}${prefix}\``;
      const hintEnd = alternative === undefined ? '.' : `; ${alternative}.`;
      if (profile === undefined) {
        throw usage('cannot store the token: no profile is active', {
          hint: `Run ${put('NAME')} for the address from ${addressFrom}, or \`lanyard profile import\` for all settings of the environment${hintEnd}`,
        });
      }
      const settings = profiles[profile]?.[service];
      if (!isAddressOf(address, settings)) {
        throw usage(
          `cannot store the token: the address ${address} (from ${addressFrom}) is not an address of the profile "${profile}"`,
          {
            details: ['A token stored in a profile is sent only to the addresses of that profile.'],
            hint: `Choose a profile with --profile, or run ${put(profile)}${hintEnd}`,
          },
        );
      }
      if (alternative !== undefined) await (await ctx.credentials()).check(profile, service);
      return { service, profile, address, source: settings?.token };
    },
    async read({ service, profile, source }) {
      return source === 'stored' ? (await ctx.credentials()).get(profile, service) : undefined;
    },
    async store(home, token) {
      const change = home.source === 'stored' ? undefined : setTokenSource(home, 'stored');
      const { where } = await keep(home.profile, [{ service: home.service, token }], change);
      if (home.source !== undefined && home.source !== 'stored')
        ctx.io.note(`the profile "${home.profile}" no longer takes its token from ${home.source}`);
      const { token: plan, tokenFrom: from } = await ctx.api.settings(home.service);
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
      await (await ctx.credentials()).delete(home.profile, home.service);
      if (home.source === 'stored') await (await ctx.profiles()).change(setTokenSource(home, undefined));
    },
    saveAll: keep,
  };

  async function keep(profile: string, changes: readonly TokenChange[], change: Change | undefined) {
    const undo: (() => Promise<unknown>)[] = [];
    try {
      const notices = new Set<string>();
      let where: StoredTokens['where'] = 'file';
      for (const { service, token } of changes) {
        const store = await ctx.credentials();
        const previous = await store.get(profile, service).catch(() => undefined);
        undo.push(() =>
          previous === undefined ? store.delete(profile, service) : store.set(profile, service, previous),
        );
        if (token === undefined) {
          await store.delete(profile, service);
          continue;
        }
        const stored = await store.set(profile, service, token);
        where = stored.where;
        if (stored.notice) notices.add(stored.notice);
      }
      const after = change && (await (await ctx.profiles()).change(change));
      for (const notice of notices) ctx.io.note(notice);
      return { where, after };
    } catch (error) {
      // What failed is told; that a store fails once more is no news.
      for (const step of undo.reverse()) await step().catch(() => undefined);
      throw error;
    }
  }
}

/** The profile says, from now on, that its token is the stored one; undefined: that it has none. */
const setTokenSource =
  ({ profile, service }: TokenLocation, token: 'stored' | undefined): Change =>
  (current) => {
    const settings = current.profiles[profile];
    if (settings === undefined) return current;
    const { token: _, ...others } = settings[service] ?? {};
    const changed = { ...settings, [service]: { ...others, ...(token === undefined ? {} : { token }) } };
    return { ...current, profiles: { ...current.profiles, [profile]: changed } };
  };
