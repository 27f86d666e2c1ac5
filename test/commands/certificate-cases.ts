import fc from 'fast-check';

// Random roles and requests, as they are typed: the names of flags are these in kebab-case.

/** The flags of `ssh role put`. */
export interface Role {
  readonly allowUserCertificates: boolean;
  readonly allowHostCertificates: boolean;
  readonly allowedUsers: string;
  readonly allowedUsersTemplate: boolean;
  readonly defaultUser: string;
  readonly defaultUserTemplate: boolean;
  readonly allowedDomains: string;
  readonly allowedDomainsTemplate: boolean;
  readonly allowBareDomains: boolean;
  readonly allowSubdomains: boolean;
  readonly allowEmptyPrincipals: boolean;
  readonly ttl?: string;
  readonly maxTtl?: string;
  readonly notBeforeDuration?: string;
  readonly defaultExtension: readonly string[];
  readonly defaultExtensionsTemplate: boolean;
  readonly allowedExtensions: string;
  readonly defaultCriticalOption: readonly string[];
  readonly allowedCriticalOptions: string;
  readonly allowUserKeyIds: boolean;
  readonly keyIdFormat?: string;
  readonly allowedUserKeyLength: readonly string[];
  readonly algorithmSigner?: string;
}

/** The flags of `ssh sign`. */
export interface Request {
  readonly certType?: 'user' | 'host';
  readonly principals?: string;
  readonly ttl?: string;
  readonly keyId?: string;
  readonly extension?: readonly string[];
  readonly criticalOption?: readonly string[];
}

/** A key that is signed, or that signs. */
export interface Key {
  /** Where it is: the file of a subject, the mount of a CA. */
  readonly name: string;
  readonly type: string;
  readonly bits: number;
  readonly fingerprint: string;
  /** Wire form, base64. */
  readonly blob: string;
}

export interface Case {
  readonly role: Role;
  readonly request: Request;
  readonly subject: Key;
  readonly ca: Key;
  /** What the token of the request is called. */
  readonly displayName: string;
  /** Unix seconds, with a fraction. */
  readonly now: number;
}

/** The command line of a role or a request. */
export function flags(typed: Role | Request): string[] {
  return Object.entries(typed).flatMap(([name, value]: [string, unknown]) => {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (typeof value === 'boolean') return value ? [flag] : [];
    const values = Array.isArray(value) ? value : [value];
    return values.map((item) => `${flag}=${item}`);
  });
}

const identity = '{{identity.entity.name}}';
const users = ['ubuntu', 'deploy', 'Deploy', 'jürgen', 'build agent', '日本', identity];
const domains = ['example.com', 'corp.example.com', 'test', identity];
const hosts = [
  ...[
    'example.com',
    'a.example.com',
    'b.corp.example.com',
    'badexample.com',
    '.example.com',
    'test',
    'x.test',
  ],
  ...['a.example.com.', 'EXAMPLE.com', 'contest', '.test'],
];
const plainExtensions = ['permit-pty', 'permit-user-rc', 'permit-port-forwarding', 'permit-X11-forwarding'];
const extensions = [...plainExtensions, 'permit-everything', '__proto__', 'login@example.com=bob & co=ö'];
const criticalOptions = [
  ...['force-command=/bin/echo "a b", ü=1', 'source-address=192.0.2.0/24,2001:db8::/32'],
  ...['verify-required=', 'strict@example.com=1', 'constructor='],
];
const nameOf = (option: string): string => option.split('=')[0] ?? '';

const mostly = (value: boolean): fc.Arbitrary<boolean> =>
  fc.oneof({ weight: 15, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: fc.constant(!value) });
const some = (list: readonly string[]): fc.Arbitrary<string[]> =>
  fc.shuffledSubarray([...list], { minLength: 1 });
const few = (list: readonly string[]): fc.Arbitrary<string[]> =>
  fc.shuffledSubarray([...list], { minLength: 1, maxLength: 3 });
const listed = (list: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constant('*') },
    { weight: 5, arbitrary: some(list).map((chosen) => chosen.join(', ')) },
    { weight: 1, arbitrary: fc.constantFrom('', '*,ubuntu,test') },
  );
const named = (list: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constant('*') },
    { weight: 4, arbitrary: some(list.map(nameOf)).map((chosen) => chosen.join(',')) },
    { weight: 1, arbitrary: fc.constant('') },
  );

