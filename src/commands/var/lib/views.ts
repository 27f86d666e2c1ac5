import type { Variable, VariableMetadata } from '../../../api/scheduler.ts';
import type { Items } from '../../../io/variable-file.ts';
import {
  code,
  type Document,
  dim,
  fields,
  type StyledText,
  strong,
  table,
  text,
} from '../../../output/document.ts';
import { formatTimestamp } from '../../../output/humanize.ts';

/** A Unix time in nanoseconds as text. */
function time(nanoseconds: number | bigint | undefined): StyledText {
  if (!nanoseconds) return [dim('-')];
  const date = new Date(Number(nanoseconds) / 1e6);
  return Number.isNaN(date.getTime()) ? String(nanoseconds) : formatTimestamp(date);
}

export const variablesView = (variables: readonly VariableMetadata[]): Document => [
  table(
    [{ title: 'NAMESPACE', shrinkPriority: 1 }, 'PATH', { title: 'MODIFIED', optional: 1 }, 'INDEX'],
    variables.map(({ Namespace, Path, ModifyTime, ModifyIndex }) => [
      Namespace ?? '',
      [strong(Path)],
      time(ModifyTime),
      String(ModifyIndex ?? ''),
    ]),
    'No variables. Run `lanyard var put` to write one.',
  ),
];

/** A variable; its values are hidden unless `isRevealed`. */
export const variableView = (variable: Variable, isRevealed: boolean): Document => [
  fields([
    ['path', [strong(variable.Path)]],
    ['namespace', variable.Namespace ?? [dim('-')]],
    ['index', String(variable.ModifyIndex ?? '')],
    ['modified', time(variable.ModifyTime)],
  ]),
  table(
    ['KEY', { title: 'VALUE', mayOverflow: true }],
    Object.entries(variable.Items ?? {}).map(([key, value]) => [
      [strong(key)],
      isRevealed ? value : [dim(hidden(value))],
    ]),
    'The variable has no items.',
  ),
];

const hidden = (value: string): string => (value === '' ? '(empty)' : '(hidden)');

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

export function writtenView(path: string, items: Items, variable: Variable | undefined): Document {
  const index = variable?.ModifyIndex === undefined ? '' : `, ModifyIndex ${variable.ModifyIndex}`;
  return [text('Wrote ', code(path), ` (${plural(Object.keys(items).length, 'item')}${index}).`)];
}

export const unchangedView = (path: string): Document => [text('Variable ', code(path), ' is unchanged.')];
