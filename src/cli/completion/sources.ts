import type { LiveSource } from '../../command/completes.ts';
import { accountSources } from './account-sources.ts';
import { boxSources } from './box-sources.ts';
import { registrySources } from './registry-sources.ts';
import { schedulerSources } from './scheduler-sources.ts';
import { secretsSources } from './secrets-sources.ts';
import type { Source, Typed } from './source.ts';

const sources: Readonly<Record<Exclude<LiveSource, 'namespace' | 'field' | 'alias' | 'result'>, Source>> = {
  ...secretsSources,
  ...registrySources,
  ...schedulerSources,
  ...boxSources,
  ...accountSources,
};

/** The source of a value; undefined: this command has no such values. */
export function sourceOf(name: Exclude<LiveSource, 'result'>, { path, service }: Typed): Source | undefined {
  if (name === 'namespace') {
    if (service === 'secrets') return sources['secrets-namespace'];
    return service === 'scheduler' ? sources['scheduler-namespace'] : undefined;
  }
  // The configuration lists them.
  if (name === 'alias') return undefined;
  if (name === 'field') return path === 'var get' ? schedulerSources['variable-field'] : undefined;
  return sources[name];
}
