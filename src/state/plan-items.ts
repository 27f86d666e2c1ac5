import { type DiffLine, lineDiff } from '../output/line-diff.ts';
import { shortDuration } from '../wire/duration.ts';
import { formatJson, type Json } from '../wire/json.ts';
import { fieldName } from './compare.ts';
import type { ChangeData, OperationData, PlanData } from './plan-data.ts';

/** A line of a plan: one object, or several that are adopted unchanged. */
export interface PlanItem {
  readonly kind: string;
  readonly action: OperationData['action'];
  /** One: the object; more: objects that are adopted. */
  readonly operations: readonly [OperationData, ...OperationData[]];
}

/** A part of a plan besides its operations, such as objects that no file states. */
export interface PlanSection {
  readonly title: string;
  readonly items: readonly string[];
}

/** Up to this number, each adopted object of a kind is listed. */
const maxAdoptions = 3;

/** What a plan changes, in the order of execution; many unchanged objects of a kind that are adopted are one item. */
export function planItems({ operations }: Pick<PlanData, 'operations'>): readonly PlanItem[] {
  const shown = operations.filter(({ action }) => action !== 'none');
  const adopted = Map.groupBy(shown.filter(isPlainAdoption), ({ id }) => id.kind);
  return shown.flatMap((operation): PlanItem[] => {
    const { action, id } = operation;
    const [first, ...others] = (isPlainAdoption(operation) && adopted.get(id.kind)) || [];
    if (!first || others.length < maxAdoptions) return [{ kind: id.kind, action, operations: [operation] }];
    return operation === first ? [{ kind: id.kind, action, operations: [first, ...others] }] : [];
  });
}

const isPlainAdoption = ({ action, reason }: OperationData): boolean =>
  action === 'adopt' && reason === undefined;

/** What is shown of a field: a secret never has values. */
export type ShownChange = { readonly name: string; readonly action: ChangeData['action'] } & (
  | { readonly type: 'secret'; readonly text: string }
  | { readonly type: 'lines'; readonly lines: readonly DiffLine[] }
  | { readonly type: 'values'; readonly before: string | undefined; readonly after: string | undefined }
);

/** The fields of an object that a plan shows: a new object has those of its file, and none is left of a deleted one. */
export const shownChanges = ({ action, changes }: OperationData): readonly ShownChange[] =>
  action === 'create' || action === 'delete' ? [] : changes.map(shownChange);

function shownChange(change: ChangeData): ShownChange {
  const { path, action, before, after, sensitive } = change;
  const shared = { name: fieldName(path), action };
  if (sensitive) {
    const text = { add: 'secret added', update: 'secret changed', remove: 'secret removed' }[action];
    return { ...shared, type: 'secret', text };
  }
  if (isLines(before) || isLines(after))
    return { ...shared, type: 'lines', lines: lineDiff(textOf(before), textOf(after)) };
  return {
    ...shared,
    type: 'values',
    before: valueText(before, change),
    after: change.stated ?? valueText(after, change),
  };
}

function valueText(value: Json | undefined, { unit }: ChangeData): string | undefined {
  if (value === undefined) return undefined;
  return unit === 'seconds' && typeof value === 'number' ? shortDuration(value) : formatJson(value);
}

const isLines = (value: Json | undefined): boolean => typeof value === 'string' && value.includes('\n');
const textOf = (value: Json | undefined): string =>
  value === undefined ? '' : typeof value === 'string' ? value : formatJson(value);
