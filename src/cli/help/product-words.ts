import { childrenOf } from './help.ts';
import { findEntry, longestPrefix } from './usage-hints.ts';

const readServices = 'registry service list';
const readNodes = 'registry node list';
const listMethods = ['account auth-method list', 'acl auth-method list'];
const listMounts = 'secrets mount list';
const enableMount = 'secrets mount enable TYPE';
const enableMethod = 'secrets auth enable TYPE';
const listPolicies = ['secrets policy list', 'acl policy list', 'scheduler acl policy list'];
const schedulerApi = 'api scheduler METHOD PATH';
const listServerNodes = 'api scheduler GET nodes';
const readTokens = ['secrets token self', 'acl token self', 'scheduler acl token self', 'box token check'];
const putSchedulerPolicy = 'scheduler acl policy put NAME --rules @FILE';

/** Words that users of the products' own tools type, and the commands for them. None of these deletes anything. */
export const productWords: Readonly<Record<string, readonly string[]>> = {
  read: ['secrets read PATH', 'kv get PATH', 'var get PATH'],
  get: ['kv get PATH', 'var get PATH', 'secrets read PATH'],
  write: ['secrets write PATH KEY=VALUE', 'kv put PATH KEY=VALUE', 'var put PATH KEY=VALUE'],
  put: ['kv put PATH KEY=VALUE', 'var put PATH KEY=VALUE', 'secrets write PATH KEY=VALUE'],
  patch: ['kv patch PATH KEY=VALUE', 'secrets patch PATH KEY=VALUE'],
  list: ['secrets list PATH', 'kv list PATH', 'var list', 'namespace list', 'query list'],
  ls: ['secrets list PATH', 'kv list PATH', 'var list', 'namespace list', 'query list'],
  search: ['box search'],
  sign: ['ssh sign ROLE'],
  login: ['secrets login', 'acl login', 'box token create', 'account login'],
  authenticate: ['account login'],
  logout: ['secrets logout', 'acl logout', 'account logout'],
  'path-help': ['secrets help PATH'],
  secret: ['secrets read PATH', 'kv get PATH'],
  mount: [listMounts, enableMount],
  mounts: [listMounts, enableMount],
  enable: [enableMount, enableMethod],
  'secrets enable': [enableMount],
  'secrets tune': ['secrets mount tune PATH'],
  'secrets move': ['secrets mount move SOURCE DESTINATION'],
  auth: ['secrets auth list', 'acl login', 'account login'],
  'auth list': ['secrets auth list'],
  'auth enable': [enableMethod],
  'auth tune': ['secrets auth tune PATH'],
  'auth move': ['secrets auth move SOURCE DESTINATION'],
  'auth-method': listMethods,
  'auth-methods': listMethods,
  'auth-tokens': ['account token list'],
  groups: ['api accounts GET "groups?scope_id=global&recursive=true"'],
  scope: ['account scope list'],
  'boundary auth-methods': ['account auth-method list', 'account auth-method update METHOD'],
  'boundary users': ['account user list', 'account user get USER'],
  'boundary roles': ['account role list', 'account role get ROLE'],
  'boundary scopes': ['account scope list', 'account scope get SCOPE'],
  'boundary auth-tokens': ['account token list', 'account token get'],
  policy: listPolicies,
  policies: listPolicies,
  'policy read': ['secrets policy get NAME', 'acl policy get NAME'],
  'policy write': ['secrets policy put NAME @FILE', 'acl policy put NAME --rules @FILE'],
  'policy list': listPolicies,
  'policy fmt': ['secrets policy check @FILE'],
  role: ['ssh role list', 'acl role list', 'account role list', 'secrets auth role list METHOD'],
  roles: ['ssh role list', 'acl role list', 'account role list', 'secrets auth role list METHOD'],
  approle: ['secrets auth role list METHOD', 'secrets auth role secret-id create METHOD NAME'],
  'secret-id': ['secrets auth role secret-id create METHOD NAME'],
  'role-id': ['secrets auth role id METHOD NAME'],
  raft: ['secrets snapshot save FILE', 'api secrets GET sys/storage/raft/configuration'],
  'operator raft': ['secrets snapshot save FILE', 'secrets snapshot inspect FILE'],
  'binding-rule': ['acl binding-rule list'],
  token: readTokens,
  tokens: readTokens,
  'token create': ['secrets token create', 'acl token create', 'box token create'],
  'token lookup': ['secrets token self', 'secrets token lookup'],
  'token capabilities': ['secrets token capabilities PATH'],
  'token renew': ['secrets token renew', 'secrets token keep-alive -- COMMAND'],
  creds: ['secrets creds MOUNT/ROLE', 'run --creds MOUNT/ROLE -- COMMAND'],
  database: ['secrets creds MOUNT/ROLE'],
  pki: ['secrets creds MOUNT/ROLE --common-name NAME', 'secrets write PATH KEY=VALUE'],
  lease: ['secrets lease list', 'secrets lease lookup LEASE'],
  'lease renew': ['secrets lease renew LEASE'],
  unwrap: ['secrets unwrap'],
  operator: ['secrets status', 'secrets init', 'secrets unseal', schedulerApi],
  'operator api': [schedulerApi],
  'operator init': ['secrets init'],
  'operator unseal': ['secrets unseal'],
  'operator seal': ['secrets seal'],
  init: ['secrets init'],
  unseal: ['secrets unseal'],
  server: ['dev'],
  agent: ['dev'],
  start: ['dev'],
  service: [readServices, 'chain get SERVICE', 'query list'],
  services: [readServices, 'chain get SERVICE', 'query list'],
  catalog: [readServices, readNodes],
  node: [readNodes, listServerNodes],
  'node status': [listServerNodes],
  job: ['api scheduler GET jobs', schedulerApi],
  jobs: ['api scheduler GET jobs'],
  alloc: ['api scheduler GET allocations', schedulerApi],
  nodes: [readNodes],
  members: ['registry member list'],
  snapshot: ['registry snapshot save FILE', 'secrets snapshot save FILE'],
  'consul snapshot': ['registry snapshot save FILE', 'registry snapshot inspect FILE'],
  maint: ['registry maintenance get', 'registry maintenance enable'],
  maintenance: ['registry maintenance get', 'registry maintenance enable'],
  datacenters: ['registry datacenter list'],
  'catalog datacenters': ['registry datacenter list'],
  health: ['status', 'registry service get NAME'],
  session: ['registry session list', 'registry session create'],
  sessions: ['registry session list', 'api accounts GET "sessions?scope_id=global&recursive=true"'],
  targets: ['api accounts GET "targets?scope_id=global&recursive=true"'],
  connect: ['ssh connect USER@HOST --role ROLE'],
  config: ['profile get', 'registry config get KIND NAME'],
  settings: ['profile get'],
  bootstrap: ['acl bootstrap', 'scheduler acl bootstrap'],
  'nomad acl': ['scheduler acl policy list', 'scheduler acl token list'],
  'nomad acl bootstrap': ['scheduler acl bootstrap'],
  'nomad acl policy': ['scheduler acl policy list', putSchedulerPolicy],
  'nomad acl policy apply': [putSchedulerPolicy],
  'nomad acl policy info': ['scheduler acl policy get NAME'],
  'nomad acl policy self': ['scheduler acl policy list'],
  'nomad acl token': ['scheduler acl token list', 'scheduler acl token create --policy NAME'],
  'nomad acl token list': ['scheduler acl token list'],
  'nomad acl token self': ['scheduler acl token self'],
  'nomad acl token info': ['scheduler acl token get TOKEN'],
  'nomad acl token create': ['scheduler acl token create --policy NAME'],
  'nomad acl token update': ['scheduler acl token update TOKEN'],
  'nomad acl role': ['scheduler acl role list', 'scheduler acl role put NAME --policy NAME'],
  'nomad acl role info': ['scheduler acl role get NAME'],
  'nomad acl auth-method': ['api scheduler GET acl/auth-methods'],
  'nomad acl binding-rule': ['api scheduler GET acl/binding-rules'],
  'scheduler policy': ['scheduler acl policy list'],
  'scheduler token': ['scheduler acl token list'],
  'scheduler role': ['scheduler acl role list'],
  'nomad operator': [schedulerApi],
  'vault audit': ['api secrets GET sys/audit'],
  'vagrant box add': ['box download OWNER/NAME'],
  'vagrant cloud auth': ['box token create', 'box token check'],
  'vagrant cloud search': ['box search QUERY'],
  'vagrant cloud publish': ['box publish OWNER/NAME VERSION PROVIDER FILE'],
  'secrets kv': ['kv get PATH', 'kv put PATH KEY=VALUE', 'kv list PATH'],
  'secrets operator': ['secrets status', 'secrets init', 'secrets unseal'],
  'account auth-tokens': ['account token list'],
  'consul kv': ['registry kv get KEY', 'registry kv put KEY VALUE', 'registry kv list'],
  ns: ['namespace list', 'secrets namespace list'],
  namespaces: ['namespace list', 'secrets namespace list'],
  vars: ['var list'],
  lock: ['var lock PATH -- COMMAND', 'registry lock KEY -- COMMAND'],
  scopes: ['account scope list', 'account scope get SCOPE'],
  accounts: ['account list'],
  users: ['account user list', 'account list'],
  boxes: ['box list', 'box search'],
  exec: ['run -- COMMAND', 'query exec QUERY'],
  env: ['run -- COMMAND'],
  envconsul: ['run --key PREFIX/ -- COMMAND'],
  'kv cp': ['kv copy SRC DST'],
  'kv mv': ['kv move SRC DST'],
  'kv rename': ['kv move SRC DST'],
  'kv grep': ['kv search TEXT'],
  'kv find': ['kv search TEXT'],
  'kv tree': ['kv list PATH --recursive'],
  'kv backup': ['kv export PATH FILE'],
  'kv restore': ['kv import FILE'],
  'kv history': ['kv metadata get PATH'],
  'kv watch': ['kv get PATH --watch', 'wait kv PATH'],
  watch: [
    'kv get PATH --watch',
    'var get PATH --watch',
    'registry kv get KEY --watch',
    'run --watch -- COMMAND',
  ],
  whoami: ['status', ...readTokens],
  ca: ['ssh ca get', 'ssh ca public-key', 'ssh trust'],
  cert: ['ssh sign ROLE', 'ssh inspect FILE'],
  'profile switch': ['profile use NAME'],
  'profile current': ['profile get'],
  'query run': ['query exec QUERY'],
  'box add': ['box download OWNER/NAME', 'box create OWNER/NAME'],
};

