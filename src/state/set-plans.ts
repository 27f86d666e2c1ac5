import { LanyardError } from '../errors.ts';
import type { Block, Document } from '../output/document.ts';
import { strong, text } from '../output/document.ts';
import { isChange } from './operations.ts';
import { type OperationData, type PlanData, planData } from './plan-data.ts';
import { planDocument } from './plan-view.ts';
import type { Session } from './session.ts';

/** The name of a set and where its files are, above its part of the output. */
export const setHeading = ({ plan, input }: Pick<Session, 'plan' | 'input'>): Block =>
  text(strong(`Set "${plan.set.name}"`), ` (${input.paths.join(' ')})`);

/** The plans of several sets. */
export const plansDocument = (sessions: readonly Session[]): Document =>
  sessions.flatMap((session, index) => [
    ...(index > 0 ? [text('')] : []),
    setHeading(session),
    ...planDocument(planData(session.plan)),
  ]);

/** The plans of several sets as data: each as `planData` has it. */
export const plansData = (sessions: readonly Session[]) => ({
  plans: sessions.map(({ plan }) => planData(plan)),
});

/** The operations of several sets as rows. */
export const plansRows = (sessions: readonly Session[]) =>
  sessions.flatMap(({ plan }) => {
    const { set, operations } = planData(plan);
    return operations.map((operation) => ({ set: { id: set.id, name: set.name }, ...operation }));
  });

/** Whether something is to do, or could not be compared. */
export function differs({
  operations,
  set,
  moved = [],
}: Pick<PlanData, 'operations' | 'set' | 'moved'>): boolean {
  // Before its first apply, a set owns nothing: objects that are as stated are no differences.
  const isAdopted = ({ action }: Pick<OperationData, 'action'>): boolean =>
    action === 'adopt' && set.generation === 0;
  return (
    moved.length > 0 ||
    operations.some(
      (operation) =>
        (isChange(operation) && !isAdopted(operation)) ||
        operation.action === 'blocked' ||
        operation.action === 'unknown',
    )
  );
}

/** The plans of several sets as Markdown for one comment, each with an equal share of its length. */
export async function plansMarkdown(sessions: readonly Session[]): Promise<string> {
  const { maxCommentLength, planMarkdown } = await import('./plan-markdown.ts');
  const limit = Math.floor(maxCommentLength / sessions.length) - 1;
  return sessions.map(({ plan }) => planMarkdown(planData(plan), { limit })).join('\n');
}

interface Stopped {
  readonly set: string | undefined;
  /** Sets that were not started. */
  readonly others: readonly string[];
  /** Earlier sets were changed. */
  readonly wrote: boolean;
}

/** The error of several sets: of the one that failed, and the sets that were not started. */
export function stoppedError(error: LanyardError, { set, others, wrote }: Stopped): LanyardError {
  const details = [...error.details, ...others.map((other) => `set "${other}": not started`)];
  const isPartial = wrote && error.kind !== 'interrupted';
  const kind = isPartial ? 'unknown' : error.kind;
  return new LanyardError(kind, `set "${set}": ${error.message}`, {
    ...error,
    details,
    ...(isPartial && { hint: error.hint ?? 'Fix the cause and run the same command again to continue.' }),
  });
}
