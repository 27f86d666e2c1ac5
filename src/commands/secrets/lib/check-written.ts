import type { SecretsClient } from '../../../api/secrets.ts';
import { isEmptyListError } from '../../../errors.ts';
import { formatJson } from '../../../wire/json.ts';
import { payloadOf } from './views.ts';

/** Whether every written field is stored. Many paths return other fields, or none. */
export async function checkWritten(
  secrets: SecretsClient,
  path: string,
  members: Readonly<Record<string, unknown>>,
) {
  try {
    const existing = payloadOf((await secrets.read({ path })).body);
    const done =
      Object.keys(members).length > 0 &&
      Object.entries(members).every(
        ([name, value]) =>
          typeof existing === 'object' &&
          existing !== null &&
          formatJson(existing[name as keyof typeof existing]) === formatJson(value),
      );
    return { done, found: 'the stored fields differ' };
  } catch (error) {
    if (isEmptyListError(error)) return { done: false, found: 'the path does not exist' };
    throw error;
  }
}
