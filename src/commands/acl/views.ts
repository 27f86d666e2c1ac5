import type { RegistryClient } from '../../api/registry.ts';
import { type Block, code, fields, strong, text } from '../../output/document.ts';
import { moment } from '../../output/time.ts';

/** A token from the registry, with its secret. */
export type Token = Awaited<ReturnType<RegistryClient['login']>>['body'];

const names = (links: Token['Policies']): readonly string[] =>
  (links ?? []).map(({ Name, ID }) => Name ?? ID ?? '');

/** The permissions of a token: "policies a, b", "role c", "no policies". */
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
  return said.length === 0 ? 'no policies' : said.join(', ');
}

const granted = (one: string, several: string, of: readonly string[]): string =>
  of.length === 0 ? '' : `${of.length === 1 ? one : several} ${of.join(', ')}`;

/** The expiration time of a token; undefined: it does not expire. */
export function endOf({ ExpirationTime }: Token): string | undefined {
  const end = new Date(ExpirationTime ?? '');
  return Number.isNaN(end.getTime()) ? undefined : moment(end);
}

/** A token with its secret, for the only time that it is printed. */
export const tokenFields = (token: Token): Block =>
  fields([
    ['secret', [strong(token.SecretID)]],
    ['accessor', token.AccessorID],
    ['grants', grants(token)],
    ['expires', endOf(token) ?? 'never'],
  ]);

/** Where a token was stored. */
export const storedLine = (profile: string, where: 'keyring' | 'file'): Block =>
  text(
    'Stored the token with profile ',
    code(profile),
    where === 'keyring' ? ', in the keyring.' : ', in a file.',
  );

/** The result of a login. */
export function loggedInLine(token: Token): Block {
  const end = endOf(token);
  const method = token.AuthMethod ? ` with auth method ${token.AuthMethod}` : '';
  const until = end === undefined ? '' : `, until ${end}`;
  return text(`Logged in${method}${until}, with ${grants(token)}.`);
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
