import { notFound } from '../../../errors.ts';
import { readVariable } from '../../run/lib/sources.ts';
import { checkPath, itemsOf } from '../../var/lib/variable.ts';
import { variableSource } from '../../var/lib/variable-source.ts';
import { checkedOptions } from './request-options.ts';
import type { OpenValue } from './value.ts';

/** The items of a scheduler variable: `"app/db" | var`. */
export const variableValue: OpenValue = (request, { api }) => {
  const { name } = request;
  checkedOptions(request, {});
  checkPath(name);
  return {
    service: 'scheduler',
    isSecret: true,
    read: async (options) => ({ ...(await readVariable(await api.scheduler(options), name)) }),
    watch: async (options) => ({
      source: variableSource(await api.scheduler(options), name),
      toValue: (variable) => ({ ...itemsOf(variable) }),
    }),
    missing: () => notFound(`variable "${name}" not found`),
  };
};
