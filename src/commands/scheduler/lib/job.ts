import type { SchedulerPolicyMetadata } from '../../../api/scheduler-acl.ts';
import { usage } from '../../../errors.ts';
import { compact } from '../../../wire/objects.ts';

type Job = NonNullable<SchedulerPolicyMetadata['JobACL']>;

/** The form of `--job`. */
export const jobForm = 'NAMESPACE[/JOB[/GROUP[/TASK]]]';

/**
 * The job of a policy, by its path: `default/web/api`. A slash in a name is `%2F`.
 *
 * @throws LanyardError usage: a part is empty or not encoded, or there are more than four.
 */
export function jobOf(path: string): Job {
  const invalid = usage(`invalid --job "${path}": expected ${jobForm}`, {
    hint: 'Write a slash in a name as %2F, and a percent sign as %25.',
  });
  const parts = path.split('/').map((part) => decoded(part));
  if (parts.length > 4 || parts.some((part) => part === undefined || part === '')) throw invalid;
  const [Namespace, JobID, Group, Task] = parts;
  return compact({ Namespace, JobID, Group, Task });
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

const encoded = (name: string): string => name.replace(/[%/]/g, encodeURIComponent);

/** The path of the job of a policy, as of `--job`; undefined: it has none. */
export function jobText(job: SchedulerPolicyMetadata['JobACL']): string | undefined {
  const { Namespace, JobID, Group, Task } = job ?? {};
  if (!Namespace) return undefined;
  return [Namespace, JobID, Group, Task]
    .filter((part) => part !== undefined && part !== '')
    .map((part) => encoded(String(part)))
    .join('/');
}
