import { createHash } from 'node:crypto';
import type { Identity } from '../../src/state/kind.ts';
import type { ObjectCase } from './objects.ts';

/** The auth method of type password that a service starts with. */
const passwordMethod = 'password';

/** The image of the providers; tests write it. */
export const imageFile = 'st-image.box';
export const imageContent = 'not really an image\n';
const checksumOf = (type: string): string => createHash(type).update(imageContent).digest('hex');
const [md5, sha256] = [checksumOf('md5'), checksumOf('sha256')] as const;

const boxNamed = (key: string): Identity => ({ scope: { owner: 'dev' }, key });
const versionOf = (box: string, key: string): Identity => ({ scope: { owner: 'dev', box }, key });
const providerOf = (box: string, key: string, architecture = 'unknown'): Identity => ({
  scope: { owner: 'dev', box, version: '1.0.0', architecture },
  key,
});
const inVersion = (key: string, architecture?: string): Identity =>
  providerOf('st-images', key, architecture);
const boxWithVersion = (box: string) => [
  { kind: 'box.box', identity: boxNamed(box), spec: {} },
  { kind: 'box.version', identity: versionOf(box, '1.0.0'), spec: {} },
];
const versionNeeds = boxWithVersion('st-images');

const inPassword = (key: string) => ({ scope: { scope: 'global', authMethod: passwordMethod }, key });

const inGlobal = (key: string): Identity => ({ scope: { scope: 'global' }, key });

