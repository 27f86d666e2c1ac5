import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { usage } from '../errors.ts';
import { normalizeIntegers, parseYamlDocuments, yamlToJs } from '../io/list-file.ts';
import { yamlOffsets } from '../io/yaml-offsets.ts';
import type { Json } from '../wire/json.ts';
import { isObject } from '../wire/objects.ts';
import { type Identity, identityText, type JsonObject, type Kind, objectLabel } from './kind.ts';
import { findKind, kindNames, suggestKinds } from './kinds.ts';
import { type Metadata, metadataSchema } from './metadata.ts';
import { nameProblems } from './name-problems.ts';
import { formatPosition, type Position, type Problem } from './problems.ts';
import { besides, referenceIn } from './references.ts';
import { parseSet, type StateSet } from './set.ts';
import { parseIgnorePattern } from './unmanaged-filter.ts';
import { type Path, unknownField, validate } from './validate.ts';

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
  /** Resolves a path that the document names, relative to its file. */
  readonly resolvePath: (path: string) => string;
}

/** The files of a set. */
export interface StateFiles {
  /** Undefined: no document of kind Set. */
  readonly set: StateSet | undefined;
  readonly documents: readonly StateDocument[];
  readonly problems: readonly Problem[];
  /** Of the names and contents of all files, for saved plans. */
  readonly digest: string;
}

/** A file that was read: its name for messages, and its text. */
export interface InputFile {
  readonly name: string;
  readonly text: string;
  /** What is in the file, if it is encrypted: a digest of the text would be one of secrets. */
  readonly stored?: string;
}

export interface ReadOptions {
  /** Fields that no schema has are accepted: the service may be newer. */
  readonly allowsUnknownFields: boolean;
}

/** Reads the documents of files, and checks them. Every problem is in the result. */
export async function readDocuments(
  files: readonly InputFile[],
  { allowsUnknownFields }: ReadOptions,
): Promise<StateFiles> {
  const digest = createHash('sha256');
  const problems: Problem[] = [];
  const documents: StateDocument[] = [];
  const sets: StateSet[] = [];
  for (const file of files) {
    const { name, text, stored = text } = file;
    digest.update(`${name}\0${stored.length}\0${stored}`);
    for (const { value, positionOf } of await parseFile(file, problems)) {
      const report = (path: Path, message: string): void => {
        problems.push({ position: positionOf(path), message });
      };
      if (!isObject(value)) report([], 'expected an object with apiVersion, kind, metadata and spec');
      else if (value.apiVersion !== apiVersion) report(['apiVersion'], `expected apiVersion: ${apiVersion}`);
      else if (value.kind === 'Set') sets.push(readSet(value, positionOf, report));
      else {
        const document = parseDocument(value, file.name, positionOf, { report, allowsUnknownFields });
        if (document) documents.push(document);
      }
    }
  }
  for (const problem of duplicates(documents)) problems.push(problem);
  const [set, ...others] = sets;
  for (const { source } of others)
    problems.push({
      position: source,
      message: `second document of kind Set: expected exactly one, the first is at ${formatPosition(set?.source ?? source)}`,
    });
  return { set, documents, problems, digest: digest.digest('hex') };
}

interface ParsedValue {
  readonly value: Json;
  /** The position of a value; of the nearest existing one if it is missing. It keeps the syntax tree of the file in memory. */
  readonly positionOf: (path: Path) => Position;
}

/** The YAML documents of a file (JSON is YAML). A syntax error is a problem. */
async function parseFile(file: InputFile, problems: Problem[]): Promise<readonly ParsedValue[]> {
  const { documents, lines, library } = await parseYamlDocuments(file.text);
  return documents.flatMap((document): ParsedValue[] => {
    const at = (offset: number): Position => {
      const { line, col } = lines.linePos(offset);
      return { file: file.name, line, column: col };
    };
    const [problem] = [...document.errors, ...document.warnings];
    if (problem) {
      const what = problem.code.toLowerCase().replaceAll('_', ' ');
      problems.push({ position: at(problem.pos[0]), message: `not valid YAML: ${what}` });
      return [];
    }
    if (document.contents === null) return [];
    let value: Json;
    try {
      value = normalizeIntegers(yamlToJs(document, file.name));
    } catch {
      problems.push({
        position: at(document.contents.range[0]),
        message: 'not valid YAML: too many aliases',
      });
      return [];
    }
    // Nothing between two separators, or comments only.
    if (value === null) return [];
    const offsetOf = yamlOffsets(library, document.contents);
    return [{ value, positionOf: (path) => at(offsetOf(path)) }];
  });
}

