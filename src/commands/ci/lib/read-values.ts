import type { SecretsClient } from '../../../api/secrets.ts';
import type { Context } from '../../../command/context.ts';
import { isEmptyListError, isNotFound, LanyardError, notFound } from '../../../errors.ts';
import type { Json } from '../../../wire/json.ts';
import { isObject } from '../../../wire/objects.ts';
import { isServiceWide } from '../../../wire/services.ts';
import type { Pairs } from '../../kv/lib/secret-state.ts';
import { readKeyValues } from '../../run/lib/keys.ts';
import { readPairs, readVariable, toText } from '../../run/lib/sources.ts';
import { parsePathQuery, warningsOf } from '../../secrets/lib/path-query.ts';
import type { Selection } from './selection.ts';

/** A value that was read. */
export interface Value {
  readonly selection: Selection;
  readonly key: string;
  readonly text: string;
  /** The value, and every text in it. */
  readonly secrets: readonly string[];
}

/** What was read, also before an error. Warnings may contain the values: they are shown after the values are masked. */
export interface Read {
  readonly values: Value[];
  readonly warnings: string[];
}

/**
 * Reads the selected values; each source is read once.
 *
 * @param ignoresMissing leaves out sources and keys that do not exist, with a warning.
 * @param read receives the values and warnings.
 * @throws LanyardError not found: a source or a key of it does not exist.
 */
export async function readValues(
  selections: readonly Selection[],
  ignoresMissing: boolean,
  ctx: Context,
  { values, warnings }: Read,
): Promise<void> {
  const sources = new Map<string, Promise<Pairs>>();
  await ctx.output.sequentially(selections, async (selection) => {
    const id = `${selection.kind} ${selection.path}`;
    const source = sources.get(id) ?? readSource(selection, ctx, warnings);
    sources.set(id, source);
    try {
      values.push(...select(await source, selection));
    } catch (error) {
      if (!ignoresMissing || !isNotFound(error)) throw error;
      warnings.push(error.message);
    }
  });
}

async function readSource({ kind, path }: Selection, ctx: Context, warnings: string[]): Promise<Pairs> {
  if (kind === 'var') return readVariable(await ctx.api.scheduler(), path);
  if (kind === 'key') return (await readKeyValues(await ctx.api.registry(), path)).items;
  const secrets = await ctx.api.secrets();
  return kind === 'kv' ? readPairs(secrets, path, new Map()) : readPath(secrets, path, warnings);
}

/** The data of a path of the secrets service; of a secret in an engine of version 2, its pairs. */
async function readPath(secrets: SecretsClient, text: string, warnings: string[]): Promise<Pairs> {
  const target = parsePathQuery(text);
  const reading = isServiceWide(target.path)
    ? secrets.readServiceWide(target)
    : secrets.read({ ...target, wrapTtl: undefined });
  const { body } = await reading.catch((error: unknown) => {
    if (!isEmptyListError(error)) throw error;
    throw notFound(`path "${text}" not found`, { service: 'secrets', status: 404 });
  });
  warnings.push(...(warningsOf(body)?.warnings ?? []));
  const data: unknown = isObject(body) ? body.data : undefined;
  if (!isObject(data))
    throw new LanyardError('failure', `unexpected response: ${text} has no data`, { service: 'secrets' });
  // A secret of an engine of version 1 may have a key `data`.
  return (isObject(data.data) && isObject(data.metadata) ? data.data : data) as Pairs;
}

function select(pairs: Pairs, selection: Selection): readonly Value[] {
  const { key } = selection;
  const entries: readonly (readonly [string, Json])[] =
    key === undefined ? Object.entries(pairs) : [[key, valueAt(pairs, key, selection)]];
  return entries.map(([name, value]) => {
    const text = toText(value);
    return { selection, key: name, text, secrets: [text, ...textsIn(value)] };
  });
}

/** The value of a key, or of a path of nested keys, separated by dots. @throws LanyardError not found */
function valueAt(pairs: Pairs, key: string, { path }: Selection): Json {
  if (Object.hasOwn(pairs, key)) return pairs[key] ?? null;
  const found = key
    .split('.')
    .reduce<unknown>(
      (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
      pairs,
    );
  if (found !== undefined) return found as Json;
  const keys = Object.keys(pairs);
  throw notFound(`${path} has no key "${key}"`, {
    details: keys.length === 0 ? [] : [`Existing keys: ${keys.map(onOneLine).join(', ')}`],
  });
}

/** A key as a message shows it. At the start of a line it could be a command to the CI service. */
const onOneLine = (key: string): string => (/[\r\n]/.test(key) ? JSON.stringify(key) : key);

/** Every text in a value. */
const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];
