import { basename, join } from 'node:path';
import type { Api } from '../command/api.ts';
import type { Context } from '../command/context.ts';
import { insteadOf, isFailure, MissingSettingError } from '../errors.ts';
import { renderYaml } from '../output/yaml.ts';
import { type ServiceName, serviceNames } from '../wire/services.ts';
import { apiVersion } from './documents.ts';
import type { Services } from './kind.ts';
import { randomId } from './random-id.ts';
import type { StateSet } from './set.ts';
import { readTarget } from './targets.ts';

/** A new document of kind Set. */
export interface NewSet extends Pick<StateSet, 'name' | 'id' | 'targets'> {
  /** `registry:lanyard/sets/ID`, as in the document. */
  readonly record: string;
  readonly text: string;
}

/** The file of the set in a directory. */
export const setPath = (directory: string): string => join(directory, 'set.yaml');

interface NewSetSources {
  readonly services: Services;
  readonly random: Context['system']['random'];
  /** Called for a service whose target is unknown. */
  readonly warn: (message: string) => void;
  /** false: the set may be applied to any cluster. */
  readonly hasTargets?: boolean;
}

/** The services that have an address. @throws LanyardError usage: invalid settings. */
export async function configuredServices(
  settings: Api['settings'],
  names: readonly ServiceName[] = serviceNames,
): Promise<readonly ServiceName[]> {
  const found: ServiceName[] = [];
  for (const name of names)
    if (await settings(name).catch(insteadOf((error) => error instanceof MissingSettingError, undefined)))
      found.push(name);
  return found;
}

/**
 * Makes the document of a new set, for the services that respond.
 *
 * @param directory of the files, as an absolute path: the set has its name.
 */
export async function newSet(
  directory: string,
  names: readonly ServiceName[],
  { services, random, warn, hasTargets = true }: NewSetSources,
): Promise<NewSet> {
  const targets: Record<string, Readonly<Record<string, string>>> = {};
  const reached = new Set<ServiceName>();
  for (const service of names) {
    try {
      const target = await readTarget(service, services);
      reached.add(service);
      if (hasTargets && Object.keys(target).length > 0) targets[service] = target;
    } catch (error) {
      if (!isFailure(error)) throw error;
      warn(`the set has no target for the ${service} service: ${error.message}`);
    }
  }
  const name = nameOf(directory);
  const id = randomId(random);
  const record = recordOf(id, name, reached);
  const text = await renderYaml({
    apiVersion,
    kind: 'Set',
    metadata: { name, id },
    spec: { ...(Object.keys(targets).length > 0 ? { targets } : {}), record },
  });
  return { name, id, targets, record, text };
}

/** A record that several machines can apply is on a service. */
function recordOf(id: string, name: string, reached: ReadonlySet<ServiceName>): string {
  if (reached.has('registry')) return `registry:lanyard/sets/${id}`;
  if (reached.has('scheduler')) return `scheduler:default/lanyard/sets/${id}`;
  return `file:.lanyard/${name}.json`;
}

/** A directory name without the characters that the name of a set cannot have. */
function nameOf(directory: string): string {
  const name = basename(directory)
    .replace(/[^a-zA-Z0-9._-]+/g, '-')
    .replace(/^[^a-zA-Z0-9]+/, '')
    .slice(0, 64);
  return name === '' ? 'state' : name;
}
