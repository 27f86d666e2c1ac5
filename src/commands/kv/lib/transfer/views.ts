import type { Context } from '../../../../command/context.ts';
import type { KeyChange } from '../../../../output/diff.ts';
import { type Document, dim, reportTable, text } from '../../../../output/document.ts';
import { countText } from '../../../../output/humanize.ts';
import { namedFew } from '../read-secrets.ts';
import type { Planned, SourceSecret } from './plan-transfer.ts';

/** What was done with a secret, or would be done in a dry run. */
export interface TransferRow {
  readonly action: Planned['action'];
  /** Mount and name of the written secret. */
  readonly path: string;
  /** The keys that differ from the data before, without values. */
  readonly changes: readonly KeyChange[];
  /** Whether the metadata was written too. */
  readonly metadata: boolean;
}

export const transferRow = ({ action, to, changes, changesMetadata }: Planned): TransferRow => ({
  action,
  path: to.name,
  changes,
  metadata: changesMetadata,
});

/** @param did what is done with a secret: `copied`; `moved` counts also those that the destination already had. */
export function transferView(
  rows: readonly TransferRow[],
  did: 'copied' | 'moved' | 'imported',
  isDryRun: boolean,
): Document {
  const unchanged = did === 'moved' ? 0 : rows.filter(({ action }) => action === 'unchanged').length;
  const count = countText(rows.length - unchanged, 'secret');
  const rest = unchanged === 0 ? '' : `; ${unchanged} already up to date`;
  const summary = isDryRun
    ? `${count} would be ${did}${rest}; nothing was written.`
    : `${did.charAt(0).toUpperCase()}${did.slice(1)} ${count}${rest}.`;
  return [
    text(summary),
    reportTable(
      ['SECRET', 'ACTION', 'KEYS'],
      rows.map(({ action, path, changes }) => [
        path,
        action === 'unchanged' ? [dim(action)] : action,
        changes.map(({ key, change }) => `${key} ${change}`).join(', '),
      ]),
    ),
  ];
}

/** Names the secrets that exist and have no data to copy. */
export function noteSkipped(output: Pick<Context['output'], 'note'>, found: readonly SourceSecret[]): void {
  const removed = found.filter(({ stored }) => stored.removed !== undefined);
  if (removed.length === 0) return;
  const names = namedFew(removed.map(({ from, stored }) => `${from.name} (${stored.removed})`));
  output.note(
    `Left out ${countText(removed.length, 'secret')} whose newest version has no data: ${names.join(', ')}.`,
  );
}

/** Says that secrets have older versions, which were not copied. */
export function noteOlder(
  output: Pick<Context['output'], 'note'>,
  copies: readonly { readonly source: SourceSecret }[],
): void {
  const count = copies.filter(({ source }) => source.stored.older.length > 0).length;
  if (count === 0) return;
  output.note(`Older versions of ${countText(count, 'secret')} were not copied; --all-versions copies them.`);
}
