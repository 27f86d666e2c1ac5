import { usage } from '../errors.ts';
import { type ServiceName, serviceNames } from '../wire/services.ts';
import { kindNames, suggestKinds } from './kinds.ts';
import type { SessionOptions } from './session.ts';

/** The flags that plan and apply share. */
export interface SessionFlags {
  readonly service: readonly string[] | undefined;
  readonly kind: readonly string[] | undefined;
  readonly name: readonly string[] | undefined;
  readonly adopt: boolean;
  readonly takeOver: boolean;
  readonly prune: boolean;
  readonly pruneMax: number | undefined;
  readonly pruneAll: boolean;
  readonly allowUnknownFields: boolean;
  readonly allowOutside: boolean;
}

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
export function rejectPlanFlags({
  service,
  kind,
  name,
  adopt,
  takeOver,
  prune,
  pruneMax,
  pruneAll,
  allowUnknownFields,
  allowOutside,
}: SessionFlags): void {
  const given = {
    service,
    kind,
    name,
    adopt,
    'take-over': takeOver,
    prune,
    'prune-max': pruneMax,
    'prune-all': pruneAll,
    'allow-unknown-fields': allowUnknownFields,
    'allow-outside': allowOutside,
  };
  for (const [flag, value] of Object.entries(given))
    if (value !== undefined && value !== false)
      throw usage(`--${flag} cannot be combined with a saved plan`, {
        hint: `Use --${flag} with \`lanyard plan --out FILE\`.`,
      });
}

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
