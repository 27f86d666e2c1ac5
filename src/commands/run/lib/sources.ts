import type { SchedulerClient } from '../../../api/scheduler.ts';
import type { SecretsClient } from '../../../api/secrets.ts';
import { formatJson, type Json } from '../../../wire/json.ts';
import { requireSecret, type SecretPath } from '../../kv/lib/secret-path.ts';
import { type Pairs, readSecret } from '../../kv/lib/secret-state.ts';
import { itemsOf, variableNotFoundError } from '../../var/lib/variable.ts';

/** The items of a scheduler variable. @throws LanyardError not found */
export async function readVariable(
  scheduler: SchedulerClient,
  path: string,
): Promise<Readonly<Record<string, string>>> {
  const { body } = await scheduler.readVariable({ path }).catch(variableNotFoundError(path));
  return itemsOf(body);
}

/**
 * The pairs of the current version of a key-value secret.
 *
 * @param locations has the mounts that are known.
 * @throws LanyardError not found; usage: the path is a mount.
 */
export async function readPairs(
  secrets: SecretsClient,
  path: string,
  locations: Map<string, SecretPath>,
): Promise<Pairs> {
  const location = locations.get(path) ?? (await requireSecret(secrets, path, undefined));
  locations.set(path, location);
  return (await readSecret(secrets, location)).pairs;
}

/** A value that is not a string becomes JSON, null becomes the empty string. */
export const toText = (value: Json): string =>
  typeof value === 'string' ? value : value === null ? '' : formatJson(value);
