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
import { escapeNewlines } from '../output/styled-text.ts';
import type { OperationResult } from './execute.ts';
import { type Action, errorLine, type Operation, operationLabel, type Plan } from './operations.ts';
import { countActions } from './plan.ts';
import type { MovedData, PlanData } from './plan-data.ts';
import { type PlanItem, type PlanSection, planItems, type ShownChange, shownChanges } from './plan-items.ts';

const signs: { readonly [Each in Action]: Span } = {
  create: good('+'),
  update: warn('~'),
  delete: bad('-'),
  adopt: warn('='),
  none: dim(' '),
  blocked: bad('!'),
  unknown: bad('?'),
};

/**
 * The changes of a plan, in the order of execution, and a line that counts them. In a long plan, adjacent objects of a
 * kind have a heading.
 */
export function planDocument(plan: PlanData, sections: readonly PlanSection[] = []): Document {
  const items = planItems(plan);
  const { moved = [] } = plan;
  const runs = items.length > maxUngrouped ? runsOf(items) : items.map((item) => [item]);
  return [
    ...runs.flatMap(runBlocks),
    ...moved.map(movedBlock),
    ...(items.length + moved.length > 0 ? [text('')] : []),
    ...sections.flatMap(sectionBlocks),
    summaryLine(plan),
  ];
}

/** Up to this number of lines, a plan has no headings. */
const maxUngrouped = 20;
/** Fewer adjacent objects of a kind have no heading. */
const minGroup = 3;

/** Items that follow each other and are of the same kind. */
function runsOf(items: readonly PlanItem[]): readonly (readonly PlanItem[])[] {
  const runs: PlanItem[][] = [];
  for (const item of items) {
    const last = runs.at(-1);
    if (last?.[0]?.kind === item.kind) last.push(item);
    else runs.push([item]);
  }
  return runs.flatMap((run) => (run.length < minGroup ? run.map((item) => [item]) : [run]));
}

function runBlocks(items: readonly PlanItem[]): Block[] {
  const [first] = items;
  if (!first || items.length === 1) return items.flatMap((item) => itemBlocks(item, ''));
  const count = items.reduce((sum, { operations }) => sum + operations.length, 0);
  return [
    text(strong(first.kind), dim(` (${count} objects)`)),
    ...items.flatMap((item) => itemBlocks(item, '  ')),
  ];
}

const sectionBlocks = ({ title, items }: PlanSection): Block[] =>
  items.length === 0
    ? []
    : [text(strong(title)), ...items.map((item) => text('  ', code(escapeNewlines(item)))), text('')];

/** `Plan: 2 to create, 1 to update, 0 to delete, 1 adopted, 14 unchanged.` */
function summaryLine(plan: Counted, isApplied = false): Block {
  const { label, counts } = summaryParts(plan, isApplied);
  return text(strong(label), counts);
}

interface Counted {
  readonly operations: readonly Pick<Operation, 'action'>[];
  /** Members that another set takes over. */
  readonly moved?: readonly unknown[] | undefined;
}

const movedBlock = ({ id, name, to }: MovedData): Block =>
  text(warn('>'), ' ', code(`${id.kind} ${name}`.trimEnd()), dim(` (moved to set "${to.name}")`));

/** What a plan changes, or what was applied, by action: `2 to create`. */
export function actionCounts({ operations, moved = [] }: Counted, isApplied = false) {
  const { create, update, delete: removed, adopt, none, blocked, unknown } = countActions(operations);
  return [
    { count: create, text: isApplied ? 'created' : 'to create' },
    { count: update, text: isApplied ? 'updated' : 'to update' },
    { count: removed, text: isApplied ? 'deleted' : 'to delete' },
    { count: adopt, text: isApplied ? 'adopted' : 'to adopt', isOptional: true },
    { count: moved.length, text: `${isApplied ? 'moved' : 'to move'} to another set`, isOptional: true },
    { count: none, text: 'unchanged' },
    { count: blocked, text: 'blocked', isOptional: true },
    { count: unknown, text: 'unknown', isOptional: true },
  ];
}

/** The line that counts what a plan changes, or what was applied. @returns label: empty if nothing is changed. */
export function summaryParts(
  plan: Counted,
  isApplied = false,
): { readonly label: string; readonly counts: string } {
  const none = plan.operations.filter(({ action }) => action === 'none').length;
  if (none === plan.operations.length && !plan.moved?.length)
    return {
      label: '',
      counts:
        none === 0
          ? 'No changes. The files contain no objects.'
          : `No changes. ${none === 1 ? '1 object is' : `${none} objects are`} up to date.`,
    };
  const parts = actionCounts(plan, isApplied)
    .filter(({ count, isOptional }) => count > 0 || !isOptional)
    .map(({ count, text }) => `${count} ${text}`);
  return { label: isApplied ? 'Applied: ' : 'Plan: ', counts: `${parts.join(', ')}.` };
}

/** @param indent of an object under the heading of its kind. */
function itemBlocks({ kind, action, operations: [operation, ...others] }: PlanItem, indent: string): Block[] {
  if (others.length > 0)
    return [text(indent, signs[action], ` ${1 + others.length} objects of kind `, code(kind))];
  const { name, reason } = operation;
  const label = escapeNewlines(indent === '' ? `${kind} ${name}`.trimEnd() : name || kind);
  const head = text(
    indent,
    signs[action],
    ' ',
    code(label),
    ...(reason === undefined ? [] : [dim(` (${reason})`)]),
  );
  return [head, ...shownChanges(operation).flatMap((change) => changeBlocks(change, `${indent}    `))];
}

function changeBlocks(change: ShownChange, indent: string): Block[] {
  const { name } = change;
  const sign = { add: good('+'), update: warn('~'), remove: bad('-') }[change.action];
  if (change.type === 'secret') return [text(indent, sign, ` ${name}  `, dim(`(${change.text})`))];
  if (change.type === 'values') {
    const { before = '(not set)', after = '(not set)' } = change;
    return [text(indent, sign, ` ${name}: `, dim(before), ' → ', after)];
  }
  return [
    text(indent, sign, ` ${name}:`),
    ...change.lines.map(({ sign: mark, line }) =>
      mark === '…'
        ? text(`${indent}  `, dim(mark))
        : text(`${indent}  ${mark} `, mark === '+' ? good(line) : mark === '-' ? bad(line) : dim(line)),
    ),
  ];
}

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
  return [summaryLine({ operations: [...done, ...others], moved: plan.leaving }, true)];
}
