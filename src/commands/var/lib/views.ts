import type { Variable, VariableMetadata } from '../../../api/scheduler.ts';
import type { Items } from '../../../io/variable-file.ts';
import {
  code,
  type Document,
  dim,
  fields,
  listResult,
  listTable,
  type Shown,
  strong,
  text,
} from '../../../output/document.ts';
import { countText, formatTimestamp } from '../../../output/humanize.ts';

/** A Unix time in nanoseconds as text. */
function time(nanoseconds: number | bigint | undefined): Shown {
  if (!nanoseconds) return null;
  const date = new Date(Number(nanoseconds) / 1e6);
  return Number.isNaN(date.getTime()) ? String(nanoseconds) : formatTimestamp(date);
}

export const variablesResult = (variables: readonly VariableMetadata[]) =>
  listResult(variables, 'No variables. Run `lanyard var put` to write one.', {
    NAMESPACE: { cell: ({ Namespace }) => Namespace ?? '', shrinkPriority: 1 },
    PATH: ({ Path }) => [strong(Path)],
    MODIFIED: { cell: ({ ModifyTime }) => time(ModifyTime), optional: 1 },
    INDEX: ({ ModifyIndex }) => String(ModifyIndex ?? ''),
  });

/** A variable; its values are hidden unless `isRevealed`. */
export const variableView = (variable: Variable, isRevealed: boolean): Document => [
  fields([
    ['path', [strong(variable.Path)]],
    ['namespace', variable.Namespace ?? null],
    ['index', String(variable.ModifyIndex ?? '')],
    ['modified', time(variable.ModifyTime)],
  ]),
  listTable(Object.entries(variable.Items ?? {}), 'The variable has no items.', {
    KEY: ([key]) => [strong(key)],
    VALUE: { cell: ([, value]) => (isRevealed ? value : [dim(hidden(value))]), mayOverflow: true },
  }),
];

const hidden = (value: string): string => (value === '' ? '(empty)' : '(hidden)');

export function writtenView(path: string, items: Items, variable: Variable | undefined): Document {
  const index = variable?.ModifyIndex === undefined ? '' : `, ModifyIndex ${variable.ModifyIndex}`;
  return [text('Wrote ', code(path), ` (${countText(Object.keys(items).length, 'item')}${index}).`)];
}

export const unchangedView = (path: string): Document => [text('Variable ', code(path), ' is unchanged.')];
