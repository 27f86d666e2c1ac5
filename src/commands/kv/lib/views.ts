import {
  bad,
  type Document,
  fields,
  good,
  listTable,
  namesTable,
  type Shown,
  type StyledText,
  strong,
  text,
  warn,
} from '../../../output/document.ts';
import { timestampText } from '../../../output/humanize.ts';
import { formatJson } from '../../../wire/json.ts';

const valueText = (value: unknown): string => (typeof value === 'string' ? value : formatJson(value));

export const pairsView = (pairs: Readonly<Record<string, unknown>>): Document => [
  listTable(Object.entries(pairs), 'The secret has no keys.', {
    KEY: ([key]) => strong(key),
    VALUE: { mayOverflow: true, cell: ([, value]) => valueText(value) },
  }),
];

/** A version with `null` instead of pairs: its metadata. */
export const noDataView = (metadata: Readonly<Record<string, unknown>>): Document => [
  text('This version has no data (null).'),
  fields(settingRows(metadata)),
];

export const keysView = (keys: readonly string[]): Document => [
  namesTable('KEY', keys, 'No secrets. Run `lanyard kv put` to write one.'),
];

interface Version {
  readonly created_time: string;
  readonly deletion_time: string;
  readonly destroyed: boolean;
}

/** Settings and versions of a secret, the newest first. */
export function metadataView(
  name: string,
  metadata: Readonly<Record<string, unknown>> & { readonly versions: Readonly<Record<string, Version>> },
  now: Date,
): Document {
  const { versions, ...settings } = metadata;
  const newestFirst = Object.entries(versions).sort(([one], [other]) => Number(other) - Number(one));
  return [
    fields([['name', strong(name)], ...settingRows(settings)]),
    listTable(newestFirst, 'No versions.', {
      VERSION: ([number]) => number,
      WRITTEN: ([, version]) => time(version.created_time),
      STATE: ([, version]) => stateOf(version, now),
    }),
  ];
}

export const configView = (mount: string, settings: Readonly<Record<string, unknown>>): Document => [
  fields([['mount', strong(`${mount}/`)], ...settingRows(settings)]),
];

const settingRows = (settings: Readonly<Record<string, unknown>>): [string, Shown][] =>
  Object.entries(settings).map(([name, value]) => [
    name,
    name.endsWith('_time') && typeof value === 'string' && value !== '' ? time(value) : settingText(value),
  ]);

function settingText(value: unknown): Shown {
  if (value === null || value === '') return null;
  if (typeof value !== 'object') return String(value);
  const parts = Object.entries(value).map(([key, part]) => `${key}=${valueText(part)}`);
  return parts.length === 0 ? null : parts.join(', ');
}

/** A deletion time in the future is a scheduled deletion. */
function stateOf({ deletion_time, destroyed }: Version, now: Date): StyledText {
  if (destroyed) return [bad('destroyed')];
  if (deletion_time === '') return [good('available')];
  return Date.parse(deletion_time) > now.getTime()
    ? [good('available'), `, deletion at ${time(deletion_time)}`]
    : [warn(`deleted at ${time(deletion_time)}`)];
}

export const time = (iso: string): string => timestampText(iso) ?? iso;