/** The areas of each product; the first word of a command line for its own tool. */
const products: Readonly<Record<string, readonly string[]>> = {
  vault: ['secrets', 'kv', 'ssh'],
  bao: ['secrets', 'kv', 'ssh'],
  consul: ['acl', 'registry', 'query', 'txn', 'chain', 'api registry'],
  nomad: ['namespace', 'var', 'scheduler', 'api scheduler'],
  boundary: ['account', 'api accounts'],
  vagrant: ['box'],
};

/** Verbs of other tools, and the ones that commands here have instead. */
const verbs: Readonly<Record<string, readonly string[]>> = {
  read: ['get'],
  show: ['get'],
  info: ['get'],
  describe: ['get'],
  inspect: ['get'],
  status: ['get'],
  write: ['put', 'update'],
  set: ['put'],
  apply: ['put'],
  add: ['create', 'put'],
  new: ['create', 'put'],
  create: ['put'],
  update: ['put'],
  ls: ['list'],
};

/** Verbs that a suggestion does not contain. */
const destructive = /^(delete|destroy|disable|purge|revoke|rm|tidy)$/;

/** Short forms, which are suggested by their full names. */
const aliases = ['ls', 'show'];

/** What commander suggests, without destructive commands. */
export const withoutDestructive = (text: string): string =>
  text.replace(/ \(Did you mean (?:one of )?([^?]+)\?\)/, (_all, names: string) => {
    const safe = names.split(', ').filter((name) => !destructive.test(name) && !aliases.includes(name));
    if (safe.length === 0) return '';
    return ` (Did you mean ${safe.length > 1 ? 'one of ' : ''}${safe.join(', ')}?)`;
  });

