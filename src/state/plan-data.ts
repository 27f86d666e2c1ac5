import { compact } from '../wire/objects.ts';
import type { FieldChange } from './compare.ts';
import type { OperationResult } from './execute.ts';
import { labelOf } from './kind.ts';
import { findKind } from './kinds.ts';
import { type Operation, type Plan, planSchema } from './operations.ts';
import { countActions } from './plan.ts';
import type { Leaving } from './record.ts';

export type PlanData = ReturnType<typeof planData>;
export type OperationData = PlanData['operations'][number];
export type MovedData = ReturnType<typeof leavingData>;
export type ChangeData = OperationData['changes'][number];

/** A plan as data (`lanyard/plan/v1`). It has no value, hash or length of a secret. */
export function planData(plan: Plan) {
  const { set, targets, generation, isComplete, operations, warnings, leaving } = plan;
  return {
    schema: planSchema,
    set: { id: set.id, name: set.name, generation },
    targets,
    complete: isComplete,
    operations: operations.map(operationData),
    ...compact({ moved: leaving.length > 0 ? leaving.map(leavingData) : undefined }),
    summary: summaryOf(plan),
    warnings,
  };
}

/** A member that another set takes over. */
function leavingData({ member: { kind: name, scope, key }, to }: Leaving) {
  const kind = findKind(name);
  return { id: { kind: name, scope, key }, name: kind ? labelOf(kind, { scope, key }) : key, to };
}

/** What a plan has of each action. */
export function summaryOf({ operations }: Pick<Plan, 'operations'>) {
  const { create, update, delete: removed, adopt, none, blocked, unknown } = countActions(operations);
  return { create, update, delete: removed, adopt, unchanged: none, blocked, unknown };
}

function operationData(operation: Operation) {
  const { n, action, kind, identity, guard, document, dependsOn, changes, reason } = operation;
  return {
    n,
    action,
    id: { kind: kind.name, scope: identity.scope, key: identity.key },
    name: labelOf(kind, identity),
    guard,
    ...compact({ source: document && { file: document.source.file, line: document.source.line } }),
    dependsOn,
    changes: changes.map(changeData),
    ...compact({ reason }),
  };
}

const changeData = ({ path, action, before, after, isSensitive, isDuration, stated }: FieldChange) => ({
  path,
  action,
  ...compact({ before, after, unit: isDuration && ('seconds' as const), stated }),
  sensitive: isSensitive,
});

/** The result of one operation, an event of `apply -o jsonl`. */
export function resultData({ operation, status, error }: OperationResult) {
  const { n, action, kind, identity } = operation;
  return {
    n,
    action,
    id: { kind: kind.name, scope: identity.scope, key: identity.key },
    status,
    ...compact({ error: error && { kind: error.kind, message: error.message } }),
  };
}
