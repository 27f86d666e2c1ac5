import type { SchedulerClient, VariableMetadata } from '../../../api/scheduler.ts';
import { type SchedulerPage, schedulerPageSize, schedulerPages } from '../../../command/scheduler-lists.ts';
import { compact } from '../../../wire/objects.ts';

/**
 * The variables of a list, page by page.
 *
 * @param all all pages, not only the first.
 * @param rejected explains a rejected request.
 * @throws LanyardError failure: the service returns the same page twice.
 */
export async function* readPages(
  scheduler: SchedulerClient,
  requested: Parameters<SchedulerClient['listVariables']>[0],
  all: boolean,
  rejected: (error: unknown) => never = rethrow,
): AsyncGenerator<SchedulerPage<VariableMetadata>> {
  const query = all ? { per_page: schedulerPageSize, ...requested } : requested;
  const read = (next_token: string | undefined) =>
    scheduler.listVariables({ ...query, ...compact({ next_token }) }).catch(rejected);
  for await (const page of schedulerPages(read, query.next_token)) {
    yield page;
    if (!all) return;
  }
}

const rethrow = (error: unknown): never => {
  throw error;
};