/**
 * The commands for words that are no command.
 *
 * @param words the operands of the command line, `vault kv get secret/app`.
 */
export function commandsFor(words: readonly string[]): readonly string[] {
  const known = longestPrefix(words.slice(0, 4), (prefix) => own(productWords, prefix));
  if (known) return known;
  const [first = '', ...rest] = words;
  const areas = own(products, first);
  if (!areas) return withOtherVerb(words);
  if (rest.slice(0, 3).some((word) => destructive.test(word))) return [];
  const found =
    longestPrefix(rest.slice(0, 3), (prefix) => own(productWords, prefix) ?? commandAt(prefix)) ??
    withOtherVerb(rest);
  const inAreas = found.filter((line) => areas.some((area) => `${line} `.startsWith(`${area} `)));
  return inAreas.length > 0 ? inAreas : areas.filter((area) => !area.includes(' '));
}

/** The help topic with the equivalents of all commands of the product that a command line begins with. */
export function productTopic([first = '']: readonly string[]): string | undefined {
  return first === 'bao' ? 'vault' : own(products, first) && first;
}

const own = <Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

const commandAt = (path: string): string[] | undefined =>
  findEntry(path) && !destructive.test(path.split(' ').at(-1) ?? '') ? [path] : undefined;

/** `box show` -> `box get` */
function withOtherVerb(words: readonly string[]): string[] {
  for (const [index, word] of words.entries()) {
    const group = words.slice(0, index).join(' ');
    const children = childrenOf(group).map(([name]) => name);
    if (children.includes(word)) continue;
    return (own(verbs, word) ?? [])
      .filter((verb) => children.includes(verb))
      .map((verb) => `${group} ${verb}`);
  }
  return [];
}
