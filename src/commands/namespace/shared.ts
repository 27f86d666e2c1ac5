import { isMissingNamespace } from '../../api/conditions.ts';
import type { Namespace, SchedulerClient } from '../../api/scheduler.ts';
import { arg } from '../../command.ts';
import { LanyardError, notFound, usage } from '../../errors.ts';
import { sortedByName } from '../../wire/sorted.ts';

export const nameArg = arg.text('NAME', 'the namespace: letters, digits and hyphens');

/** @throws LanyardError usage: no namespace has such a name. */
export function checkName(name: string): void {
  if (/^[a-zA-Z0-9-]{1,128}$/.test(name)) return;
  throw usage(`"${name}" is no name of a namespace: 1 to 128 letters, digits and hyphens`, {
    hint: 'Nothing was sent.',
  });
}

/** Says of a namespace that the service does not know that it is not there, whichever status it says so with. */
export const missing =
  (name: string) =>
  (error: unknown): never => {
    if (!isMissingNamespace(error)) throw error;
    throw notFound(`there is no namespace "${name}"`, {
      ...{ service: error.service, status: error.status, details: error.details },
      hint: '"lanyard namespace list" shows those that the token may see.',
    });
  };

/** The namespace, or undefined when there is none. */
export async function find(scheduler: SchedulerClient, name: string): Promise<Namespace | undefined> {
  try {
    return (await scheduler.readNamespace({ namespace: name }).catch(missing(name))).body;
  } catch (error) {
    if (error instanceof LanyardError && error.kind === 'not_found') return undefined;
    throw error;
  }
}

/** A namespace whose objects (Meta, extra claims) are sorted by name: Nomad gives them in another order each time. */
export const sorted = <Fields extends object>(namespace: Fields): Fields =>
  Object.fromEntries(
    Object.entries(namespace).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null && !Array.isArray(value) ? sortedByName(value) : value,
    ]),
  ) as Fields;