interface DocumentContext {
  readonly report: (path: Path, message: string) => void;
  readonly allowsUnknownFields: boolean;
}

const documentNames = ['apiVersion', 'kind', 'metadata', 'spec'];

function reportUnknownNames(value: JsonObject, report: DocumentContext['report']): void {
  for (const name of Object.keys(value)) {
    if (!documentNames.includes(name)) report([name], unknownField(name, documentNames));
  }
}

function readSet(
  value: JsonObject,
  positionOf: (path: Path) => Position,
  report: DocumentContext['report'],
): StateSet {
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

function parseDocument(
  value: JsonObject,
  file: string,
  positionOf: (path: Path) => Position,
  { report, allowsUnknownFields }: DocumentContext,
): StateDocument | undefined {
  const kind = typeof value.kind === 'string' ? findKind(value.kind) : undefined;
  if (!kind) {
    report(['kind'], unknownKind(value.kind));
    return undefined;
  }
  reportUnknownNames(value, report);
  const { metadata = {}, spec = {} } = value;
  if (!isObject(metadata) || !isObject(spec)) {
    report(isObject(metadata) ? ['spec'] : ['metadata'], 'expected an object');
    return undefined;
  }
  const stated = metadata as Metadata & JsonObject;
  const reported = { report, allowsUnknownFields };
  validate(metadataSchema(kind), stated, ['metadata'], { ...reported, allowsLiterals: true });
  const allowsLiterals = stated.allowLiteral === true || stated.sensitive === false;
  if (stated.ensure !== 'absent')
    validate(isPartial(stated) ? { ...kind.schema, required: [] } : kind.schema, spec, ['spec'], {
      ...reported,
      allowsLiterals,
    });
  const identity = identityOf(kind, stated, spec);
  for (const { field, message } of nameProblems(kind, identity)) report(['metadata', field], message);
  const source = positionOf(['kind']);
  const references = new Map(
    referencePaths(spec, ['spec']).map((path) => [JSON.stringify(path), positionOf(path)]),
  );
  if (stated.ensure !== 'absent' && !stated.undo)
    for (const message of kind.check?.(identity, spec) ?? []) report(['spec'], message);
  return {
    kind,
    identity,
    metadata: stated,
    spec,
    source,
    positionOf: (path) => references.get(JSON.stringify(path)) ?? source,
    resolvePath: (path) => (file === 'standard input' ? path : besides(dirname(file), path)),
  };
}

/** Whether a document need not state the required fields: an undo has only those that changed. */
const isPartial = ({ values, undo }: Metadata): boolean => values === 'unmanaged' || isObject(undo);

/** The paths of all `valueFrom` below a value. */
export function referencePaths(value: Json, path: Path): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [];
  if (referenceIn(value) !== undefined) return [[...path, 'valueFrom']];
  const steps = Array.isArray(value) ? [...value.entries()] : Object.entries(value as JsonObject);
  return steps.flatMap(([step, member]) => referencePaths(member, [...path, step]));
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
      canonical(String(metadata[name] ?? usual)),
    ]),
  );
  const name = kind.keyOf ? kind.keyOf(spec) : kind.nameIs === undefined ? '' : String(metadata.name ?? '');
  return { scope, key: kind.canonicalName?.(name) ?? name };
}

function duplicates(documents: readonly StateDocument[]): Problem[] {
  const seen = new Map<string, StateDocument>();
  return documents.flatMap((document): Problem[] => {
    const id = `${document.kind.name} ${identityText(document.identity)}`;
    const first = seen.get(id);
    if (!first) {
      seen.set(id, document);
      return [];
    }
    const message = `${objectLabel(document)} is also at ${formatPosition(first.source)}`;
    return [{ position: document.source, message }];
  });
}

/** The set of files that plan and apply need. @throws LanyardError usage: it is missing. */
export function requireSet({ set }: StateFiles): StateSet {
  if (set) return set;
  throw usage('no document of kind Set: a set needs exactly one', {
    hint: 'Run `lanyard validate --init DIR` to write one.',
  });
}
