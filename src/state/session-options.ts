import { flag, toKebabCase, type Values } from '../command/command.ts';
import { usage } from '../errors.ts';
import { type ServiceName, serviceNames } from '../wire/services.ts';
import { kindNames, suggestKinds } from './kinds.ts';
import type { SessionOptions } from './session.ts';

/** The flags that plan and apply share. @param ifUnreadable what `--allow-unknown` does. */
export const sessionFlags = (ifUnreadable: string) =>
  ({
    service: flag.list('SERVICE', 'only objects of this service; repeatable', { completes: serviceNames }),
    kind: flag.list('KIND', 'only objects of this kind, such as registry.policy; repeatable', {
      completes: kindNames,
    }),
    name: flag.list('NAME', 'only objects with this name, as shown by "plan"; repeatable'),
    adopt: flag.boolean('make objects that exist members of the set, also those that differ'),
    takeOver: flag.boolean('take objects over from another set'),
    prune: flag.boolean('delete members of the set that the files no longer contain'),
    pruneMax: flag.integer('N', 'maximum number of objects to delete (default: from the set, or 10)'),
    pruneAll: flag.boolean('allow that all members are deleted'),
    allowUnknown: flag.boolean(ifUnreadable),
    allowUnknownFields: flag.boolean('accept fields that no schema has, of newer services'),
    allowOutside: flag.boolean('allow files and links out of the directory of the set'),
  }) as const;

type SessionFlags = Omit<Values<ReturnType<typeof sessionFlags>>, 'allowUnknown'>;

/**
 * What the flags of plan and apply ask for.
 *
 * @throws LanyardError usage: an unknown service or kind, or a flag of pruning without --prune.
 */
export function sessionOptions(
  paths: readonly string[],
  flags: SessionFlags,
): Omit<SessionOptions, 'showsSecrets'> {
  const { prune, pruneMax: max, pruneAll: all } = flags;
  if (!prune && max !== undefined) throw usage('--prune-max requires --prune');
  if (!prune && all) throw usage('--prune-all requires --prune');
  return {
    paths,
    services: (flags.service ?? []).map(checkService),
    kinds: checkKinds(flags.kind ?? []),
    names: flags.name ?? [],
    adopt: flags.adopt,
    takeOver: flags.takeOver,
    allowsUnknownFields: flags.allowUnknownFields,
    allowsOutside: flags.allowOutside,
    prune: prune ? { max, all } : undefined,
  };
}

/** A saved plan has the options that it was made with. @throws LanyardError usage: one of them is given again. */
export function rejectPlanFlags(flags: SessionFlags): void {
  const { allowUnknown: _, ...ofPlan } = sessionFlags('');
  for (const name of Object.keys(ofPlan) as (keyof SessionFlags)[]) {
    const given = `--${toKebabCase(name)}`;
    if (isGiven(flags[name]))
      throw usage(`${given} cannot be combined with a saved plan`, {
        hint: `Use ${given} with \`lanyard plan --out FILE\`.`,
      });
  }
}

/** Whether a flag has another value than without it. */
export const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);

/** The service of a `--service` flag. @throws LanyardError usage: an unknown service. */
export function checkService(name: string): ServiceName {
  const found = serviceNames.find((service) => service === name);
  if (!found) throw usage(`invalid --service "${name}": expected one of ${serviceNames.join(', ')}`);
  return found;
}

/** The kinds of `--kind` flags. @throws LanyardError usage: an unknown kind. */
export function checkKinds(given: readonly string[]): readonly string[] {
  const unknown = given.find((name) => !kindNames.includes(name));
  if (unknown === undefined) return given;
  const meant = suggestKinds(unknown);
  throw usage(`unknown kind "${unknown}"`, {
    hint: meant.length > 0 ? `Did you mean ${meant.join(' or ')}?` : `The kinds are ${kindNames.join(', ')}.`,
  });
}
