import type { SchedulerClient, Variable, VariableMetadata } from '../../../api/scheduler.ts';
import { isNotFound } from '../../../errors.ts';
import { blockingSource } from '../../../watch/blocking-source.ts';
import type { Source } from '../../../watch/watch.ts';
import { itemsOf } from './variable.ts';

/** Watches a variable. Its items are sorted by name. */
export const variableSource = (scheduler: SchedulerClient, path: string): Source<Variable> =>
  blockingSource({
    read: (parameters) => scheduler.readVariable({ path, ...parameters }),
    value: (body) => (body.Items ? { ...body, Items: itemsOf(body) } : body),
    isAbsent: isNotFound,
  });

/** Watches the list of variables, without their items. Its index covers all variables. */
export const variablesSource = (
  scheduler: SchedulerClient,
  which: { readonly prefix: string | undefined; readonly filter: string | undefined },
  rejected: (error: unknown) => never,
): Source<readonly VariableMetadata[]> =>
  blockingSource({
    read: (parameters) => scheduler.listVariables({ ...which, ...parameters }).catch(rejected),
    value: (body): readonly VariableMetadata[] => body ?? [],
    isAbsent: () => false,
  });
