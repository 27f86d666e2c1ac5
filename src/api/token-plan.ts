import type { ServiceName } from '../wire/services.ts';
import { ownVariable, services } from './services.ts';
import { type Find, type Found, type Sources, visible } from './sources.ts';

/** Where a token is to be read when it is needed. */
export type TokenPlan =
  | { readonly from: 'variable'; readonly name: string }
  | { readonly from: 'file'; readonly path: string }
  | { readonly from: 'store'; readonly profile: string };

/** The token, or undefined: none, or one that does not belong to this address. */
export function tokenIn(
  service: ServiceName,
  { named, active, env, exists }: Sources,
  address: Found,
  find: Find,
  profileMaySend: () => boolean,
): { readonly plan: TokenPlan; readonly from: string } | undefined {
  const token = find('token');
  const file = find('tokenFile');
  const loginFile = address.kind === 'product' ? loginFileOf(service, env, exists) : undefined;
  const profile = named ?? active;
  const fileAt = (path: string, from: string) => ({ plan: { from: 'file', path }, from }) as const;
  const profileToken = (): { readonly plan: TokenPlan; readonly from: string } | undefined => {
    const value = profile?.settings.token;
    if (profile === undefined || value === undefined) return undefined;
    const found: Found = { value, from: `profile ${profile.name}`, kind: 'profile' };
    const plan = planOf(found, profile.name, profileMaySend);
    return plan && { plan, from: `${found.from}${value.startsWith('env://') ? ` (${value})` : ''}` };
  };
  if (token?.kind === 'own') return { plan: { from: 'variable', name: token.from }, from: token.from };
  if (file?.kind === 'own') return fileAt(file.value, file.from);
  if (named?.settings.token !== undefined) return profileToken();
  if (file?.kind === 'product') return fileAt(file.value, file.from);
  if (token?.kind === 'product') return { plan: { from: 'variable', name: token.from }, from: token.from };
  return loginFile === undefined ? profileToken() : fileAt(loginFile, loginFile);
}

/**
 * What to do about a token that is missing although a profile or the product's own login has one; undefined: none has.
 *
 * @param withheldFrom the profile whose token is not sent to the address
 */
export function tokenHintOf(
  service: ServiceName,
  { env, exists }: Sources,
  address: Found,
  withheldFrom?: string,
): string | undefined {
  const { product, loginCommand } = services[service];
  if (withheldFrom !== undefined)
    return `The token of profile ${withheldFrom} is sent only to the addresses of that profile. Use a profile for this address, or set ${ownVariable(service, 'token')}.`;
  const file = address.kind === 'product' ? undefined : loginFileOf(service, env, exists);
  const names = (product.address ?? []).join(' or ');
  if (file !== undefined)
    return `The token in ${file} is used only with an address from ${names}: to use it here, run \`lanyard profile put NAME ${service}.token=file://${file}\` or set ${ownVariable(service, 'tokenFile')}=${file}.`;
  if (loginCommand === undefined || address.kind !== 'product') return undefined;
  const [variable = ''] = product.token ?? [];
  return `Set ${variable}, for example to the token of your login: export ${variable}="$(${loginCommand})". Or log in with \`lanyard account login\`, or set a token in the profile.`;
}

/** The token file of the product's own login, if it exists. */
function loginFileOf(
  service: ServiceName,
  env: Sources['env'],
  exists: (path: string) => boolean = () => false,
): string | undefined {
  const files = services[service].loginFiles ?? [];
  const names = visible(
    files.flatMap(({ variable }) => variable ?? []),
    env,
  );
  // The first one counts, whether it exists or not.
  const loginFile = files.find(
    ({ variable }) => variable === undefined || (names.includes(variable) && env[variable]),
  );
  if (loginFile === undefined) return undefined;
  const base = loginFile.variable === undefined ? '' : (env[loginFile.variable] ?? '');
  const path = [base, loginFile.path].filter((part) => part !== '').join('/');
  return exists(path) ? path : undefined;
}

/** Where a secret is read from; undefined: it is stored in a profile, and not for this address. */
export function planOf(
  found: Found,
  profile: string | undefined,
  profileMaySend: () => boolean,
): TokenPlan | undefined {
  const { kind, value, from } = found;
  if (kind !== 'profile') return { from: 'variable', name: from };
  if (!profileMaySend()) return undefined;
  if (value === 'stored') return { from: 'store', profile: profile ?? '' };
  if (value.startsWith('env://')) return { from: 'variable', name: value.slice(6) };
  return { from: 'file', path: value.replace(/^file:\/\//, '') };
}
