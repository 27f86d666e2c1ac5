import { bootstrapped, devAgentNote, type Line, lines, type Peer, prefix } from './peer.ts';

/** Variables that are read and written. */
const busy = 100;
/** Variables of the list that comes in one page, and of the long one. */
const [few, many] = [500, 20_000];
const pageSize = 100;

const padded = (at: number): string => `${at}`.padStart(6, '0');
const path = (folder: string, at: number): string => `/v1/var/${prefix}/${folder}/${padded(at)}`;
const put = (folder: string, at: number): Line => [
  'PUT',
  path(folder, at),
  { Items: { user: 'bench', password: `${at}`.padStart(32, '0') } },
];

/** Variables of a folder: made before, removed after. */
const made = (folder: string, count: number) => ({
  before: [lines(count, (at) => put(folder, at))],
  after: lines(count, (at) => ['DELETE', path(folder, at)]),
});

export const nomad: Peer = {
  name: 'Nomad',
  variables: ['NOMAD_ADDR', 'NOMAD_TOKEN'],
  tokenHeader: 'X-Nomad-Token',
  note: devAgentNote,
  embedded: ({ scheduler }) => bootstrapped(scheduler, 'POST'),
  rows: [
    { what: 'variable puts', ...made('busy', busy), requests: lines(busy, (at) => put('busy', at)) },
    {
      what: 'variable reads',
      ...made('busy', busy),
      requests: lines(busy, (at) => ['GET', path('busy', at)]),
    },
    {
      what: `list of ${few} variables`,
      ...made('few', few),
      requests: [['GET', `/v1/vars?prefix=${prefix}/few/`]],
    },
    {
      what: `page of ${pageSize} of ${many} variables`,
      ...made('many', many),
      requests: lines(many / pageSize, (at) => [
        'GET',
        `/v1/vars?prefix=${prefix}/many/&per_page=${pageSize}&next_token=default.${prefix}/many/${padded(at * pageSize)}`,
      ]),
    },
  ],
};
