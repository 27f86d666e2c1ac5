/** The words of grants: types of resources, prefixes of IDs, actions (Boundary 0.21, docs/protocol/accounts.md). */

/** A type of resource. `isTop`: its list and creation are granted by the type alone. `parent`: whose ID it is below. */
interface ResourceType {
  readonly prefixes: readonly string[];
  readonly isTop?: true;
  readonly parent?: string;
}

const inMethod = { parent: 'auth-method' } as const;
const inCatalog = { parent: 'host-catalog' } as const;
const inStore = { parent: 'credential-store' } as const;

export const resourceTypes: Readonly<Record<string, ResourceType>> = {
  account: { prefixes: ['acctpw', 'apw', 'acctoidc', 'acctldap'], ...inMethod },
  alias: { prefixes: ['alt'], isTop: true },
  'auth-method': { prefixes: ['ampw', 'amoidc', 'amldap'], isTop: true },
  'auth-token': { prefixes: ['at'], isTop: true },
  billing: { prefixes: [] },
  credential: {
    prefixes: ['cdvlt', 'credup', 'credupd', 'cred', 'credp', 'credspk', 'credjson'],
    ...inStore,
  },
  'credential-library': { prefixes: ['clvlt', 'clvsclt', 'clvllt'], ...inStore },
  'credential-store': { prefixes: ['csst', 'cs', 'csvlt'], isTop: true },
  group: { prefixes: ['g'], isTop: true },
  host: { prefixes: ['hst', 'hplg', 'h'], ...inCatalog },
  'host-catalog': { prefixes: ['hcst', 'hcplg', 'hc'], isTop: true },
  'host-set': { prefixes: ['hsst', 'hsplg', 'hs'], ...inCatalog },
  'managed-group': { prefixes: ['mgoidc', 'mgldap'], ...inMethod },
  policy: { prefixes: ['pst'], isTop: true },
  role: { prefixes: ['r'], isTop: true },
  scope: { prefixes: ['global', 'o', 'p'], isTop: true },
  session: { prefixes: ['s'], isTop: true },
  'session-recording': { prefixes: ['sr'], isTop: true },
  'storage-bucket': { prefixes: ['sb'], isTop: true },
  target: { prefixes: ['ttcp', 'tssh', 'trdp'], isTop: true },
  user: { prefixes: ['u'], isTop: true },
  worker: { prefixes: ['w'], isTop: true },
};

const typeByPrefix: ReadonlyMap<string, string> = new Map(
  Object.entries(resourceTypes).flatMap(([type, { prefixes }]) => prefixes.map((each) => [each, type])),
);

/** The type of the resource of an ID; undefined: no type has the prefix. */
export const typeOfId = (id: string): string | undefined => typeByPrefix.get(id.split('_', 1)[0] ?? '');

/** Whether resources of the type have resources of other types below them. */
export const hasChildren = (type: string): boolean =>
  Object.values(resourceTypes).some(({ parent }) => parent === type);

/** The actions that a grant may have; `*` is all of them. */
export const actions: readonly string[] = [
  ...['*', 'add-accounts', 'add-credential-sources', 'add-grant-scopes', 'add-grants', 'add-host-sources'],
  ...['add-hosts', 'add-members', 'add-principals', 'add-worker-tags', 'attach-storage-policy'],
  ...['authenticate', 'authorize-session', 'cancel', 'cancel:self', 'change-password', 'change-state'],
  ...['create', 'create:controller-led', 'create:worker-led', 'deauthenticate', 'delete', 'delete:self'],
  ...['destroy-key-version', 'detach-storage-policy', 'download', 'list'],
  ...['list-key-version-destruction-jobs', 'list-keys', 'list-resolvable-aliases', 'monthly-active-users'],
  ...['no-op', 'read', 'read-certificate-authority', 'read:self', 'reapply-storage-policy'],
  ...['reinitialize-certificate-authority', 'remove-accounts', 'remove-credential-sources'],
  ...['remove-grant-scopes', 'remove-grants', 'remove-host-sources', 'remove-hosts', 'remove-members'],
  ...['remove-principals', 'remove-worker-tags', 'rotate-keys', 'set-accounts', 'set-credential-sources'],
  ...['set-grant-scopes', 'set-grants', 'set-host-sources', 'set-hosts', 'set-members', 'set-password'],
  ...['set-principals', 'set-worker-tags', 'update'],
];

/** Actions of former versions, and what replaced them. */
export const formerActions: Readonly<Record<string, string>> = {
  'add-credential-libraries': 'add-credential-sources',
  'add-host-sets': 'add-host-sources',
  'remove-credential-libraries': 'remove-credential-sources',
  'remove-host-sets': 'remove-host-sources',
  'set-credential-libraries': 'set-credential-sources',
  'set-host-sets': 'set-host-sources',
};
