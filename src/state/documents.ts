import { createHash } from 'node:crypto';
import { usage } from '../errors.ts';
import type { Json } from '../wire/json.ts';
import { isObject, memberOf } from '../wire/objects.ts';
import { type InputFile, type ParsedFile, type Positioned, parseFiles } from './document-text.ts';
import type { Identity, JsonObject, Kind } from './kind.ts';
import { findKind, kindNames, suggestKinds } from './kinds.ts';
import { type Layer, mergeObjects, type StatedObject } from './layers.ts';
import { type Metadata, metadataSchema } from './metadata.ts';
import { nameProblems } from './name-problems.ts';
import { propertyOf } from './normalize.ts';
import { formatPosition, type Position, type Problem } from './problems.ts';
import { type Path, parseReference, pathBeside, referenceIn, referencePaths } from './references.ts';
import { parseSet, type StateSet } from './set.ts';
import { type OnInserted, type ValueInserter, valueInserter } from './set-values.ts';
import { parseIgnorePattern } from './unmanaged-filter.ts';
import { unknownField, validate } from './validate.ts';

export const apiVersion = 'lanyard/v1';

/** An object that a file states. */
export interface StateDocument {
  readonly kind: Kind;
  readonly identity: Identity;
  readonly metadata: Metadata;
  /** As in the file, references unresolved. */
  readonly spec: JsonObject;
  readonly source: Position;
  /** The position of a reference, by the path of its `valueFrom`. */
  readonly positionOf: (path: Path) => Position;
  /** It is merged with a base, or has values of the set: it differs from its file. */
  readonly isComposed: boolean;
  /**
   * Resolves a path that the document names, relative to the file that states it.
   *
   * @param at where: the path of a `valueFrom`; default: the field that names a file.
   */
  readonly resolvePath: (path: string, at?: Path) => string;
}

/** The files of a set. */
export interface StateFiles {
  /** Undefined: no document of kind Set. */
  readonly set: StateSet | undefined;
  readonly documents: readonly StateDocument[];
  readonly problems: readonly Problem[];
  /** Values of the set that no document uses. */
  readonly unused: readonly Problem[];
  /** Of the names and contents of all files, for saved plans. */
  readonly digest: string;
}

export interface ReadOptions {
  /** Fields that no schema has are accepted: the service may be newer. */
  readonly allowsUnknownFields: boolean;
}

/** Reads the documents of files, and checks them. Every problem is in the result. */
export async function readDocuments(files: readonly InputFile[], options: ReadOptions): Promise<StateFiles> {
  return checkDocuments(await parseFiles(files), [], options);
}

/** The documents of kind Set, unchecked: for its bases and the place of its record. */
export const setsIn = (files: readonly ParsedFile[]): readonly StateSet[] =>
  files.flatMap(({ values }) =>
    values.flatMap(({ value, positionOf }) =>
      isObject(value) && value.apiVersion === apiVersion && value.kind === 'Set'
        ? [parseSet(value, positionOf, () => undefined)]
        : [],
    ),
  );

/**
 * Merges the documents of a set over the ones of its bases, and checks the result.
 *
 * @param bases the files of each base, in the order of `spec.bases`.
 */
