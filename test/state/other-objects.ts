import type { ObjectCase } from './objects.ts';

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
];
