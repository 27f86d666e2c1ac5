import type { BoxClient } from '../../../api/box.ts';
import {
  type Block,
  bad,
  type Document,
  dim,
  fields,
  good,
  raw,
  type StyledText,
  strong,
  table,
  warn,
} from '../../../output/document.ts';
import { timestampText } from '../../../output/humanize.ts';

export type Box = Awaited<ReturnType<BoxClient['readBox']>>['body'];
export type Version = Awaited<ReturnType<BoxClient['readVersion']>>['body'];
export type Provider = Awaited<ReturnType<BoxClient['readProvider']>>['body'];
export type Organization = Awaited<ReturnType<BoxClient['readOrganization']>>['body'];

const access = (box: Box): string => (box.private ? 'private' : 'public');
const none = [dim('-')];

export const boxesView = (boxes: readonly Box[], empty = 'No boxes found.'): Document => [
  table(
    [
      'BOX',
      'VERSION',
      { title: 'ACCESS', optional: 1 },
      { title: 'DOWNLOADS', align: 'right', optional: 2 },
      { title: 'PROVIDERS', shrinkPriority: 1 },
      { title: 'DESCRIPTION', shrinkPriority: 2 },
    ],
    boxes.map((box) => [
      [strong(tag(box))],
      box.current_version?.version ?? none,
      access(box),
      String(box.downloads ?? 0),
      names(box.current_version?.providers) || none,
      box.short_description ?? '',
    ]),
    empty,
  ),
];

export const boxView = (box: Box): Document => [
  fields([
    ['box', [strong(tag(box))]],
    ['access', access(box)],
    ['short description', box.short_description || none],
    ['current version', box.current_version?.version ?? none],
    ['downloads', String(box.downloads ?? 0)],
    ['created', time(box.created_at)],
    ['updated', time(box.updated_at)],
  ]),
  ...(box.versions
    ? [
        table(
          ['VERSION', 'STATUS', { title: 'PROVIDERS', shrinkPriority: 1 }, { title: 'UPDATED', optional: 1 }],
          box.versions.map((version) => [
            [strong(version.version)],
            statusWords(version),
            names(version.providers) || none,
            time(version.updated_at),
          ]),
          'No versions.',
        ),
      ]
    : []),
  ...descriptionBlocks(box),
];

export const versionView = (of: string, version: Version): Document => [
  fields([
    ['version', [strong(`${of} ${version.version}`)]],
    ['status', statusWords(version)],
    ['created', time(version.created_at)],
    ['updated', time(version.updated_at)],
  ]),
  table(
    ['PROVIDER', 'ARCHITECTURE', 'IMAGE'],
    (version.providers ?? []).map((provider) => [
      [strong(provider.name)],
      provider.architecture ?? none,
      imageWords(provider),
    ]),
    'No providers.',
  ),
  ...descriptionBlocks(version),
];

/** @param isThere whether the provider has an image. */
export const providerView = (of: string, provider: Provider, isThere: boolean): Document => [
  fields([
    ['provider', [strong(`${of} ${provider.name}`)]],
    ...(provider.architecture ? [['architecture', architectureWords(provider)] as const] : []),
    ['image', isThere ? imageWords(provider) : [warn('not uploaded')]],
    ['checksum', provider.checksum ? `${provider.checksum_type ?? ''} ${provider.checksum}`.trim() : none],
    ['download', provider.download_url ?? none],
    ['updated', time(provider.updated_at)],
  ]),
];

export const organizationView = ({ username, profile_markdown, boxes }: Organization): Document => [
  fields([
    ['name', [strong(username)]],
    ['profile', profile_markdown || none],
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

const names = (providers: readonly Provider[] | null | undefined): string =>
  [...new Set((providers ?? []).map(({ name }) => name))].join(', ');

const time = (iso: string | null | undefined): StyledText => timestampText(iso) ?? none;

const descriptionBlocks = ({ description_markdown }: Pick<Box, 'description_markdown'>): readonly Block[] =>
  description_markdown ? [raw(`${description_markdown.trimEnd()}\n`)] : [];