export function checkDocuments(
  files: readonly ParsedFile[],
  bases: readonly (readonly ParsedFile[])[],
  { allowsUnknownFields }: ReadOptions,
): StateFiles {
  const digest = createHash('sha256');
  const problems: Problem[] = [];
  const sets: StateSet[] = [];
  const layers = [...bases, files];
  const stated = layers.map((layer, index) => {
    const isBase = index < bases.length;
    return layer.flatMap(
      ({ name, text, stored = text, values, problems: found }): readonly StatedObject[] => {
        digest.update(`${name}\0${stored.length}\0${stored}`);
        problems.push(...found);
        return values.flatMap((each) => {
          const report: Report = (path, message) => {
            problems.push({ position: each.positionOf(path), message });
          };
          if (!isSet(each.value)) return statedObject(each, report) ?? [];
          if (isBase) report(['kind'], 'a base has no document of kind Set');
          else sets.push(readSet(each.value, each.positionOf, report));
          return [];
        });
      },
    );
  });
  const [set, ...others] = sets;
  for (const { source } of others)
    problems.push({
      position: source,
      message: `second document of kind Set: expected exactly one, the first is at ${formatPosition(set?.source ?? source)}`,
    });
  const inserter = valueInserter(set?.values);
  const documents: StateDocument[] = [];
  const identify = ({ kind, layer }: StatedObject): Identity =>
    identityOf(
      kind,
      inserter.insertField(layer.value, 'metadata'),
      inserter.insertField(layer.value, 'spec'),
    );
  for (const { kind, layer, isMerged } of mergeObjects(stated, identify, problems)) {
    const report: Report = (path, message) => {
      problems.push({ position: layer.positionOf(path), message });
    };
    const document = parseDocument(kind, layer, { report, allowsUnknownFields, inserter, isMerged });
    if (document) documents.push(document);
  }
  return { set, documents, problems, unused: inserter.unused(), digest: digest.digest('hex') };
}

function readSet(value: JsonObject, positionOf: (path: Path) => Position, report: Report): StateSet {
  reportUnknownNames(value, report);
  const set = parseSet(value, positionOf, report);
  for (const [index, name] of (set.prune.kinds ?? []).entries())
    if (!findKind(name)) report(['spec', 'prune', 'kinds', index], unknownKind(name));
  for (const [index, text] of set.ignore.entries()) {
    const pattern = parseIgnorePattern(text);
    if (typeof pattern === 'string')
      report(['spec', 'unmanaged', 'ignore', index], `invalid pattern: ${pattern}`);
  }
  return set;
}

type Report = (path: Path, message: string) => void;

const isSet = (value: Json): value is JsonObject =>
  isObject(value) && value.apiVersion === apiVersion && value.kind === 'Set';

/** Undefined: it was reported that this is no document of an object. */
function statedObject({ value, positionOf }: Positioned, report: Report): StatedObject | undefined {
  if (!isObject(value)) {
    report([], 'expected an object with apiVersion, kind, metadata and spec');
    return undefined;
  }
  if (value.apiVersion !== apiVersion) {
    report(['apiVersion'], `expected apiVersion: ${apiVersion}`);
    return undefined;
  }
  const kind = typeof value.kind === 'string' ? findKind(value.kind) : undefined;
  if (!kind) {
    report(['kind'], unknownKind(value.kind));
    return undefined;
  }
  reportUnknownNames(value, report);
  const { metadata = {}, spec = {} } = value;
  if (isObject(metadata) && isObject(spec)) return { kind, layer: { value, positionOf } };
  report(isObject(metadata) ? ['spec'] : ['metadata'], 'expected an object');
  return undefined;
}

interface DocumentContext {
  readonly report: Report;
  readonly allowsUnknownFields: boolean;
  readonly inserter: ValueInserter;
  readonly isMerged: boolean;
}

const documentNames = ['apiVersion', 'kind', 'metadata', 'spec'];

function reportUnknownNames(value: JsonObject, report: Report): void {
  for (const name of Object.keys(value)) {
    if (!documentNames.includes(name)) report([name], unknownField(name, documentNames));
  }
}

