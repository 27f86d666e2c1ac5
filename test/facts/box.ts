import { after, ends, type Rows } from './row.ts';

const box = (name: string) =>
  [
    'box POST api/v1/boxes',
    {
      box: {
        ...{ username: 'dev', name, short_description: 'short' },
        ...{ description: 'long', is_private: false },
      },
    },
  ] as const;
const version = (name: string) =>
  [
    `box POST api/v1/box/dev/${name}/versions`,
    { version: { version: '1.0.0', description: 'first' } },
  ] as const;

export const boxFacts: Rows = {
  'box list': { lists: { dev: { create: 'box publish dev/many-{n} 1.0.0 qemu st-image.box --public' } } },
  'box search': { lists: { 'many --limit 100': {}, 'many --all --limit 3': { page: 3 } } },
  'box get': { before: 'lanyard box create dev/web', anyName: ['NAME', 'dev/NAME'] },
  'box create': { before: 'lanyard box delete dev/web --yes' },
  'box update': {
    keeps: {
      create: [box('whole')],
      change: 'dev/whole --description other',
      read: 'box get dev/whole',
      changed: ['description_html', 'description_markdown'],
      unset: [
        'short-description,description',
        ['description_html', 'description_markdown', 'short_description'],
      ],
    },
  },
  'box version get': {
    before: `
      lanyard box create dev/web
      lanyard box version create dev/web 1.0.0`,
    anyName: ['dev/web NAME'],
  },
  'box version create': { before: 'lanyard box version delete dev/web 1.0.0 --yes' },
  'box version update': {
    keeps: {
      create: [box('versioned'), version('versioned')],
      change: 'dev/versioned 1.0.0 --description other',
      read: 'box version get dev/versioned 1.0.0',
      changed: ['description_html', 'description_markdown'],
      unset: ['description', ['description_html', 'description_markdown']],
    },
  },
  'box version delete': { before: 'lanyard box version create dev/web 1.0.0' },
  'box upload': {
    before: `
      lanyard box version create dev/web 1.0.0
      lanyard box provider create dev/web 1.0.0 virtualbox`,
    faults: 'upload',
    keeps: 'replaces the image, which is named',
  },
  'box publish': {
    before: 'lanyard box delete dev/web --yes',
    keeps: 'changes what it creates; an existing version fails if it differs',
  },
  'box download': {
    before: `
      lanyard box delete dev/web --yes
      lanyard box publish dev/web 1.0.0 virtualbox web.box --public`,
    examples: {
      'lanyard box download dev/web 1.0.0 qemu --out copy.box': after(
        'lanyard box publish dev/web 1.0.0 qemu web.box',
      ),
    },
  },
  'box release': {
    before: `
      lanyard box delete dev/web --yes
      lanyard box publish dev/web 1.0.0 virtualbox web.box --no-release`,
  },
  'box provider get': { anyName: ['dev/web 1.0.0 NAME'] },
  'box provider create': { before: 'lanyard box provider delete dev/web 1.0.0 virtualbox --yes' },
  'box provider update': {
    keeps: {
      create: [
        box('provided'),
        version('provided'),
        [
          'box POST api/v1/box/dev/provided/version/1.0.0/providers',
          {
            provider: {
              ...{ name: 'libvirt', url: 'https://example.com/a.box', architecture: 'arm64' },
              ...{ checksum: 'a'.repeat(64), checksum_type: 'sha256', default_architecture: true },
            },
          },
        ],
      ],
      change: 'dev/provided 1.0.0 libvirt --url https://example.com/b.box',
      read: 'box provider get dev/provided 1.0.0 libvirt',
      changed: ['original_url'],
    },
  },
  'box token create': { shows: { issued: ['credentials', 'stdout'] } },
  'box request-code': { examples: { every: ends(5, 'needs dev --two-factor') } },
  'box org get': { lists: { dev: {} }, anyName: ['NAME'] },
  'box org create': {
    before: 'lanyard box token create --login dev --password env://BOX_PASSWORD',
    anyName: ['NAME'],
  },
};
