import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tree } from '../../src/commands/tree.ts';
import { type Bench, stateBench } from '../state/bench.ts';

/** A few objects, and twice as many: what is sent for each object is the difference. */
const counts = [4, 8] as const;

/** How a command that lists objects is tested. */
interface ListCase {
  /** The command line of the list. */
  readonly list: string;
  /** Command lines that create one object; absent: other rows create them. */
  readonly create?: (n: number) => readonly string[];
  /** What the list has of an object (default: `many-N`); false: the created objects are not in it. */
  readonly shows?: false | ((n: number) => string);
  /** Objects of a page, if the list is in pages. */
  readonly page?: number;
  /** Requests for each object, which need a reason. */
  readonly forEach?: { readonly requests: number; readonly why: string };
  /** The exit code of the list (default 0). */
  readonly code?: number;
}

const many = (n: number): string => `many-${n}`;
const host = (n: number): string => `10.9.8.${n + 1}`;

/** Lists by their commands; commands that list with a flag, or under another verb, have rows of their own. */
const cases: readonly ListCase[] = [
  {
    list: 'ssh role list',
    create: (n) => [`ssh role put many-${n} --key-type otp --default-user ubuntu --cidr-list 10.9.0.0/16`],
  },
  // The embedded service has a single CA in a mount.
  { list: 'ssh issuer list', code: 1 },
  { list: `ssh lookup ${host(0)}` },
  { list: 'ssh zero-address get', shows: false },
  {
    list: 'kv list secret/many',
    create: (n) => [`kv put secret/many/${n} a=x`],
    shows: (n) => `"${n}"`,
  },
  {
    list: 'kv list secret/many --recursive',
    shows: (n) => `"secret/many/${n}"`,
  },
  {
    list: 'kv list secret/deep --recursive',
    create: (n) => [`kv put secret/deep/${n}/app a=x`],
    shows: (n) => `"secret/deep/${n}/app"`,
    forEach: { requests: 1, why: 'a list of the service has one directory' },
  },
  { list: 'secrets list secret/metadata/many', shows: (n) => `"${n}"` },
  { list: 'secrets mount list', create: (n) => [`secrets mount enable kv --path many-${n}`] },
  { list: 'secrets auth list', create: (n) => [`secrets auth enable userpass --path many-${n}`] },
  { list: 'secrets policy list', create: (n) => [`secrets policy put many-${n} @policy.hcl`] },
  {
    list: 'secrets lease list auth/token/create',
    create: () => ['secrets token create --policy default --ttl 1h'],
    shows: () => '"',
  },
  { list: 'secrets namespace list', create: (n) => [`secrets namespace create many-${n}-ns`] },
  { list: 'acl policy list', create: (n) => [`acl policy put many-${n} --rules @rules.hcl`] },
  { list: 'acl role list', create: (n) => [`acl role put many-${n} --node-identity n${n}:dc1`] },
  {
    list: 'acl token list',
    create: (n) => [`acl token create --node-identity many-${n}:dc1 --description many-${n}`],
  },
  { list: 'acl token list --policy many-0', shows: false },
  {
    list: 'acl auth-method list',
    create: (n) => [`acl auth-method put many-${n} --type jwt --jwt-validation-pub-key @jwt.pem`],
  },
  {
    list: 'acl binding-rule list',
    create: (n) => [
      `acl binding-rule create --method many-0 --bind-type service --bind-name many-${n} --description x`,
    ],
  },
  { list: 'acl templated-policy list', shows: false },
  { list: 'query list', create: (n) => [`query create many-${n} --service web`] },
  { list: 'registry service list', create: (n) => [`registry service register many-${n}`] },
  {
    list: 'registry node list',
    create: (n) => [`api registry PUT v1/catalog/register --data @node-${n}.json`],
  },
  { list: 'registry kv list many/', create: (n) => [`registry kv put many/many-${n} x`] },
  { list: 'registry kv list many/ --recursive' },
  { list: 'registry kv export many/' },
  { list: 'registry config list', create: (n) => [`registry config put entry-${n}.json`] },
  { list: 'registry config list service-defaults' },
  { list: 'registry session list', create: (n) => [`registry session create --name many-${n}`] },
  { list: 'box list dev', create: (n) => [`box publish dev/many-${n} 1.0.0 qemu st-image.box --public`] },
  { list: 'box search many --limit 100' },
  { list: 'box search many --all --limit 3', page: 3 },
  { list: 'box org get dev' },
  { list: 'namespace list', create: (n) => [`namespace put many-${n}`] },
  { list: 'var list', create: (n) => [`var put many/many-${n} a=x`] },
  { list: 'var list --all --per-page 3', page: 3 },
  {
    list: 'var export variables --force',
    forEach: { requests: 1, why: 'the list of the service has no items' },
  },
  {
    list: 'var diff --with variables --prefix many/',
    shows: false,
    forEach: { requests: 1, why: 'the list of the service has no items' },
  },
  {
    list: 'account list --page-size 3',
    create: (n) => [`account create --login-name many-${n} --no-password`],
    page: 3,
  },
  { list: 'account list' },
  { list: 'account auth-method list', shows: false },
  {
    list: 'account token list',
    create: () => [
      'account login --login-name many --password env://PASSWORD --auth-method ampw_1234567890 --no-store',
    ],
    shows: () => 'at_',
  },
  { list: 'account token list --all', shows: () => 'at_' },
  { list: 'profile list', create: (n) => [`profile put many-${n} registry.datacenter=dc1`] },
  { list: 'alias list', create: (n) => [`alias set many-${n} status`] },
  { list: 'plugin list', shows: false },
  { list: 'status', shows: false },
];

