/**
 * Types of resources in grants, as in Boundary 0.21 (`internal/types/resource`), with the prefixes of their IDs.
 * A grant may name a type that this service does not have.
 */
const typesOfGrants = {
  scope: ['global', 'o', 'p'],
  user: ['u'],
  group: ['g'],
  role: ['r'],
  'auth-method': ['ampw', 'amoidc', 'amldap'],
  account: ['acctpw', 'apw', 'acctoidc', 'acctldap'],
  'auth-token': ['at'],
  'host-catalog': ['hcst', 'hcplg', 'hc'],
  'host-set': ['hsst', 'hsplg', 'hs'],
  host: ['hst', 'hplg', 'h'],
  target: ['ttcp', 'tssh', 'trdp'],
  worker: ['w'],
  session: ['s'],
  'session-recording': ['sr'],
  'managed-group': ['mgoidc', 'mgldap'],
  'credential-store': ['csst', 'cs', 'csvlt'],
  'credential-library': ['clvlt', 'clvsclt', 'clvllt'],
  credential: ['cdvlt', 'credup', 'credupd', 'cred', 'credp', 'credspk', 'credjson'],
  'storage-bucket': ['sb'],
  policy: ['pst'],
  billing: [],
  alias: ['alt'],
} as const;

export type ResourceType = keyof typeof typesOfGrants;

/** The type in a grant: of one resource, or all. */
export type GrantType = ResourceType | '*';

export const isGrantType = (text: string): text is GrantType =>
  text === '*' || Object.hasOwn(typesOfGrants, text);

const typesByPrefix = new Map<string, ResourceType>(
  (Object.entries(typesOfGrants) as [ResourceType, readonly string[]][]).flatMap(([type, prefixes]) =>
    prefixes.map((prefix) => [prefix, type] as const),
  ),
);

/** The type of the resource with an ID, by its prefix. */
export const typeOfId = (id: string): ResourceType | undefined =>
  typesByPrefix.get(id.split('_', 1)[0] ?? '');

const parents: { readonly [type in GrantType]?: ResourceType } = {
  account: 'auth-method',
  'managed-group': 'auth-method',
  'host-set': 'host-catalog',
  host: 'host-catalog',
  'credential-library': 'credential-store',
  credential: 'credential-store',
};

/** The type of the resource that contains resources of a type; a type that is in a scope directly: itself. */
export const parentType = (type: GrantType): GrantType => parents[type] ?? type;

export const hasChildTypes = (type: ResourceType): boolean => Object.values(parents).includes(type);

/** Whether resources of a type are listed and created in a scope, not in another resource. */
export const isTopLevel = (type: GrantType | undefined): boolean =>
  type !== undefined && type !== '*' && type !== 'billing' && parents[type] === undefined;

const actionNames = [
  ...['list', 'create', 'update', 'read', 'delete', 'authenticate', '*', 'authorize-session'],
  ...['add-grants', 'remove-grants', 'set-grants', 'add-principals', 'set-principals', 'remove-principals'],
  ...['deauthenticate', 'add-members', 'set-members', 'remove-members', 'set-password', 'change-password'],
  ...['add-hosts', 'set-hosts', 'remove-hosts', 'cancel', 'add-accounts', 'set-accounts', 'remove-accounts'],
  ...['read:self', 'cancel:self', 'change-state', 'delete:self', 'no-op', 'add-credential-sources'],
  ...['set-credential-sources', 'remove-credential-sources', 'add-host-sources', 'set-host-sources'],
  ...['remove-host-sources', 'create:worker-led', 'add-worker-tags', 'set-worker-tags', 'remove-worker-tags'],
  ...['create:controller-led', 'reinitialize-certificate-authority', 'read-certificate-authority'],
  ...['list-keys', 'rotate-keys', 'list-key-version-destruction-jobs', 'destroy-key-version', 'download'],
  ...['attach-storage-policy', 'detach-storage-policy', 'reapply-storage-policy', 'add-grant-scopes'],
  ...['set-grant-scopes', 'remove-grant-scopes', 'monthly-active-users', 'list-resolvable-aliases'],
];

const replacements = new Map<string, string>(
  ['add', 'set', 'remove'].flatMap((verb) => [
    [`${verb}-host-sets`, `${verb}-host-sources`] as const,
    [`${verb}-credential-libraries`, `${verb}-credential-sources`] as const,
  ]),
);

const actions = new Set([...actionNames, ...replacements.keys()]);

export const isAction = (text: string): boolean => actions.has(text);

/** The action that replaces a deprecated one, which a grant must not name any more. */
export const replacementOf = (action: string): string | undefined => replacements.get(action);

/** Whether an action is another one or a part of it: `read:self` is a part of `read`. */
export const isWithin = (action: string, parent: string): boolean =>
  action === parent || action.startsWith(`${parent}:`);
