import { compact } from '../wire/objects.ts';
import type { OperationResult } from './execute.ts';
import { type Operation, type Plan, planSchema } from './operations.ts';
import { countActions } from './plan.ts';
import type { Leaving } from './record.ts';

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
const leavingData = ({ member: { kind, scope, key }, to }: Leaving) => ({ id: { kind, scope, key }, to });

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
    guard,
    ...compact({ source: document && { file: document.source.file, line: document.source.line } }),
    dependsOn,
    changes: changes.map(({ path, action: change, before, after, isSensitive }) => ({
      path,
      action: change,
      ...compact({ before, after }),
      sensitive: isSensitive,
    })),
    ...compact({ reason }),
  };
}

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
