import type { ObjectCase } from './objects.ts';

/** The auth method of type password that a service starts with. */
const passwordMethod = 'password';

const inPassword = (key: string) => ({ scope: { scope: 'global', authMethod: passwordMethod }, key });

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
];
