import type { RegistryClient } from '../../api/registry.ts';
import { type Block, code, fields, strong, text } from '../../output/document.ts';
import { moment } from '../../output/time.ts';

/** A token as the registry gives it, with its secret. */
export type Token = Awaited<ReturnType<RegistryClient['login']>>['body'];

const names = (links: Token['Policies']): readonly string[] =>
  (links ?? []).map(({ Name, ID }) => Name ?? ID ?? '');

/** What a token may do, in words: "the policies a, b", "the role c", "no policy". */
function grants({ Policies, Roles, ServiceIdentities }: Token): string {
  const said = [
    granted('policy', 'policies', names(Policies)),
    granted('role', 'roles', names(Roles)),
    granted(
      'service identity',
      'service identities',
      (ServiceIdentities ?? []).map(({ ServiceName }) => ServiceName),
    ),
  ].filter((part) => part !== '');
  return said.length === 0 ? 'no policy' : said.join(', ');
}

const granted = (one: string, several: string, of: readonly string[]): string =>
  of.length === 0 ? '' : `the ${of.length === 1 ? one : several} ${of.join(', ')}`;

/** The end of a token, `undefined` when it has none. */
export function endOf({ ExpirationTime }: Token): string | undefined {
  const end = new Date(ExpirationTime ?? '');
  return Number.isNaN(end.getTime()) ? undefined : moment(end);
}

/** A token with its secret: for the one time that it is shown. */
export const tokenFields = (token: Token): Block =>
  fields([
    ['secret', [strong(token.SecretID)]],
    ['accessor', token.AccessorID],
    ['may use', grants(token)],
    ['ends', endOf(token) ?? 'never'],
  ]);

/** Where a token is now. */
export const storedLine = (profile: string, where: 'keyring' | 'file'): Block =>
  text(
    'The token is stored with the profile ',
    code(profile),
    where === 'keyring' ? ', in the keyring.' : ', in a file.',
  );

/** Who a login made the user to be. */
export function loggedInLine(token: Token): Block {
  const end = endOf(token);
  const through = token.AuthMethod ? ` through ${token.AuthMethod}` : '';
  const until = end === undefined ? 'without end' : `until ${end}`;
  return text(`Logged in${through}, ${until}, with ${grants(token)}.`);
}

/** A token as data without its secret. */
export const withoutSecret = (token: Token) => ({
  accessorId: token.AccessorID,
  authMethod: token.AuthMethod ?? null,
  policies: names(token.Policies),
  roles: names(token.Roles),
  serviceIdentities: (token.ServiceIdentities ?? []).map(({ ServiceName }) => ServiceName),
  local: token.Local ?? false,
  validUntil: token.ExpirationTime ?? null,
});
