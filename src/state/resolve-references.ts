import { LanyardError, usage } from '../errors.ts';
import { formatJson, type Json, tryParseJson } from '../wire/json.ts';
import { getOrCreate } from '../wire/maps.ts';
import { isObject, memberOf } from '../wire/objects.ts';
import { pointerOf } from './compare.ts';
import type { StateDocument } from './documents.ts';
import type { JsonObject, Services } from './kind.ts';
import { textsIn } from './operation-secrets.ts';
import { formatPosition, type Problem, problemsError } from './problems.ts';
import { type Path, parseReference, pointerNames, referenceIn, type ValueSource } from './references.ts';
import { undoOf } from './undo-guard.ts';

/** Where values are read from. */
export interface ValueSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly readText: (path: string, what: string) => Promise<string>;
  readonly services: Services;
  /** Reads the pairs of a secret of the secrets service. */
  readonly readSecret: (path: string) => Promise<Readonly<Record<string, unknown>>>;
  /** Called with each value: it must not be shown. */
  readonly onSecret: (value: string) => void;
}

/** A document with the values of its references. */
export interface ResolvedSpec {
  readonly spec: JsonObject;
  /** JSON pointers of the values that came from references: they are secrets whatever their field is. */
  readonly resolved: ReadonlySet<string>;
}

/**
 * Resolves the references of all documents, each source once.
 *
 * @throws LanyardError usage: values that are missing or empty, all of them; any other error of a service, unchanged.
 */
export async function resolveReferences(
  documents: readonly StateDocument[],
  sources: ValueSources,
): Promise<ReadonlyMap<StateDocument, ResolvedSpec>> {
  const problems: Problem[] = [];
  const known = new Map<string, Promise<string>>();
  const readOnce = (reference: string, document: StateDocument, at: Path): Promise<string> => {
    const source = parseReference(reference);
    if (!source) return Promise.reject(usage('invalid reference'));
    const located =
      source.from === 'file' ? { ...source, path: document.resolvePath(source.path, at) } : source;
    return getOrCreate(known, formatJson(located), () => readValue(located, sources));
  };
  const all = new Map<StateDocument, ResolvedSpec>();
  for (const document of documents) {
    const resolved = new Set<string>();
    const resolve = async (value: Json, path: readonly (string | number)[]): Promise<Json> => {
      const reference = referenceIn(value);
      if (reference !== undefined) {
        resolved.add(pointerOf(document.kind.schema, path.slice(1)));
        try {
          const found = await readOnce(reference, document, [...path, 'valueFrom']);
          sources.onSecret(found);
          return found;
        } catch (error) {
          if (!(error instanceof LanyardError)) throw error;
          const position = document.positionOf([...path, 'valueFrom']);
          if (error.kind !== 'usage' && error.kind !== 'not_found')
            throw new LanyardError(error.kind, error.message, {
              ...error,
              details: [...error.details, `${formatPosition(position)}: ${reference}`],
            });
          problems.push({ position, message: error.message });
          return null;
        }
      }
      if (Array.isArray(value))
        return Promise.all(value.map((item, index) => resolve(item, [...path, index])));
      if (!isObject(value)) return value;
      const members: [string, Json][] = [];
      for (const [name, member] of Object.entries(value))
        members.push([name, await resolve(member, [...path, name])]);
      return Object.fromEntries(members);
    };
    const values = await earlierValues(document, sources.services).catch((error: unknown) => {
      if (!(error instanceof LanyardError) || error.kind !== 'usage') throw error;
      problems.push({ position: document.source, message: error.message });
      return {};
    });
    for (const value of textsIn(values)) sources.onSecret(value);
    const spec = { ...((await resolve(document.spec, ['spec'])) as JsonObject), ...values };
    all.set(document, { spec: document.kind.canonicalSpec?.(spec) ?? spec, resolved });
  }
  if (problems.length > 0) throw problemsError(problems, 'Nothing was written.');
  return all;
}

/** The fields of an undo that are in an earlier version of the object. @throws LanyardError usage: it is gone. */
async function earlierValues(
  { kind, identity, metadata }: StateDocument,
  services: Services,
): Promise<JsonObject> {
  const version = undoOf(metadata)?.valuesVersion;
  if (version === undefined) return {};
  if (!kind.versions) throw usage(`metadata.undo.valuesVersion: ${kind.name} has no versions`);
  return kind.versions.read(services, identity, version);
}

async function readValue(source: ValueSource, { env, readText, readSecret }: ValueSources): Promise<string> {
  if (source.from === 'env') {
    const value = env[source.name];
    if (!value)
      throw usage(`the environment variable ${source.name} is ${value === '' ? 'empty' : 'not set'}`);
    return value;
  }
  if (source.from === 'file') {
    const text = await readText(source.path, 'the value');
    const value = source.pointer === undefined ? text : atPointer(text, source.pointer, source.path);
    if (value === '') throw usage(`the file ${source.path} is empty`);
    return value;
  }
  // The value of a set is in its place since the documents were read.
  if (source.from === 'values') throw usage(`the set has no value "${source.name}" in spec.values`);
  const pairs = await readSecret(source.path);
  const value = Object.hasOwn(pairs, source.field) ? pairs[source.field] : undefined;
  if (value === undefined || value === null || value === '')
    throw usage(`the secret ${source.path} has no value for "${source.field}"`);
  return typeof value === 'string' ? value : formatJson(value);
}

function atPointer(text: string, pointer: string, file: string): string {
  let value = tryParseJson(text);
  if (value === undefined) throw usage(`the file ${file} is not valid JSON`);
  for (const name of pointerNames(pointer))
    value = Array.isArray(value) ? value[Number(name)] : isObject(value) ? memberOf(value, name) : undefined;
  if (value === undefined || value === null) throw usage(`the file ${file} has no value at ${pointer}`);
  return typeof value === 'string' ? value : formatJson(value);
}
