import { formatTimestamp } from '../output/humanize.ts';
import { isObject } from '../wire/objects.ts';
import { planSchema } from './operations.ts';
import type { PlanData } from './plan-data.ts';
import type { SessionOptions } from './session.ts';

/** What a saved plan was made of. */
export interface PlanInputs extends Omit<SessionOptions, 'showsSecrets'> {
  /** Of the files. */
  readonly digest: string;
}

/** A plan as `plan --out` saves it. */
export interface SavedPlan extends PlanData {
  /** When it was made, in ISO 8601. */
  readonly createdAt: string;
  /** What it was made of. */
  readonly inputs: Readonly<Record<string, unknown>>;
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isCount: Check = (value) => typeof value === 'number';
const isFlag: Check = (value) => typeof value === 'boolean';
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const oneOf =
  (...values: readonly string[]): Check =>
  (value) =>
    values.some((each) => each === value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const mapOf =
  (check: Check): Check =>
  (value) =>
    isObject(value) && Object.values(value).every(check);
const object =
  (members: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) && Object.entries(members).every(([name, check]) => check(value[name]));

const checkSaved = object({
  schema: oneOf(planSchema),
  createdAt: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
  set: object({ id: isText, name: isText, generation: isCount }),
  targets: mapOf(mapOf(isText)),
  complete: isFlag,
  operations: listOf(
    object({
      n: isCount,
      action: oneOf('create', 'update', 'delete', 'adopt', 'none', 'blocked', 'unknown'),
      id: object({ kind: isText, scope: mapOf(isText), key: isText }),
      name: isText,
      changes: listOf(
        object({
          path: isText,
          action: oneOf('add', 'update', 'remove'),
          stated: optional(isText),
          sensitive: isFlag,
        }),
      ),
      reason: optional(isText),
    }),
  ),
  warnings: listOf(object({ code: isText, message: isText })),
  inputs: isObject,
});

/** Whether a value has the fields of a saved plan that are shown. */
export const isSavedPlan = (value: unknown): value is SavedPlan => checkSaved(value);

/** What a saved plan is for, and what it was made of. */
export const savedPlanRows = (
  { set, targets, createdAt }: SavedPlan,
  inputs: PlanInputs,
): readonly (readonly [label: string, value: string])[] => {
  const services = Object.entries(targets).map(([service, target]) => targetText(service, target));
  const options = optionWords(inputs);
  return [
    ['Set', `${set.name} (${set.id})`],
    ['Made', formatTimestamp(new Date(createdAt))],
    ['Files', inputs.paths.join(', ')],
    ...(services.length > 0 ? [['Targets', services.join(', ')] as const] : []),
    ...(options.length > 0 ? [['Options', options.join(' ')] as const] : []),
  ];
};

const targetText = (service: string, target: Readonly<Record<string, string>>): string =>
  `${service} (${Object.entries(target)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')})`;

/** The flags of `plan` that a saved plan was made with. */
function optionWords({ prune, services, kinds, names, ...inputs }: PlanInputs): readonly string[] {
  const valued = (flag: string, values: readonly string[]) => values.map((value) => `${flag} ${value}`);
  return [
    ...valued('--service', services),
    ...valued('--kind', kinds),
    ...valued('--name', names),
    ...(inputs.adopt ? ['--adopt'] : []),
    ...(inputs.takeOver ? ['--take-over'] : []),
    ...(prune ? ['--prune'] : []),
    ...(prune?.max === undefined ? [] : [`--prune-max ${prune.max}`]),
    ...(prune?.all ? ['--prune-all'] : []),
    ...(inputs.allowsUnknownFields ? ['--allow-unknown-fields'] : []),
    ...(inputs.allowsOutside ? ['--allow-outside'] : []),
  ];
}
