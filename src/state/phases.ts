import type { Operation } from './operations.ts';
import { levelOf } from './order.ts';

/**
 * Operations that may run at once: creations and updates by level, but after what they depend on; then deletions, one
 * level after the other.
 */
export function phases(changes: readonly Operation[]): readonly (readonly Operation[])[] {
  const numbers = new Map<number, number>();
  for (const operation of changes) {
    const level = levelOf({
      kind: operation.kind,
      identity: operation.identity,
      spec: operation.desired ?? operation.live?.spec ?? {},
    });
    const own = operation.action === 'delete' ? 10_000 - level : level;
    numbers.set(operation.n, Math.max(own, ...operation.dependsOn.map((n) => numbers.get(n) ?? 0)));
  }
  const byPhase = Map.groupBy(changes, ({ n }) => numbers.get(n) ?? 0);
  return [...byPhase].sort(([one], [other]) => one - other).map(([, operations]) => operations);
}
