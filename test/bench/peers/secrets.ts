import { signRequest } from '../services.ts';
import { type Line, lines, type Peer, prefix, type Row } from './peer.ts';

/** Keys that are read and written. */
const busy = 100;
/** Keys of the list. */
const many = 1000;

const write = (folder: string, at: number): Line => [
  'POST',
  `/v1/secret/data/${prefix}/${folder}/${at}`,
  { data: { user: 'bench', password: `${at}`.padStart(32, '0') } },
];

/** Secrets of a folder: made before, removed after. */
const made = (folder: string, count: number) => ({
  before: [lines(count, (at) => write(folder, at))],
  after: lines(count, (at) => ['DELETE', `/v1/secret/metadata/${prefix}/${folder}/${at}`]),
});

/** Certificates by an authority of its own. */
function certificates(what: string, authority: object): Row {
  const mount = `${prefix}-ssh`;
  return {
    what: `certificates, ${what}`,
    before: [
      [['POST', `/v1/sys/mounts/${mount}`, { type: 'ssh' }]],
      [['POST', `/v1/${mount}/config/ca`, { generate_signing_key: true, ...authority }]],
      [
        [
          'POST',
          `/v1/${mount}/roles/bench`,
          { key_type: 'ca', allow_user_certificates: true, allowed_users: '*', ttl: '30m' },
        ],
      ],
    ],
    requests: [['POST', `/v1/${mount}/sign/bench`, JSON.parse(signRequest().body)]],
    after: [['DELETE', `/v1/sys/mounts/${mount}`]],
  };
}

export const bao: Peer = {
  name: 'OpenBao',
  variables: ['BAO_ADDR', 'BAO_TOKEN'],
  tokenHeader: 'X-Vault-Token',
  note: 'a dev server keeps its state in memory only, the embedded service on a disk',
  embedded: async ({ secrets: address, token }) => ({ address, token }),
  rows: [
    {
      what: 'key-value reads',
      ...made('busy', busy),
      requests: lines(busy, (at) => ['GET', `/v1/secret/data/${prefix}/busy/${at}`]),
    },
    { what: 'key-value writes', ...made('busy', busy), requests: lines(busy, (at) => write('busy', at)) },
    {
      what: `list of ${many} keys`,
      ...made('many', many),
      requests: [['GET', `/v1/secret/metadata/${prefix}/many?list=true`]],
    },
    certificates('ed25519', { key_type: 'ed25519' }),
    certificates('rsa-4096', { key_type: 'rsa', key_bits: 4096 }),
  ],
};
