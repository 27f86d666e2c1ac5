import { notFound, usage } from '../../../errors.ts';
import type { ValueRequest } from '../../../output/template/requests.ts';
import { memberOf } from '../../../wire/objects.ts';
import { credentialsValue } from './credentials-value.ts';
import { keysValue, keyValue, serviceValue } from './registry-values.ts';
import { checkedOptions } from './request-options.ts';
import { kvValue, pathValue } from './secret-values.ts';
import type { OpenValue } from './value.ts';
import { variableValue } from './variable-value.ts';

/** A variable of the environment of this process: `"HOME" | env`. */
const environmentValue: OpenValue = (request, { system }) => {
  checkedOptions(request, {});
  const missing = () => notFound(`environment variable "${request.name}" is not set`);
  return {
    service: undefined,
    isSecret: true,
    async read() {
      const value = memberOf(system.env, request.name);
      if (value === undefined) throw missing();
      return value;
    },
    missing,
  };
};

const sources: Readonly<Record<string, OpenValue>> = {
  kv: kvValue,
  read: pathValue,
  creds: credentialsValue,
  key: keyValue,
  keys: keysValue,
  service: serviceValue,
  var: variableValue,
  env: environmentValue,
};

/** The names of the filters that read a value. */
export const sourceNames = Object.keys(sources);

/** @throws LanyardError usage: an invalid name or option. */
export const openValue: OpenValue = (request, ctx) => {
  const open = memberOf(sources, request.source);
  if (open === undefined) throw usage(`unknown filter "${request.source}"`);
  if (request.name === '') throw usage(`the filter "${request.source}" requires a name`);
  return open(request, ctx);
};

/** The same text for equal requests. */
export const requestKey = ({ source, name, options }: ValueRequest): string =>
  JSON.stringify([source, name, Object.entries(options).sort(([one], [other]) => (one < other ? -1 : 1))]);