/** Undefined: the set leaves out the object of a base. */
function parseDocument(
  kind: Kind,
  { value, positionOf }: Layer,
  { report, allowsUnknownFields, inserter, isMerged }: DocumentContext,
): StateDocument | undefined {
  const inserted: Path[] = [];
  const onInserted: OnInserted = (path, problem) => {
    if (problem === undefined) inserted.push(path);
    else report([...path, 'valueFrom'], problem);
  };
  const metadata = inserter.insertField(value, 'metadata', onInserted);
  const spec = inserter.insertField(value, 'spec', onInserted);
  const stated = metadata as Metadata & JsonObject;
  const isInserted = (path: Path): boolean =>
    inserted.some((each) => each.every((step, index) => path[index] === step));
  const reported = { report, allowsUnknownFields, isInserted };
  validate(metadataSchema(kind), stated, ['metadata'], { ...reported, allowsLiterals: true });
  const references = referencePaths(metadata, ['metadata']);
  for (const path of references)
    if (path.length === 3 && parseReference(referenceIn(metadata[path[1] ?? '']) ?? '')?.from !== 'values')
      report(path, 'only valueFrom: values://NAME can be used in metadata');
  if (stated.ensure === 'omitted') {
    if (!isMerged)
      report(['metadata', 'ensure'], 'no base states the object: "omitted" leaves out one of a base');
    return undefined;
  }
  const isAbsent = stated.ensure === 'absent';
  const allowsLiterals = stated.allowLiteral === true || stated.sensitive === false;
  if (!isAbsent)
    validate(isPartial(stated) ? { ...kind.schema, required: [] } : kind.schema, spec, ['spec'], {
      ...reported,
      allowsLiterals,
    });
  const identity = identityOf(kind, stated, spec);
  if (references.length === 0)
    for (const { field, message } of nameProblems(kind, identity)) report(['metadata', field], message);
  if (!isAbsent && !stated.undo)
    for (const message of kind.check?.(identity, spec) ?? []) report(['spec'], message);
  return {
    kind,
    identity,
    metadata: stated,
    spec,
    isComposed: isMerged || inserted.length > 0,
    ...placesOf(kind, spec, positionOf),
  };
}

/** Whether a document need not state the required fields: an undo has only those that changed. */
const isPartial = ({ values, undo }: Metadata): boolean => values === 'unmanaged' || isObject(undo);

/** Positions of what a document names, without the syntax tree of its file. */
function placesOf(
  kind: Kind,
  spec: JsonObject,
  positionOf: (path: Path) => Position,
): Pick<StateDocument, 'source' | 'positionOf' | 'resolvePath'> {
  const source = positionOf(['kind']);
  const locals = Object.keys(spec)
    .filter((name) => memberOf(kind.schema.properties, propertyOf(kind.schema, name) ?? name)?.isLocal)
    .map((name): Path => ['spec', name]);
  const positions = new Map(
    [...locals, ...referencePaths(spec, ['spec'])].map((path) => [JSON.stringify(path), positionOf(path)]),
  );
  const positionAt = (path: Path): Position => positions.get(JSON.stringify(path)) ?? source;
  return {
    source,
    positionOf: positionAt,
    resolvePath: (path, at = locals[0] ?? []) => pathBeside(positionAt(at).file, path),
  };
}

function unknownKind(name: Json | undefined): string {
  if (typeof name !== 'string') return 'missing field "kind"';
  const meant = suggestKinds(name).map((each) => `"${each}"`);
  return `unknown kind "${name}"${meant.length === 0 ? ` (known: Set, ${kindNames.join(', ')})` : `, did you mean ${meant.join(' or ')}?`}`;
}

/** The identity that metadata (and for some kinds the fields) of a document state. */
export function identityOf(kind: Kind, metadata: JsonObject, spec: JsonObject): Identity {
  const scope = Object.fromEntries(
    kind.scope.map(({ name, default: usual = '', canonical = String }) => [
      name,
      canonical(textOf(metadata[name] ?? usual)),
    ]),
  );
  const name = kind.keyOf ? kind.keyOf(spec) : kind.nameIs === undefined ? '' : textOf(metadata.name ?? '');
  return { scope, key: kind.canonicalName?.(name) ?? name };
}

/** A reference that is not resolved is used as text. */
const textOf = (value: Json): string => referenceIn(value) ?? String(value);

/** The set of files that plan and apply need. @throws LanyardError usage: it is missing. */
export function requireSet({ set }: StateFiles): StateSet {
  if (set) return set;
  throw usage('no document of kind Set: a set needs exactly one', {
    hint: 'Run `lanyard validate --init DIR` to write one.',
  });
}
