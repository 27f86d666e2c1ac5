import type { RegistryClient } from '../../../api/registry.ts';
import { type Block, fields, strong, text } from '../../../output/document.ts';
import { timestampText } from '../../../output/humanize.ts';

export type Token = Awaited<ReturnType<RegistryClient['login']>>['body'];

const names = (links: Token['Policies']): readonly string[] =>
  (links ?? []).map(({ Name, ID }) => Name ?? ID ?? '');

/** The permissions of a token: "policies a, b", "role c", "no policies". */
function grants({ Policies, Roles, ServiceIdentities }: Token): string {
  const parts = [
    grantText('policy', 'policies', names(Policies)),
    grantText('role', 'roles', names(Roles)),
    grantText(
      'service identity',
      'service identities',
      (ServiceIdentities ?? []).map(({ ServiceName }) => ServiceName),
    ),
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'no policies' : parts.join(', ');
}

const grantText = (one: string, several: string, of: readonly string[]): string =>
  of.length === 0 ? '' : `${of.length === 1 ? one : several} ${of.join(', ')}`;

/** The expiration time of a token; undefined: it does not expire. */
export const expirationText = ({ ExpirationTime }: Token): string | undefined =>
  timestampText(ExpirationTime);

/** A token with its secret, for the only time that it is printed. */
export const tokenFields = (token: Token): Block =>
  fields([
    ['secret', [strong(token.SecretID)]],
    ['accessor', token.AccessorID],
    ['grants', grants(token)],
    ['expires', expirationText(token) ?? 'never'],
  ]);

export function loggedInLine(token: Token): Block {
  const end = expirationText(token);
  const method = token.AuthMethod ? ` with auth method ${token.AuthMethod}` : '';
  const until = end === undefined ? '' : `, until ${end}`;
  return text(`Logged in${method}${until}, with ${grants(token)}.`);
}

export const omitSecret = (token: Token) => ({
  accessorId: token.AccessorID,
  authMethod: token.AuthMethod ?? null,
  policies: names(token.Policies),
  roles: names(token.Roles),
  serviceIdentities: (token.ServiceIdentities ?? []).map(({ ServiceName }) => ServiceName),
  local: token.Local ?? false,
  validUntil: token.ExpirationTime ?? null,
});