/** Commands whose last word is that of a list, and that are tested elsewhere. */
const elsewhere: Readonly<Record<string, string>> = {
  export: 'test/state/requests.test.ts',
  'ci export': 'reads what its arguments name',
  'secrets token lookup': 'reads one token',
  'secrets lease lookup': 'reads one lease',
};

const lists = new Set(['list', 'search', 'export', 'lookup']);

let bench: Bench;
beforeAll(async () => {
  bench = await stateBench();
  bench.at.write('policy.hcl', 'path "secret/*" { capabilities = ["read"] }\n');
  bench.at.write('rules.hcl', 'key_prefix "" { policy = "read" }\n');
  bench.at.write('jwt.pem', await publicKey());
  for (let n = 0; n < counts[1]; n += 1) {
    bench.at.write(`node-${n}.json`, JSON.stringify({ Node: many(n), Address: host(n) }));
    bench.at.write(`entry-${n}.json`, JSON.stringify({ Kind: 'service-defaults', Name: many(n) }));
  }
});
afterAll(() => bench.close());

const publicKey = async (): Promise<string> => {
  const { generateKeyPairSync } = await import('node:crypto');
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .publicKey.export({ format: 'pem', type: 'spki' })
    .toString();
};

const run = async (line: string, codes: readonly number[]) => {
  const env = { PASSWORD: 'correct horse battery' };
  const ran = await bench.run([...line.split(' '), '-o', 'json'], { env });
  expect(codes, `${line}\n${ran.stdout}${ran.stderr}`).toContain(ran.code);
  return ran.stdout;
};

test('every list command is tested', () => {
  const covered = new Set([...cases.map(({ list }) => list), ...Object.keys(elsewhere)]);
  const isCovered = (path: string): boolean =>
    [...covered].some((list) => list === path || list.startsWith(`${path} `));
  const paths = tree.map(({ path }) => path).filter((path) => lists.has(path.split(' ').at(-1) ?? ''));
  expect(paths.filter((path) => !isCovered(path))).toEqual([]);
});

/** How many objects a command line has created, so that rows share them. */
const created = new Map<string, number>();

async function createUpTo(create: NonNullable<ListCase['create']>, count: number): Promise<void> {
  const name = create(0).join();
  for (let n = created.get(name) ?? 0; n < count; n += 1) for (const line of create(n)) await run(line, [0]);
  created.set(name, count);
}

// Each row needs few objects and then many, so all lists are counted before the others are created.
describe('the requests of a list do not grow with the objects', () => {
  const sent = new Map<string, number[]>();
  beforeAll(async () => {
    await run('account create --login-name many --password env://PASSWORD', [0]);
    for (const count of counts) {
      for (const { create } of cases) if (create) await createUpTo(create, count);
      for (const { list, code = 0, shows = many } of cases) {
        bench.proxy.begin();
        const stdout = await run(list, [code]);
        sent.set(list, [...(sent.get(list) ?? []), bench.proxy.passed.length]);
        if (code === 0 && shows) expect(stdout, list).toContain(shows(count - 1));
      }
    }
  });
  test.each(cases)('$list', ({ list, page, forEach }) => {
    const [few = 0, more = 0] = sent.get(list) ?? [];
    const added = counts[1] - counts[0];
    if (forEach) expect(more - few, forEach.why).toBe(added * forEach.requests);
    else if (page !== undefined) expect(more - few).toBeLessThanOrEqual(Math.ceil(added / page) + 1);
    else expect(more).toBe(few);
  });
});
