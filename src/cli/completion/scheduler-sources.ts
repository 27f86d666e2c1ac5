import type { SchedulerClient } from '../../api/scheduler.ts';
import { described, directoryOf, named, type Source, segmentsBelow, source, type Typed } from './source.ts';

/** Tokens that are candidates: one page. */
const maxTokens = 1000;

/** The names of the items of a variable; their values are dropped. */
const itemNames = async (scheduler: SchedulerClient, path: string): Promise<readonly string[]> =>
  Object.keys((await scheduler.readVariable({ path })).body.Items ?? {});

const variableScope = ({ operands: [path] }: Typed): readonly string[] | undefined =>
  path ? [path] : undefined;

export const schedulerSources = {
  'scheduler-namespace': source('scheduler', async (scheduler) =>
    described((await scheduler.listNamespaces({})).body, ({ Name, Description }) => [Name, Description]),
  ),
  'scheduler-policy': source('scheduler', async (scheduler) =>
    described((await scheduler.listPolicies({})).body, ({ Name, Description }) => [Name, Description]),
  ),
  'scheduler-role': source('scheduler', async (scheduler) =>
    described((await scheduler.listRoles({})).body, ({ Name, Description }) => [Name, Description]),
  ),
  'scheduler-token': source('scheduler', async (scheduler) =>
    described((await scheduler.listTokens({ per_page: maxTokens })).body, ({ AccessorID, Name }) => [
      AccessorID,
      Name,
    ]),
  ),
  variable: source(
    'scheduler',
    async (scheduler, [directory = '']) => {
      const { body } = await scheduler.listVariables({ prefix: directory || undefined });
      const paths = (body ?? []).map(({ Path }) => Path);
      return segmentsBelow(paths, directory);
    },
    ({ value }) => [directoryOf(value)],
  ),
  'variable-item': source(
    'scheduler',
    async (scheduler, [path = '']) => named((await itemNames(scheduler, path)).map((name) => `${name}=`)),
    variableScope,
  ),
  /** `--field` of `var get`. */
  'variable-field': source(
    'scheduler',
    async (scheduler, [path = '']) => named(await itemNames(scheduler, path)),
    variableScope,
  ),
} as const satisfies Readonly<Record<string, Source>>;
