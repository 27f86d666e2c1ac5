import { services } from './api/services.ts';
import type { Context, TokenHome, Tokens } from './context.ts';
import { usage } from './errors.ts';

/** Tokens at rest with profiles. Depends on settings, profiles and credentials. */
export function tokens(
  ctx: Pick<Context, 'api' | 'profiles' | 'credentials' | 'io' | 'profileName'>,
): Tokens {
  return {
    async home(service, instead) {
      const { address, addressFrom, headerPrefix } = await ctx.api.settings(service);
      const { active, profiles } = await (await ctx.profiles()).read();
      const profile = ctx.profileName ?? active;
      const prefix =
        headerPrefix === services[service].headerPrefix ? '' : ` ${service}.header-prefix=${headerPrefix}`;
      const put = (name: string) => `"lanyard profile put ${name} ${service}.address=${address}${prefix}"`;
      const otherwise = instead === undefined ? '.' : `; ${instead}.`;
      if (profile === undefined) {
        throw usage('there is no profile to store the token with', {
          hint: `${put('NAME')} makes one for the address from ${addressFrom}${otherwise}`,
        });
      }
      const settings = profiles[profile]?.[service];
      if (originOf(settings?.address) !== originOf(address)) {
        throw usage(
          `the address ${address} comes from ${addressFrom}, and is not that of the profile "${profile}"`,
          {
            details: ['A token is stored with a profile, and goes to the address of that profile only.'],
            hint: `Choose a profile with --profile, or ${put(profile)}${otherwise}`,
          },
        );
      }
      return { service, profile, address, source: settings?.token };
    },
    async read({ service, profile, source }) {
      return source === 'stored' ? (await ctx.credentials()).get(profile, service) : undefined;
    },
    async store(home, token) {
      const { where, notice } = await (await ctx.credentials()).set(home.profile, home.service, token);
      if (notice) ctx.io.note(notice);
      await sayStored(home);
      const { token: plan, tokenFrom: from } = await ctx.api.settings(home.service);
      if (plan?.from !== 'store') ctx.io.warn(`${from} is set, and is used in the place of the stored token`);
      return where;
    },
    async forget({ service, profile }) {
      await (await ctx.credentials()).delete(profile, service);
    },
  };

  /** Makes the profile say, from now on, that its token is the stored one. */
  async function sayStored({ service, profile, source: before }: TokenHome): Promise<void> {
    if (before === 'stored') return;
    await (await ctx.profiles()).change((current) => {
      const held = current.profiles[profile];
      const changed = { ...held, [service]: { ...held?.[service], token: 'stored' as const } };
      return { ...current, profiles: { ...current.profiles, [profile]: changed } };
    });
    if (before !== undefined) ctx.io.note(`the profile "${profile}" took its token from ${before} before`);
  }
}

const originOf = (address: string | undefined): string | undefined =>
  address === undefined ? undefined : URL.parse(address)?.origin;
