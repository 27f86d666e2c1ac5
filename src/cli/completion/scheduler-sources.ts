import {
  described,
  directoryOf,
  type ListingApi,
  named,
  noScope,
  type Source,
  segmentsBelow,
  type Typed,
} from './source.ts';

/** The names of the items of a variable; their values are dropped. */
async function itemNames(api: ListingApi, path: string): Promise<readonly string[]> {
  const { body } = await (await api.scheduler()).readVariable({ path });
  return Object.keys(body.Items ?? {});
}

const variableScope = ({ operands: [path] }: Typed): readonly string[] | undefined =>
  path ? [path] : undefined;

export const schedulerSources = {
  'scheduler-namespace': {
    service: 'scheduler',
    scope: noScope,
    list: async (api) => {
      const { body } = await (await api.scheduler()).listNamespaces({});
      return described(body, ({ Name, Description }) => [Name, Description]);
    },
  },
  variable: {
    service: 'scheduler',
    scope: ({ value }) => [directoryOf(value)],
    list: async (api, [directory = '']) => {
      const { body } = await (await api.scheduler()).listVariables({ prefix: directory || undefined });
      const paths = (body ?? []).map(({ Path }) => Path);
      return segmentsBelow(paths, directory);
    },
  },
  'variable-item': {
    service: 'scheduler',
    scope: variableScope,
    list: async (api, [path = '']) => named((await itemNames(api, path)).map((name) => `${name}=`)),
  },
  /** `--field` of `var get`. */
  'variable-field': {
    service: 'scheduler',
    scope: variableScope,
    list: async (api, [path = '']) => named(await itemNames(api, path)),
  },
} as const satisfies Readonly<Record<string, Source>>;
