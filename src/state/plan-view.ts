import {
  type Block,
  bad,
  code,
  type Document,
  dim,
  good,
  type Span,
  strong,
  text,
  warn,
} from '../output/document.ts';
import { lineDiff } from '../output/line-diff.ts';
import { formatDuration } from '../wire/duration.ts';
import { formatJson, type Json } from '../wire/json.ts';
import { type FieldChange, fieldName } from './compare.ts';
import type { OperationResult } from './execute.ts';
import { type Action, errorLine, type Operation, operationLabel, type Plan } from './operations.ts';
import { countActions } from './plan.ts';
import { memberLabel } from './prune.ts';
import type { Leaving } from './record.ts';

const signs: { readonly [Each in Action]: Span } = {
  create: good('+'),
  update: warn('~'),
  delete: bad('-'),
  adopt: warn('='),
  none: dim(' '),
  blocked: bad('!'),
  unknown: bad('?'),
};

/** The changes of a plan, in the order of execution, and a line that counts them. */
export function planDocument(plan: Plan, isApplied = false): Document {
  const shown = plan.operations.filter(({ action }) => action !== 'none');
  return [
    ...shown.flatMap(operationBlocks),
    ...plan.leaving.map(leavingBlock),
    ...(shown.length + plan.leaving.length > 0 ? [text('')] : []),
    summaryLine(plan, isApplied),
  ];
}

/** `Plan: 2 to create, 1 to update, 0 to delete, 1 adopted, 14 unchanged.` */
function summaryLine(
  { operations, leaving = [] }: Pick<Plan, 'operations'> & Partial<Pick<Plan, 'leaving'>>,
  isApplied = false,
): Block {
  const { create, update, delete: removed, adopt, none, blocked, unknown } = countActions(operations);
  if (create + update + removed + adopt + blocked + unknown + leaving.length === 0)
    return text(
      none === 0
        ? 'No changes. The files contain no objects.'
        : `No changes. ${none === 1 ? '1 object is' : `${none} objects are`} up to date.`,
    );
  const parts = [
    `${create} ${isApplied ? 'created' : 'to create'}`,
    `${update} ${isApplied ? 'updated' : 'to update'}`,
    `${removed} ${isApplied ? 'deleted' : 'to delete'}`,
    ...(adopt > 0 ? [`${adopt} ${isApplied ? 'adopted' : 'to adopt'}`] : []),
    ...(leaving.length > 0 ? [`${leaving.length} ${isApplied ? 'moved' : 'to move'} to another set`] : []),
    `${none} unchanged`,
    ...(blocked > 0 ? [`${blocked} blocked`] : []),
    ...(unknown > 0 ? [`${unknown} unknown`] : []),
  ];
  return text(strong(isApplied ? 'Applied: ' : 'Plan: '), `${parts.join(', ')}.`);
}

/** A member that another set takes over. */
const leavingBlock = ({ member, to }: Leaving): Block =>
  text(warn('>'), ' ', code(memberLabel(member)), dim(` (moved to set "${to.name}")`));

function operationBlocks(operation: Operation): Block[] {
  const { action, reason } = operation;
  const head = text(
    signs[action],
    ' ',
    code(operationLabel(operation)),
    ...(reason === undefined ? [] : [dim(` (${reason})`)]),
  );
  // A new object has the fields of its file, and none is left of a deleted one.
  const changes = action === 'create' || action === 'delete' ? [] : operation.changes;
  return [head, ...changes.flatMap(changeBlocks)];
}

function changeBlocks({ path, action, before, after, isSensitive, isDuration }: FieldChange): Block[] {
  const name = fieldName(path);
  const sign = { add: good('+'), update: warn('~'), remove: bad('-') }[action];
  if (isSensitive) {
    const what = { add: 'secret added', update: 'secret changed', remove: 'secret removed' }[action];
    return [text('    ', sign, ` ${name}  `, dim(`(${what})`))];
  }
  if (isLines(before) || isLines(after))
    return [
      text('    ', sign, ` ${name}:`),
      ...lineDiff(textOf(before), textOf(after)).map(({ sign: mark, line }) =>
        mark === '…'
          ? text('      ', dim(mark))
          : text(`      ${mark} `, mark === '+' ? good(line) : mark === '-' ? bad(line) : dim(line)),
      ),
    ];
  const value = (given: Json | undefined): string =>
    given === undefined
      ? '(not set)'
      : isDuration && typeof given === 'number'
        ? durationText(given)
        : formatJson(given);
  return [text('    ', sign, ` ${name}: `, dim(value(before)), ' → ', value(after))];
}

/** `1h0m0s`, as other commands show durations; `0.7s`. */
const durationText = (seconds: number): string =>
  Number.isInteger(seconds) ? formatDuration(seconds) : `${seconds}s`;

const isLines = (value: Json | undefined): boolean => typeof value === 'string' && value.includes('\n');
const textOf = (value: Json | undefined): string =>
  value === undefined ? '' : typeof value === 'string' ? value : formatJson(value);

/** For the warning of a plan that is not complete. */
export const incompleteText = (count: number): string =>
  `the plan is incomplete: ${count === 1 ? '1 object' : `${count} objects`} could not be read`;

/** A line for an operation that ended. */
export function resultLine({ operation, status, error }: OperationResult): Block {
  const ended = {
    done: good('done'),
    failed: bad('failed'),
    unknown: bad('unknown'),
    'not-started': dim('not started'),
  };
  const cause = error ? `: ${errorLine(error)}` : '';
  const line = text(
    signs[operation.action],
    ' ',
    code(operationLabel(operation)),
    '  ',
    ended[status],
    cause,
  );
  return status === 'done' && line.kind === 'text' ? { ...line, isReport: true } : line;
}

/** A line that counts the operations of an apply that were carried out. */
export function appliedDocument(results: readonly OperationResult[], plan: Plan): Document {
  const done = results.flatMap(({ operation, status }) => (status === 'done' ? [operation] : []));
  const others = plan.operations.filter(({ action }) => action === 'none' || action === 'unknown');
  return [summaryLine({ operations: [...done, ...others], leaving: plan.leaving }, true)];
}
