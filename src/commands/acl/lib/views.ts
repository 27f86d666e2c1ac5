import type { AclPolicy, AclToken } from '../../../api/registry-acl.ts';
import { type Block, type Document, dim, fields, raw, strong, text } from '../../../output/document.ts';
import { timestampText } from '../../../output/humanize.ts';
import { templateName } from './grants.ts';

export type Token = AclToken;

export const datacentersOf = ({ Datacenters }: AclPolicy): string => (Datacenters ?? []).join(', ') || 'all';

const names = (links: Token['Policies']): readonly string[] =>
  (links ?? []).map(({ Name, ID }) => Name ?? ID ?? '');

const inDatacenters = (name: string, datacenters: readonly string[] | null | undefined): string =>
  datacenters && datacenters.length > 0 ? `${name}:${datacenters.join(',')}` : name;

const services = ({ ServiceIdentities }: Pick<Token, 'ServiceIdentities'>): readonly string[] =>
  (ServiceIdentities ?? []).map(({ ServiceName, Datacenters }) => inDatacenters(ServiceName, Datacenters));

const nodes = ({ NodeIdentities }: Pick<Token, 'NodeIdentities'>): readonly string[] =>
  (NodeIdentities ?? []).map(({ NodeName, Datacenter = '' }) => `${NodeName}:${Datacenter}`);

/** Templated policies in the form of the flag: `builtin/service:web`. */
const templates = ({ TemplatedPolicies }: Pick<Token, 'TemplatedPolicies'>): readonly string[] =>
  (TemplatedPolicies ?? []).map(({ TemplateName = '', TemplateVariables, Datacenters }) => {
    const name = templateName(TemplateVariables);
    return inDatacenters(name === '' ? TemplateName : `${TemplateName}:${name}`, Datacenters);
  });

/** What a token or role is linked to. */
export type Grants = Pick<
  Token,
  'Policies' | 'Roles' | 'ServiceIdentities' | 'NodeIdentities' | 'TemplatedPolicies'
>;

/** The permissions of a token or role: "policies a, b", "role c", "no policies". */
export function grants(object: Grants): string {
  const parts = [
    grantText('policy', 'policies', names(object.Policies)),
    grantText('role', 'roles', names(object.Roles)),
    grantText('service identity', 'service identities', services(object)),
    grantText('node identity', 'node identities', nodes(object)),
    grantText('templated policy', 'templated policies', templates(object)),
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'no policies' : parts.join(', ');
}

export const hasGrants = (object: Grants): boolean => grants(object) !== 'no policies';

const grantText = (one: string, several: string, of: readonly string[]): string =>
  of.length === 0 ? '' : `${of.length === 1 ? one : several} ${of.join(', ')}`;

/** The expiration time of a token; undefined: it does not expire. */
export const expirationText = ({ ExpirationTime }: Pick<Token, 'ExpirationTime'>): string | undefined =>
  timestampText(ExpirationTime);

/** A token with its secret, for the only time that it is printed. */
export const tokenFields = (token: Token): Block =>
  fields([
    ['secret', strong(token.SecretID)],
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

const list = (values: readonly string[]): string | undefined => values.join(', ') || undefined;

/** A row for each kind of permissions. */
export const grantRows = (object: Grants): Parameters<typeof fields>[0] => [
  ['policies', list(names(object.Policies))],
  ['roles', list(names(object.Roles))],
  ['service identities', list(services(object))],
  ['node identities', list(nodes(object))],
  ['templated policies', list(templates(object))],
  ['policies', hasGrants(object) ? undefined : dim('(none)')],
];

/** A token; its secret is redacted before, unless it is to be shown. */
export const tokenView = (token: Token): Document => [
  fields([
    ['accessor', strong(token.AccessorID)],
    ['secret', token.SecretID.startsWith('<') ? dim(token.SecretID) : token.SecretID],
    ['description', token.Description || null],
    ...grantRows(token),
    ['scope', token.Local ? 'local' : 'global'],
    ['auth method', token.AuthMethod || undefined],
    ['created', timestampText(token.CreateTime)],
    ['expires', expirationText(token) ?? 'never'],
  ]),
  ...(token.ExpandedPolicies ?? []).map(({ Name, Description, Rules = '' }) => {
    const title = Name.startsWith('synthetic-policy-') ? (Description ?? Name) : `policy ${Name}`;
    return raw(`\n# ${title}\n${Rules.trim()}\n`);
  }),
];