/** Objects of the scheduler, the box registry and the account service. */
export const otherObjectCases: readonly ObjectCase[] = [
  {
    kind: 'scheduler.namespace',
    identity: { scope: {}, key: 'st-team' },
    spec: {
      Description: 'Shop team',
      Meta: { owner: 'shop', empty: '' },
      Capabilities: { EnabledTaskDrivers: ['docker', 'exec'], DisabledNetworkModes: ['host'] },
    },
    changed: {
      Description: 'Shop',
      Meta: { owner: 'shop' },
      Capabilities: { EnabledTaskDrivers: ['docker'] },
    },
    spellings: [
      { description: 'Shop team', meta: { empty: '', owner: 'shop' } },
      { Meta: { owner: 'shop', empty: null }, Quota: null },
      {
        Description: 'Shop team',
        Quota: '',
        capabilities: { disabled_network_modes: ['host'], EnabledTaskDrivers: ['exec', 'docker', 'exec'] },
      },
      { Capabilities: { enabledTaskDrivers: ['exec', 'docker'], DisabledTaskDrivers: [] } },
      { Capabilities: { EnabledNetworkModes: null }, node_pool_configuration: null },
      {
        NodePoolConfiguration: {},
        VaultConfiguration: { Allowed: [] },
        ConsulConfiguration: { Default: '' },
      },
      { RequiredExtraClaims: {}, optional_extra_claims: null },
    ],
  },
  {
    kind: 'scheduler.namespace',
    identity: { scope: {}, key: 'st-empty' },
    spec: {},
    changed: {
      Meta: { 'a.b/c d': 'x', '': 'y' },
      RequiredExtraClaims: { job: 'a' },
      OptionalExtraClaims: { b: '' },
    },
    spellings: [{ Description: '' }, { Meta: {} }, { Meta: null, Capabilities: {} }],
  },
  {
    kind: 'scheduler.variable',
    identity: { scope: { namespace: 'st-apps' }, key: 'app/web~1/-_/nested' },
    spec: { Items: { 'name with spaces': 'a\nb', empty: '', number: '1' } },
    changed: { Items: { 'name/with/slashes': 'a' } },
    spellings: [
      { Items: { empty: '', number: 1, 'name with spaces': 'a\nb' } },
      { Items: { number: '1', 'name with spaces': 'a\nb', empty: null } },
    ],
    needs: [{ kind: 'scheduler.namespace', identity: { scope: {}, key: 'st-apps' }, spec: {} }],
  },
  {
    kind: 'box.box',
    identity: boxNamed('st-web'),
    spec: { short_description: 'Web server', description: '# Web\n\nFor tests.\n', is_private: false },
    changed: { short_description: '', description: 'Other', is_private: true },
    spellings: [
      { description: '# Web\r\n\r\nFor tests.' },
      { description: '# Web  \n\nFor tests.\n\n', is_private: 'false' },
      { is_private: false },
      {},
    ],
  },
  {
    kind: 'box.box',
    identity: boxNamed('st-bare'),
    spec: {},
    changed: { is_private: false },
    spellings: [
      { is_private: true, description: '', short_description: null },
      { is_private: null, description: '\n' },
    ],
  },
  {
    kind: 'box.version',
    identity: versionOf('st-versions', '1.10.0-rc.1'),
    spec: { description: 'First' },
    changed: { description: 'Second\n\nwith lines' },
    spellings: [{ description: 'First\n' }, { description: 'First  ' }, {}],
    needs: [{ kind: 'box.box', identity: boxNamed('st-versions'), spec: {} }],
  },
  {
    kind: 'box.provider',
    identity: inVersion('virtualbox'),
    spec: { url: 'https://example.com/web.box', checksum: md5, checksum_type: 'md5' },
    changed: { url: 'https://example.com/new.box', checksum: sha256 },
    spellings: [
      { url: 'https://example.com/web.box' },
      { checksum: md5.toUpperCase() },
      { checksum: md5, default_architecture: true },
      {},
    ],
    needs: versionNeeds,
  },
  {
    kind: 'box.provider',
    identity: inVersion('libvirt', 'arm64'),
    spec: { file: imageFile, checksum: sha256, default_architecture: true },
    changed: { url: 'https://example.com/new.box', checksum: md5, checksum_type: 'md5' },
    spellings: [
      { checksum: sha256.toUpperCase(), checksum_type: 'sha256' },
      { file: 'another.box', checksum: sha256 },
      { url: '', default_architecture: true },
    ],
    needs: versionNeeds,
  },
  {
    kind: 'box.provider',
    identity: inVersion('qemu'),
    spec: { file: imageFile, checksum: md5, checksum_type: 'md5' },
    changed: { file: imageFile, checksum: sha256, checksum_type: 'sha256' },
    spellings: [{ checksum: md5.toUpperCase() }, { default_architecture: true }],
    needs: versionNeeds,
  },
  {
    kind: 'box.release',
    identity: versionOf('st-releases', '1.0.0'),
    spec: {},
    spellings: [{}],
    needs: [
      ...boxWithVersion('st-releases'),
      {
        kind: 'box.provider',
        identity: providerOf('st-releases', 'virtualbox'),
        spec: { file: imageFile, checksum: sha256 },
      },
    ],
  },
  {
    kind: 'accounts.account',
    identity: inPassword('st-bob'),
    spec: { name: 'Bob', description: 'on call', attributes: { password: 'st-password' } },
    changed: { name: 'Robert', description: 'off duty' },
    spellings: [
      { name: ' Bob ', description: 'on call\n' },
      { name: 'Bob', attributes: { login_name: 'st-bob' } },
      { attributes: {} },
      { attributes: { issuer: '', subject: null, member_of_groups: [] } },
      { attributes: { password: 'another-password' } },
    ],
  },
  {
    kind: 'accounts.account',
    identity: inPassword('st-bare'),
    spec: {},
    changed: { description: 'now described' },
    spellings: [
      { name: '', description: '' },
      { name: null, attributes: { login_name: 'st-bare' } },
    ],
  },
  {
    kind: 'accounts.auth-method',
    identity: inGlobal('st-password'),
    spec: { type: 'password', description: 'People', attributes: { min_password_length: 12 } },
    changed: { type: 'password', attributes: { min_login_name_length: 4, min_password_length: null } },
    spellings: [
      { type: 'password', description: ' People ' },
      { type: 'password', attributes: { min_password_length: '12', min_login_name_length: null } },
      { type: 'password', attributes: { min_login_name_length: 3 } },
    ],
  },
  {
    kind: 'accounts.auth-method',
    identity: inGlobal('st-ldap'),
    spec: {
      type: 'ldap',
      attributes: {
        state: 'active-private',
        urls: ['ldaps://b.example.com', 'ldap://a.example.com'],
        user_dn: 'ou=people',
        bind_dn: 'cn=search',
        bind_password: 'st-password',
        account_attribute_maps: ['mail=email', 'cn=fullName'],
      },
    },
    changed: {
      type: 'ldap',
      description: 'Directory',
      attributes: { user_dn: null, start_tls: true, account_attribute_maps: ['mail=email'] },
    },
    spellings: [
      { type: 'ldap', attributes: { urls: ['ldap://a.example.com', 'ldaps://b.example.com'] } },
      { type: 'ldap', attributes: { account_attribute_maps: ['cn=fullName', 'mail=email'] } },
      { type: 'ldap', attributes: { start_tls: false, group_dn: '', certificates: [] } },
      { type: 'ldap', attributes: { bind_password: 'another', maximum_page_size: 0 } },
    ],
  },
  {
    kind: 'accounts.auth-method',
    identity: inGlobal('st-oidc'),
    spec: {
      type: 'oidc',
      attributes: {
        issuer: 'https://idp.example.com',
        client_id: 'boundary',
        client_secret: 'st-secret',
        api_url_prefix: 'https://boundary.example.com',
        signing_algorithms: ['RS256', 'ES256'],
        max_age: 60,
        claims_scopes: ['profile', 'email'],
      },
    },
    changed: { type: 'oidc', attributes: { max_age: null, claims_scopes: ['profile'], client_id: 'other' } },
    spellings: [
      { type: 'oidc', attributes: { signing_algorithms: ['ES256', 'RS256', 'ES256'] } },
      { type: 'oidc', attributes: { claims_scopes: ['email', 'profile'], prompts: null } },
      { type: 'oidc', attributes: { max_age: '60', client_secret: 'another' } },
    ],
  },
  {
    kind: 'accounts.account',
    identity: { scope: { scope: 'global', authMethod: 'st-accounts-oidc' }, key: 'subject "with" quotes' },
    spec: { name: 'Subject', attributes: { issuer: 'https://idp.example.com' } },
    changed: { name: 'Renamed' },
    spellings: [{ attributes: { subject: 'subject "with" quotes' } }],
    needs: [
      {
        kind: 'accounts.auth-method',
        identity: inGlobal('st-accounts-oidc'),
        spec: {
          type: 'oidc',
          attributes: {
            issuer: 'https://idp.example.com',
            client_id: 'x',
            client_secret: 'y',
            api_url_prefix: 'https://boundary.example.com',
            signing_algorithms: ['RS256'],
          },
        },
      },
    ],
  },
  {
    kind: 'accounts.account',
    identity: { scope: { scope: 'global', authMethod: 'st-accounts-ldap' }, key: 'cn=eve, "x"' },
    spec: { description: 'From the directory' },
    changed: { description: 'Changed' },
    spellings: [{ attributes: { login_name: 'cn=eve, "x"', member_of_groups: [] } }],
    needs: [
      {
        kind: 'accounts.auth-method',
        identity: inGlobal('st-accounts-ldap'),
        spec: { type: 'ldap', attributes: { urls: ['ldap://a.example.com'] } },
      },
    ],
  },
];
