import { isAddressOf } from '../api/address.ts';
import type { Configuration } from '../config/profile.ts';
import { usage } from '../errors.ts';
import type { Messages } from '../io/io.ts';
import { compact } from '../wire/objects.ts';
import type { ServiceName } from '../wire/services.ts';
import type { Api, ProfileStore } from './context.ts';

/** Where a token is stored: a profile, and the address that the token is for. */
export interface TokenLocation {
  readonly service: ServiceName;
  readonly profile: string;
  readonly address: string;
  /** The current token source of the profile. */
  readonly source: string | undefined;
}

/** A token to store for a profile; undefined: remove the stored token. */
export interface TokenChange {
  readonly service: ServiceName;
  readonly token: string | undefined;
}

export type StoredTokenStore = ReturnType<typeof storedTokens>;

type Change = (current: Configuration) => Configuration;

/** The tokens stored for profiles. */
export function storedTokens(ctx: {
  readonly api: Pick<Api, 'settings' | 'checkToken'>;
  readonly profile: Omit<ProfileStore, 'tokens'>;
  readonly io: Messages;
}) {
  const { credentials } = ctx.profile;
  return {
    /**
     * The profile to store a token for. The address of the service must be an address of the profile.
     *
     * @param alternative for callers that will store a token, which is checked to be possible: another way, for the
     * hint ("--no-store prints the token instead").
     * @throws LanyardError usage: no profile, or an address from elsewhere; failure: a token cannot be stored.
     */
    async locate(service: ServiceName, alternative?: string): Promise<TokenLocation> {
      const { address, addressFrom, headerPrefixes } = await ctx.api.settings(service);
      const { active, profiles } = await ctx.profile.read();
      const profile = ctx.profile.name ?? active;
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
      if (alternative !== undefined) await credentials.check(profile, service);
      return { service, profile, address, source: settings?.token };
    },
    /** The stored token; undefined: none, or the profile has another token source. */
    async read({ service, profile, source }: TokenLocation): Promise<string | undefined> {
      return source === 'stored' ? credentials.get(profile, service) : undefined;
    },
    /** Stores the token, and makes it the token source of the profile. */
    async store(home: TokenLocation, token: string): Promise<'keyring' | 'file'> {
      const change = home.source === 'stored' ? undefined : setTokenSource(home, 'stored');
      const { where } = await keep(home.profile, [{ service: home.service, token }], change);
      if (home.source !== undefined && home.source !== 'stored')
        ctx.io.note(`the profile "${home.profile}" no longer takes its token from ${home.source}`);
      const { token: plan, tokenFrom: from } = await ctx.api.settings(home.service);
      if (plan?.from !== 'store') ctx.io.warn(`${from} is set and overrides the stored token`);
      return where;
    },
    /**
     * Checks a new token as the profile would send it; warns if the service does not accept it.
     *
     * @returns false: the login is incomplete.
     */
    async confirm({ service, profile }: TokenLocation, token: string): Promise<boolean> {
      const check = await ctx.api.checkToken(service, token);
      if (check.token === 'valid' || check.token === 'access control is off') return true;
      const what =
        check.token === 'not checked'
          ? 'cannot verify the token'
          : `the service issued the token but does not accept it with the settings of the profile "${profile}"`;
      if (check.problem !== null) ctx.io.warn(`${what}: ${check.problem}`);
      return check.kind === null;
    },
    /** Removes the stored token, if any, and the token source of the profile. */
    async remove(home: TokenLocation): Promise<void> {
      await credentials.delete(home.profile, home.service);
      if (home.source === 'stored') await ctx.profile.change(setTokenSource(home, undefined));
    },
    saveAll: keep,
  };

  /**
   * Stores or removes tokens, and then changes the profiles. If either fails, the tokens are restored.
   *
   * @returns where the tokens are, and the profiles after the change; undefined: unchanged.
   */
  async function keep(profile: string, changes: readonly TokenChange[], change: Change | undefined) {
    const undo: (() => Promise<unknown>)[] = [];
    try {
      const notices = new Set<string>();
      let where: 'keyring' | 'file' = 'file';
      for (const { service, token } of changes) {
        const previous = await credentials.get(profile, service).catch(() => undefined);
        undo.push(() =>
          previous === undefined
            ? credentials.delete(profile, service)
            : credentials.set(profile, service, previous),
        );
        if (token === undefined) {
          await credentials.delete(profile, service);
          continue;
        }
        const stored = await credentials.set(profile, service, token);
        where = stored.where;
        if (stored.notice) notices.add(stored.notice);
      }
      const after = change && (await ctx.profile.change(change));
      for (const notice of notices) ctx.io.note(notice);
      return { where, after };
    } catch (error) {
      // The first failure is reported; a failure to undo is not.
      for (const step of undo.reverse()) await step().catch(() => undefined);
      throw error;
    }
  }
}

/** Sets the token source of a profile; undefined: no token. */
const setTokenSource =
  ({ profile, service }: TokenLocation, token: 'stored' | undefined): Change =>
  (current) => {
    const settings = current.profiles[profile];
    if (settings === undefined) return current;
    const { token: _, ...others } = settings[service] ?? {};
    const changed = { ...settings, [service]: compact({ ...others, token }) };
    return { ...current, profiles: { ...current.profiles, [profile]: changed } };
  };
