import { replicatedNames } from '../../src/services/registry/replication/replicate-row.ts';

/** What a row of the services is: the objects that it is a part of, by the group of commands that manages them. */
export type RowObject = readonly string[] | 'index' | 'copy';

/** Rows by the beginning of their keys. `index`: follows the other rows. `copy`: of another row, made later. */
const rows: readonly (readonly [begin: RegExp, object: RowObject])[] = [
  [/^secrets\/seal/, ['secrets']],
  [/^secrets\/data\/(token|token-role|cubbyhole)\//, ['secrets token']],
  [/^secrets\/data\/lease\//, ['secrets lease']],
  [/^secrets\/data\/namespace\//, ['secrets namespace']],
  [/^secrets\/data\/policy\//, ['secrets policy']],
  [/^secrets\/data\/identity\//, ['secrets identity']],
  [/^secrets\/data\/migration\//, ['secrets mount', 'secrets auth']],
  [/^secrets\/data\/mount\/table\/auth\//, ['secrets auth']],
  [/^secrets\/data\/mount\/table\//, ['secrets mount']],
  [/^secrets\/data\/mount\/data\/[^/]+\/secret\/(id\/|salt$)/, ['kv', 'secrets auth role']],
  [/^secrets\/data\/mount\/data\/[^/]+\/(data|metadata|secret|config)(\/|$)/, ['kv']],
  [/^secrets\/data\/mount\/data\/[^/]+\/role\//, ['ssh role', 'secrets auth role']],
  [/^secrets\/data\/mount\/data\/[^/]+\/ca$/, ['ssh ca']],
  [/^secrets\/data\/mount\/data\/[^/]+\/zero-address$/, ['ssh zero-address']],
  [/^secrets\/data\/mount\/data\/[^/]+\/otp/, ['ssh', 'secrets lease']],
  [/^secrets\/data\//, ['secrets']],

  [/^(registry|scheduler)\/index$/, 'index'],
  [/^registry\/datacenter\/[^/]+\/index$/, 'copy'],
  [
    new RegExp(`^registry/datacenter/[^/]+/(secrets|policy-names|role-names|${replicatedNames.join('|')})/`),
    'copy',
  ],
  [/^registry\/(tokens|secrets|bootstrap)\//, ['acl token']],
  [/^registry\/(policies|policy-names)\//, ['acl policy']],
  [/^registry\/(roles|role-names)\//, ['acl role']],
  [/^registry\/auth-methods\//, ['acl auth-method']],
  [/^registry\/binding-rules\//, ['acl binding-rule']],
  [/^registry\/(queries|query-names|query-sessions)\//, ['query']],
  [/^registry\/kv\//, ['registry kv']],
  [/^registry\/(sessions|node-sessions)\//, ['registry session']],
  [/^registry\/locks\//, ['registry session', 'registry kv']],
  [/^registry\/config\//, ['registry config']],
  [/^registry\/nodes\//, ['registry node']],
  [/^registry\/(services|service-checks|instances|checks)\//, ['registry service']],
  [/^registry\/agent-(services|service-checks|checks)\//, ['registry service']],
  [/^registry\//, ['registry']],

  [/^box\/downloads\//, ['download count']],
  [/^box\/owners\//, ['box org']],
  [/^box\/tokens\//, ['box token']],
  [/^(box|box-images)\//, ['box']],

  [/^scheduler\/(variables|locks)\//, ['var']],
  [/^scheduler\/namespaces\//, ['namespace']],
  [/^scheduler\/(tokens|secrets|bootstrap)\//, ['scheduler acl token']],
  [/^scheduler\/policies\//, ['scheduler acl policy']],
  [/^scheduler\/(roles|role-names)\//, ['scheduler acl role']],
  [/^scheduler\//, ['scheduler']],

  [/^accounts\/(sequence|removed|unique|counts)(\/|$)/, 'index'],
  [/^accounts\/((changed|created)\/)?(tokens|auth-tokens|account-tokens)\//, ['account token']],
  [/^accounts\/((changed|created)\/)?(users|account-user|account-users|user-accounts)\//, ['account user']],
  [/^accounts\/((changed|created)\/)?(roles|role-[a-z-]+)\//, ['account role']],
  [/^accounts\/((changed|created)\/)?scopes\//, ['account scope']],
  [/^accounts\/((changed|created)\/)?auth-methods\//, ['account auth-method']],
  [/^accounts\/((changed|created)\/)?accounts\//, ['account']],
  [/^accounts\//, ['accounts']],
];

/** What a row is. @throws Error a row of no object */
export function objectOf(key: string): RowObject {
  const found = rows.find(([begin]) => begin.test(key))?.[1];
  if (!found) throw new Error(`a row of no object: ${key}`);
  return found;
}
