import type { BoxClient } from '../../../api/box.ts';
import {
  type Block,
  bad,
  type Document,
  fields,
  good,
  listTable,
  raw,
  type Shown,
  type StyledText,
  strong,
  warn,
} from '../../../output/document.ts';
import { timestampText } from '../../../output/humanize.ts';

export type Box = Awaited<ReturnType<BoxClient['readBox']>>['body'];
export type Version = Awaited<ReturnType<BoxClient['readVersion']>>['body'];
export type Provider = Awaited<ReturnType<BoxClient['readProvider']>>['body'];
export type Organization = Awaited<ReturnType<BoxClient['readOrganization']>>['body'];

const access = (box: Box): string => (box.private ? 'private' : 'public');

export const boxesView = (boxes: readonly Box[], empty = 'No boxes found.'): Document => [
  listTable(boxes, empty, {
    BOX: (box) => strong(tag(box)),
    VERSION: (box) => box.current_version?.version ?? null,
    ACCESS: { optional: 1, cell: access },
    DOWNLOADS: { align: 'right', optional: 2, cell: (box) => String(box.downloads ?? 0) },
    PROVIDERS: { shrinkPriority: 1, cell: (box) => names(box.current_version?.providers) },
    DESCRIPTION: { shrinkPriority: 2, cell: (box) => box.short_description ?? '' },
  }),
];

export const boxView = (box: Box): Document => [
  fields([
    ['box', strong(tag(box))],
    ['access', access(box)],
    ['short description', box.short_description || null],
    ['current version', box.current_version?.version ?? null],
    ['downloads', String(box.downloads ?? 0)],
    ['created', time(box.created_at)],
    ['updated', time(box.updated_at)],
  ]),
  ...(box.versions
    ? [
        listTable(box.versions, 'No versions.', {
          VERSION: ({ version }) => strong(version),
          STATUS: statusWords,
          PROVIDERS: { shrinkPriority: 1, cell: ({ providers }) => names(providers) },
          UPDATED: { optional: 1, cell: ({ updated_at }) => time(updated_at) },
        }),
      ]
    : []),
  ...descriptionBlocks(box),
];

export const versionView = (of: string, version: Version): Document => [
  fields([
    ['version', strong(`${of} ${version.version}`)],
    ['status', statusWords(version)],
    ['created', time(version.created_at)],
    ['updated', time(version.updated_at)],
  ]),
  listTable(version.providers ?? [], 'No providers.', {
    PROVIDER: ({ name }) => strong(name),
    ARCHITECTURE: ({ architecture }) => architecture ?? null,
    IMAGE: imageWords,
  }),
  ...descriptionBlocks(version),
];

/** @param isThere whether the provider has an image. */
export const providerView = (of: string, provider: Provider, isThere: boolean): Document => [
  fields([
    ['provider', strong(`${of} ${provider.name}`)],
    ['architecture', provider.architecture ? architectureWords(provider) : undefined],
    ['image', isThere ? imageWords(provider) : warn('not uploaded')],
    ['checksum', provider.checksum ? `${provider.checksum_type ?? ''} ${provider.checksum}`.trim() : null],
    ['download', provider.download_url ?? null],
    ['updated', time(provider.updated_at)],
  ]),
];

export const organizationView = ({ username, profile_markdown, boxes }: Organization): Document => [
  fields([
    ['name', strong(username)],
    ['profile', profile_markdown || null],
  ]),
  ...boxesView(boxes ?? [], 'No visible boxes.'),
];

export const tag = ({ tag, username, name }: Box): string => tag ?? `${username}/${name}`;

function statusWords({ status }: Version): StyledText {
  if (status === 'active') return [good('released')];
  if (status === 'revoked') return [bad('revoked')];
  return status === 'unreleased' || !status ? [warn('unreleased')] : status;
}

// The specification has no field for whether a hosted image is uploaded.
const imageWords = ({ original_url }: Provider): string => original_url || 'hosted by the registry';

const architectureWords = ({ architecture, default_architecture }: Provider): string =>
  `${architecture}${default_architecture ? ' (default)' : ''}`;

const names = (providers: readonly Provider[] | null | undefined): string | null =>
  [...new Set((providers ?? []).map(({ name }) => name))].join(', ') || null;

const time = (iso: string | null | undefined): Shown => timestampText(iso) ?? null;

const descriptionBlocks = ({ description_markdown }: Pick<Box, 'description_markdown'>): readonly Block[] =>
  description_markdown ? [raw(`${description_markdown.trimEnd()}\n`)] : [];
