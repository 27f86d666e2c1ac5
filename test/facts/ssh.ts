import { after, elsewhere, ends, type Rows, reads, unscoped, writes } from './row.ts';

const singleCa = ends(1, 'the embedded service has a single CA');

export const sshFacts: Rows = {
  'ssh sign': {
    faults: 'sign',
    before: `
      lanyard ssh ca create --key-type ed25519
      lanyard ssh role put deploy --allow-user-certificates --allowed-users ubuntu,admin --default-user ubuntu --default-extension permit-pty --ttl 30m
      lanyard ssh role put hosts --allow-host-certificates --allowed-domains example.com --allow-subdomains --ttl 720h
      lanyard ssh role put otp --key-type otp --default-user ubuntu --cidr-list 10.0.0.0/8`,
    examples: {
      'lanyard ssh sign deploy --principals ubuntu,admin --ttl 30m --agent': ends(7, 'needs ssh-agent'),
    },
    scoped: [reads('deploy --key key.pub')],
  },
  'ssh issue': {
    shows: { 'private key': ['out', 'data'] },
    scoped: [reads('deploy --key-type ed25519 --out issued')],
  },
  'ssh creds': {
    shows: { 'one-time password': ['stdout'] },
    anyName: ['NAME 127.0.0.1'],
    scoped: [writes('otp --ip 10.1.2.3')],
  },
  'ssh lookup': { lists: { '10.9.8.1': {} }, scoped: [reads('10.1.2.3')] },
  'ssh verify': {
    examples: {
      'lanyard ssh verify - < otp.txt': after('lanyard ssh creds otp --ip 10.1.2.3 --field key > otp.txt'),
      'lanyard ssh verify env://OTP': after('OTP=$(lanyard ssh creds otp --ip 10.1.2.3 --field key)'),
    },
    scoped: [reads('-', { stdin: '{otp}' })],
  },
  'ssh connect': {
    before: `
      lanyard secrets mount enable ssh --path ssh-hosts
      lanyard ssh ca create --key-type ed25519 --mount ssh-hosts`,
    faults: 'login',
    scoped: [reads('{mark}@10.1.2.3 --role otp-{mark} --mode otp --dry-run')],
  },
  'ssh doctor': {
    faults: 'diagnosis',
    examples: { every: elsewhere('test/e2e/ssh-doctor.test.ts') },
    keeps: 'signs a new key',
    scoped: [reads('127.0.0.1 --role otp-{mark} --ip 10.1.2.3 -o json -- -F none -p 1', { fails: true })],
  },
  'ssh config': {
    local: [{ args: '--role deploy --host *.example.com --dry-run', code: 1 }],
    scoped: [unscoped('web --role deploy --dry-run')],
  },
  'ssh proxy': {
    examples: { every: elsewhere('test/e2e/proxy.test.ts') },
    faults: 'proxy',
    scoped: [reads('127.0.0.1 {port} --role deploy --key key.pub', { anywhere: true })],
  },
  'ssh trust': {
    before: `
      lanyard ssh revoke --serial 5 --ca any --list registry:ssh/revoked --yes`,
    examples: {
      'lanyard ssh trust --revoked /etc/ssh/revoked-keys.krl --list registry:ssh/revoked': elsewhere(
        'test/commands/ssh/trust-revoked.test.ts',
      ),
    },
    scoped: [reads('--hosts * --known-hosts known', { shows: '{ca}' })],
  },
  'ssh revoke': {
    examples: {
      'lanyard ssh revoke --user ada --record registry:ssh/record --list registry:ssh/revoked': ends(
        3,
        'no certificates of ada',
      ),
    },
    before: `
      lanyard ssh sign deploy --key ~/.ssh/id_ed25519.pub`,
    scoped: [unscoped('--key-id ada --ca any --list revoked.krl --yes')],
  },
  'ssh revoked list': {
    before: `
      lanyard ssh revoke --serial 5 --ca any --list registry:ssh/revoked --yes
      lanyard ssh revoke --serial 5 --ca any --list revoked.krl --yes`,
    lists: {
      '--list registry:ssh/many': {
        create: 'ssh revoke --key-id many-{n} --ca any --list registry:ssh/many --yes',
      },
    },
    scoped: [reads('--list none', { fails: true })],
  },
  'ssh revoked check': {
    before: `
      lanyard ssh sign deploy --key ~/.ssh/id_ed25519.pub
      lanyard ssh sign deploy --key id_ed25519.pub --out cert.pub
      lanyard ssh revoke --serial 5 --ca any --list registry:ssh/revoked --yes
      lanyard ssh revoke --serial 5 --ca any --list revoked.krl --yes`,
    examples: { 'lanyard ssh revoked check - --list revoked.krl < cert.pub': ends(1, 'its key is revoked') },
    lists: 'test/commands/ssh/revoke.test.ts',
    scoped: [reads('key.pub --list none', { fails: true })],
  },
  'ssh revoked remove': {
    before: `
      lanyard ssh revoke id_ed25519.pub --list registry:ssh/revoked --yes
      lanyard ssh revoke --key-id ada --ca any --list revoked.krl --yes`,
    keeps: 'removes entries, as named',
    scoped: [unscoped('--key-id ada --ca any --list revoked.krl --yes')],
  },
  'ssh history': {
    before: `
      lanyard ssh sign deploy --key ~/.ssh/id_ed25519.pub --record registry:ssh/record
      lanyard api secrets GET sys/health > audit.log`,
    lists: 'test/commands/ssh/history.test.ts',
    scoped: [unscoped('--record registry:ssh/none')],
  },
  'ssh record prune': {
    keeps: 'deletes entries; asks first',
    scoped: [unscoped('--before 90d --record registry:ssh/none --yes')],
  },
  'ssh host enroll': {
    examples: { every: elsewhere('test/commands/ssh/host/enroll.test.ts') },
    keeps: 'files: test/commands/ssh/host/enroll.test.ts',
  },
  'ssh host renew': {
    examples: { every: elsewhere('test/commands/ssh/host/renew.test.ts') },
    faults: 'host renewal',
  },
  'ssh host status': {
    examples: { every: elsewhere('test/commands/ssh/host/status.test.ts') },
    faults: 'host status',
  },
  'ssh host remove': {
    examples: { every: elsewhere('test/commands/ssh/host/remove.test.ts') },
    local: [{ args: '--sshd-config sshd_config --yes' }],
    keeps: 'files: test/commands/ssh/host/remove.test.ts',
  },
  'ssh explain': {
    examples: { 'lanyard ssh explain deploy --principals root': ends(1, 'the role rejects it') },
    scoped: [reads('deploy --key key.pub -o json')],
  },
  'ssh list': {
    local: [{ args: 'key', files: { key: '{privateKey}' } }],
    lists: 'lists local files: test/commands/ssh/list-renew.test.ts',
  },
  'ssh renew': {
    faults: 'renewal',
    before: 'lanyard ssh sign deploy --key ~/.ssh/id_ed25519.pub',
    lists: 'one request for each certificate that is due: test/commands/ssh/list-renew.test.ts',
  },
  'ssh inspect': {
    before: `
      lanyard ssh sign deploy --key ~/.ssh/id_ed25519.pub
      lanyard ssh sign deploy --key id_ed25519.pub --out cert.pub`,
    local: [
      { args: 'key', files: { key: '{privateKey}' } },
      { args: '-', stdin: '{brokenPrivateKey}' },
    ],
  },
  'ssh ca create': {
    examples: { every: after('lanyard ssh ca delete --yes') },
    scoped: [writes('--key-type ed25519 --mount ssh-new')],
  },
  'ssh ca get': { scoped: [reads('', { shows: '{ca}' })] },
  'ssh ca public-key': { anyName: ['--mount NAME'], scoped: [reads('', { shows: '{ca}' })] },
  'ssh ca delete': { scoped: [writes('--mount ssh-gone --yes')] },
  'ssh ca recover': {
    examples: { every: ends(3, 'needs a loaded snapshot') },
    scoped: [reads('--snapshot 1 --yes', { fails: true })],
  },
  'ssh ca rotate start': {
    before: 'lanyard ssh ca create --key-type ed25519',
    keeps: 'adds a CA',
    scoped: [writes('--mount ssh')],
  },
  'ssh ca rotate status': { scoped: [reads('-o json', { shows: '{ca}' })] },
  'ssh ca rotate trust': { scoped: [reads('--mount ssh-new', { fails: true })] },
  'ssh ca rotate switch': {
    keeps: 'copies the fields of roles; test/commands/ssh/rotate.test.ts',
    scoped: [reads('--mount ssh-new --yes', { fails: true })],
  },
  'ssh ca rotate rollback': {
    keeps: 'copies the fields of roles; test/commands/ssh/rotate.test.ts',
    scoped: [reads('--mount ssh-new --yes', { fails: true })],
  },
  'ssh ca rotate retire': {
    examples: { every: ends(6, 'certificates of the old CA are valid') },
    keeps: 'deletes the old CA; asks first',
    scoped: [reads('--mount ssh-new --yes', { fails: true })],
  },
  'ssh issuer list': {
    examples: { every: singleCa },
    lists: { '': { code: 1 } },
    scoped: [reads('-o json', { isOpenBao: true, shows: '{issuer-used}' })],
  },
  'ssh issuer get': {
    examples: { every: singleCa },
    scoped: [reads('used', { isOpenBao: true, shows: '{issuer-used}' })],
  },
  'ssh issuer import': {
    examples: { every: singleCa },
    keeps: 'adds an issuer',
    scoped: [writes('new --key-type ed25519', { isOpenBao: true })],
  },
  'ssh issuer use': {
    examples: { every: singleCa },
    keeps: 'one reference; asks first',
    scoped: [writes('used --yes', { isOpenBao: true })],
  },
  'ssh issuer delete': { examples: { every: singleCa }, scoped: [writes('gone --yes', { isOpenBao: true })] },
  'ssh role list': {
    lists: {
      '': { create: 'ssh role put many-{n} --key-type otp --default-user ubuntu --cidr-list 10.9.0.0/16' },
    },
    anyName: ['--mount NAME'],
    scoped: [reads('', { shows: 'otp-{mark}' })],
  },
  'ssh role get': { anyName: ['NAME'], scoped: [reads('deploy')] },
  'ssh role put': {
    anyName: ['NAME --allow-user-certificates'],
    keeps: {
      create: [
        [
          'secrets POST ssh/roles/whole',
          {
            ...{ key_type: 'ca', allow_user_certificates: true, allow_host_certificates: true },
            ...{ allowed_users: 'a,b', allowed_users_template: true, default_user: 'a' },
            ...{
              default_user_template: true,
              allowed_domains: 'example.com',
              allowed_domains_template: true,
            },
            ...{ allow_bare_domains: true, allow_subdomains: true, allow_empty_principals: true },
            ...{ ttl: '30m', max_ttl: '12h', not_before_duration: '1m' },
            ...{ default_extensions: { 'permit-pty': '' }, default_extensions_template: true },
            ...{ allowed_extensions: 'permit-pty', default_critical_options: { 'force-command': 'id' } },
            ...{ allowed_critical_options: 'force-command', allow_user_key_ids: true },
            ...{ key_id_format: '{{role_name}}', allowed_user_key_lengths: { rsa: [2048, 4096] } },
            ...{ algorithm_signer: 'rsa-sha2-512' },
          },
        ],
      ],
      change: 'whole --allowed-users ubuntu',
      read: 'ssh role get whole --select data',
      changed: ['allowed_users'],
      unset: ['max-ttl,key-id-format', ['key_id_format', 'max_ttl']],
      without: {
        ...{ cidr_list: 'of otp', exclude_cidr_list: 'of otp', port: 'of otp' },
        ...{ issuer_ref: 'of OpenBao', allow_commas_in_identity_templates: 'of OpenBao' },
      },
      merges: true,
    },
    scoped: [writes('changed --ttl 7m --allowed-users other'), writes('new --allow-user-certificates')],
  },
  'ssh role copy': {
    before: 'lanyard secrets mount enable ssh --path ssh-next',
    keeps: 'writes all fields of another role: test/commands/ssh/role-copy-edit.test.ts',
    scoped: [writes('deploy copied')],
  },
  'ssh role edit': {
    keeps: 'test/commands/ssh/role-copy-edit.test.ts',
  },
  'ssh role delete': { anyName: ['NAME --yes'], scoped: [writes('gone --yes')] },
  'ssh zero-address get': {
    before: `
      lanyard ssh role put otp --key-type otp --default-user ubuntu --cidr-list 10.0.0.0/8
      lanyard ssh role put emergency --key-type otp --default-user root --cidr-list 10.0.0.0/8
      lanyard ssh zero-address put otp`,
    lists: { '': { shows: false } },
    scoped: [reads()],
  },
  'ssh zero-address put': {
    keeps: {
      create: [
        ['secrets POST ssh/roles/otp', { key_type: 'otp', default_user: 'a', cidr_list: '10.0.0.0/8' }],
        ['secrets POST ssh/roles/other', { key_type: 'otp', default_user: 'a', cidr_list: '10.0.0.0/8' }],
        ['secrets POST ssh/config/zeroaddress', { roles: 'otp' }],
      ],
      change: 'otp,other',
      read: 'ssh zero-address get --select data',
      changed: ['roles'],
    },
    scoped: [writes('otp')],
  },
  'ssh zero-address delete': { scoped: [writes('--yes')] },
  'ssh tidy': { scoped: [unscoped('--yes')] },
};
