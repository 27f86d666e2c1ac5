import { conflict, usage } from '../errors.ts';
import type { ObjectSchema } from '../objects/schema.ts';
import { formatJson, tryParseJson } from '../wire/json.ts';
import { isObject, memberOf } from '../wire/objects.ts';
import type { ServiceName } from '../wire/services.ts';
import { holdsSecret } from './compare.ts';
import type { JsonObject } from './kind.ts';
import { operationLabel, type Plan, planSchema } from './operations.ts';
import { type PlanData, planData } from './plan-data.ts';
import { isSavedPlan, type PlanInputs, type SavedPlan } from './saved-plan.ts';

/**
 * The content of a saved plan: the plan as data, its inputs, and when it was made. No values of secrets.
 *
 * @throws LanyardError usage: a secret without a version would be changed; whether it is still the same could not be
 * seen later.
 */
export function planFile(plan: Plan, inputs: PlanInputs, createdAt: Date): string {
  const unseen = plan.operations.find(
    ({ action, kind, live }) =>
      (action === 'update' || action === 'delete') &&
      live?.version === '' &&
      hasSecret(kind.schema, live.spec),
  );
  if (unseen)
    throw usage(`cannot save the plan: ${operationLabel(unseen)} has no version`, {
      hint: 'Later changes of it could not be detected. Apply the files instead of a saved plan.',
    });
  return `${formatJson({ ...planData(plan), createdAt: createdAt.toISOString(), inputs }, 2)}\n`;
}

/** Whether a field that the service returns may be a secret. */
const hasSecret = ({ properties }: ObjectSchema, spec: JsonObject): boolean =>
  Object.keys(spec).some((name) => {
    const property = memberOf(properties, name);
    return property !== undefined && holdsSecret(property);
  });

/** Whether a path names a saved plan. */
export const isPlanFile = (path: string): boolean => /\.plan(\.json)?$/.test(path);

/** Reads a saved plan. @throws LanyardError usage: it is not one. */
export function parsePlanFile(
  text: string,
  name: string,
): { readonly saved: SavedPlan; readonly inputs: PlanInputs } {
  const value = tryParseJson(text);
  if (value === undefined) throw usage(`${name} is not a saved plan: invalid JSON`);
  if (!isObject(value) || value.schema !== planSchema || !isObject(value.inputs))
    throw usage(`${name} is not a saved plan: expected ${planSchema} with its inputs`);
  if (!isSavedPlan(value)) throw usage(`${name} is not a saved plan: missing or invalid fields`);
  const { paths, services, kinds, names = [], digest, ...rest } = value.inputs;
  if (
    !isTexts(paths) ||
    !isTexts(services) ||
    !isTexts(kinds) ||
    !isTexts(names) ||
    typeof digest !== 'string'
  )
    throw usage(`${name} is not a saved plan: invalid inputs`);
  const { prune } = rest;
  return {
    saved: value,
    inputs: {
      paths,
      services: services as readonly ServiceName[],
      kinds,
      names,
      digest,
      adopt: rest.adopt === true,
      takeOver: rest.takeOver === true,
      allowsUnknownFields: rest.allowsUnknownFields === true,
      allowsOutside: rest.allowsOutside === true,
      prune: isObject(prune)
        ? { max: typeof prune.max === 'number' ? prune.max : undefined, all: prune.all === true }
        : undefined,
    },
  };
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

/**
 * Compares a saved plan with one that was made now of the same files.
 *
 * @throws LanyardError conflict: the files, the record or an object changed. Nothing was written.
 */
export function requireSamePlan(
  then: Pick<PlanData, 'set' | 'operations'>,
  current: Plan,
  inputs: { readonly saved: string; readonly current: string },
): void {
  const stale = (cause: string) =>
    conflict(`the saved plan is stale: ${cause}`, { hint: 'Nothing was written. Run `lanyard plan` again.' });
  if (inputs.saved !== inputs.current) throw stale('the files were changed');
  const now = planData(current);
  if (then.set.generation !== now.set.generation) throw stale('the set was applied again');
  const text = (value: unknown): string => formatJson(value);
  const changed = now.operations.find((operation, index) => text(operation) !== text(then.operations[index]));
  if (changed) throw stale(`${changed.id.kind} ${changed.id.key} was changed`);
  if (then.operations.length !== now.operations.length) throw stale('other objects would be changed');
}
