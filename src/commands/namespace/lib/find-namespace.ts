import { isMissingNamespace } from '../../../api/conditions/scheduler.ts';
import type { Namespace, SchedulerClient } from '../../../api/scheduler.ts';
import { arg } from '../../../command/command.ts';
import { describeAs, unlessNotFound, usage } from '../../../errors.ts';
import { isObject, sortedByName } from '../../../wire/objects.ts';

export const nameArg = arg.text('NAME', 'name of the namespace', { completes: 'scheduler-namespace' });

/** @throws LanyardError usage: the name is not valid. */
export function checkName(name: string): void {
  if (/^[a-zA-Z0-9-]{1,128}$/.test(name)) return;
  throw usage(`invalid namespace name "${name}": expected 1 to 128 letters, digits and hyphens`, {
    hint: 'Nothing was sent.',
  });
}

/** Reports an unknown namespace as not found, whatever its status. */
export const describeMissingNamespace = (name: string) =>
  describeAs(isMissingNamespace, 'not_found', `namespace "${name}" not found`, {
    hint: 'Run `lanyard namespace list` for the existing namespaces.',
  });

/** The namespace, or undefined if it does not exist. */
export const findNamespace = (scheduler: SchedulerClient, name: string): Promise<Namespace | undefined> =>
  unlessNotFound(scheduler.readNamespace({ namespace: name }).catch(describeMissingNamespace(name)));

/** A namespace whose objects (Meta, extra claims) are sorted by name: Nomad returns them in random order. */
export const sortNamespace = <Fields extends object>(namespace: Fields): Fields =>
  Object.fromEntries(
    Object.entries(namespace).map(([name, value]) => [name, isObject(value) ? sortedByName(value) : value]),
  ) as Fields;