const keyLengths = fc.uniqueArray(
  fc.constantFrom(
    ...['rsa=2048,3072', 'rsa=4096', 'ssh-rsa=2048', 'dsa=1024', 'ecdsa=256,384', 'ec=521', 'ed25519=0'],
    ...['ecdsa-sha2-nistp384=0', 'ecdsa-sha2-nistp521=256', 'ssh-ed25519=1'],
    ...['sk-ssh-ed25519@openssh.com=0', 'sk-ecdsa-sha2-nistp256@openssh.com=0'],
  ),
  { minLength: 3, selector: nameOf },
);
const keyIdFormats = [
  '{{role_name}}/{{token_display_name}}',
  'sha256 {{public_key_hash}}, {{role_name}}, {{role_name}}',
  '"{{other}}" \\ $& ü',
];

export const role: fc.Arbitrary<Role> = fc.record(
  {
    allowUserCertificates: mostly(true),
    allowHostCertificates: mostly(true),
    allowedUsers: listed(users),
    allowedUsersTemplate: fc.boolean(),
    defaultUser: fc.constantFrom('', 'ubuntu', 'ubuntu', 'deploy', identity),
    defaultUserTemplate: fc.boolean(),
    allowedDomains: listed(domains),
    allowedDomainsTemplate: fc.boolean(),
    allowBareDomains: fc.boolean(),
    allowSubdomains: mostly(true),
    allowEmptyPrincipals: mostly(true),
    ttl: fc.constantFrom('0', '30', '90s', '1h', '2h'),
    maxTtl: fc.constantFrom('0', '1.5h', '2h', '1h', '1500h'),
    notBeforeDuration: fc.constantFrom('0', '1s', '600', '1m30s', '2000000h'),
    defaultExtension: fc.subarray([...extensions, `user@example.com=${identity}`]),
    defaultExtensionsTemplate: fc.boolean(),
    allowedExtensions: named(extensions),
    defaultCriticalOption: fc.subarray(criticalOptions),
    allowedCriticalOptions: named(criticalOptions).map((names) => names.replace('*', '')),
    allowUserKeyIds: mostly(true),
    keyIdFormat: fc.constantFrom(...keyIdFormats),
    allowedUserKeyLength: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: keyLengths },
    ),
    algorithmSigner: fc.oneof(
      { weight: 5, arbitrary: fc.constant('default') },
      { weight: 2, arbitrary: fc.constantFrom('ssh-rsa', 'rsa-sha2-256', 'rsa-sha2-512') },
    ),
  },
  {
    requiredKeys: [
      ...([
        'allowUserCertificates',
        'allowHostCertificates',
        'allowedUsers',
        'allowedUsersTemplate',
      ] as const),
      ...(['defaultUser', 'defaultUserTemplate', 'allowedDomains', 'allowedDomainsTemplate'] as const),
      ...(['allowBareDomains', 'allowSubdomains', 'allowEmptyPrincipals', 'defaultExtension'] as const),
      ...(['defaultExtensionsTemplate', 'allowedExtensions', 'defaultCriticalOption'] as const),
      ...(['allowedCriticalOptions', 'allowUserKeyIds', 'allowedUserKeyLength'] as const),
    ],
  },
);

const manyNames = (count: number): string => Array.from({ length: count }, (_, at) => `user${at}`).join(',');

const namesOf = (list: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    {
      weight: 20,
      arbitrary: fc.array(fc.constantFrom(...list), { maxLength: 2 }).map((chosen) => chosen.join(', ')),
    },
    { weight: 1, arbitrary: fc.constantFrom(manyNames(256), manyNames(257)) },
  );

const rest = {
  // More often one that no role rejects.
  ttl: fc.constantFrom(
    '0',
    ...['1s', '30', '90s', '1s', '30', '90s'],
    '1h',
    '3601',
    '1.5h',
    '768h',
    '768h0m1s',
  ),
  keyId: fc.constantFrom('', 'me', 'Zoë <zoe@example.com> "x" \\'),
  extension: few(extensions),
  criticalOption: few(criticalOptions),
};

export const request: fc.Arbitrary<Request> = fc.oneof(
  fc.record(
    { certType: fc.constant('user' as const), principals: namesOf(users), ...rest },
    { requiredKeys: [] },
  ),
  fc.record(
    { certType: fc.constant('host' as const), principals: namesOf(hosts), ...rest },
    { requiredKeys: ['certType', 'principals'] },
  ),
);
