import { dirname, join } from 'node:path';
import { renderYaml } from '../output/yaml.ts';
import type { Json } from '../wire/json.ts';
import type { StateDocument } from './documents.ts';
import type { Exported, ExportedObject, Skipped } from './export.ts';
import type { StateInput } from './input.ts';
import { type JsonObject, labelOf } from './kind.ts';
import { isSame } from './normalize.ts';
import { objectId } from './order.ts';

/** A file to write. */
export interface ExportFile {
  readonly path: string;
  readonly content: string;
  /** It replaces the document of the same object. */
  readonly replace?: true;
}

/** What an export changes in a directory. */
export interface ExportChanges {
  readonly files: readonly ExportFile[];
  /** The directories of the files, relative. */
  readonly directories: readonly string[];
  /** Objects whose document is up to date. */
  readonly unchanged: number;
  readonly skipped: readonly Skipped[];
  /** Documents of objects that do not exist. */
  readonly gone: readonly StateDocument[];
}

/**
 * Compares exported objects with the documents in a directory. A document that says the same is kept, with its
 * comments; so is one that is in another file, or in a file with others.
 */
export async function exportChanges(
  directory: string,
  { objects, skipped }: Exported,
  existing: StateInput | undefined,
  isExported: (document: StateDocument) => boolean,
): Promise<ExportChanges> {
  const documents = existing?.documents ?? [];
  const byId = new Map(documents.map((document) => [objectId(document.kind, document.identity), document]));
  const sizes = new Map<string, number>();
  for (const { source } of [...documents, ...(existing?.set ? [existing.set] : [])])
    sizes.set(source.file, (sizes.get(source.file) ?? 0) + 1);
  const files: ExportFile[] = [];
  const directories = new Set<string>();
  const notWritten: Skipped[] = [];
  const seen = new Set<string>();
  let unchanged = 0;
  for (const object of objects) {
    const id = objectId(object.kind, object.identity);
    const document = byId.get(id);
    seen.add(id);
    const path = join(directory, object.path);
    const isOnlyOne = document?.source.file === path && sizes.get(path) === 1 && !document.isComposed;
    if (document && saysTheSame(document, object)) unchanged += 1;
    else if (document && (!isOnlyOne || document.metadata.ensure === 'absent'))
      notWritten.push({
        kind: object.kind.name,
        name: labelOf(object.kind, object.identity),
        reason: `${document.source.file} has another document for it`,
      });
    else {
      files.push({ path, content: await documentText(object), ...(document ? { replace: true } : {}) });
      directories.add(dirname(object.path));
    }
  }
  const gone = documents.filter(
    (document) =>
      isExported(document) &&
      document.metadata.ensure !== 'absent' &&
      !seen.has(objectId(document.kind, document.identity)),
  );
  return { files, directories: [...directories], unchanged, skipped: [...skipped, ...notWritten], gone };
}

function saysTheSame({ metadata, spec }: StateDocument, { document }: ExportedObject): boolean {
  const stated = (value: Json | undefined): JsonObject => (value ?? {}) as JsonObject;
  return isSame(metadata, stated(document.metadata)) && isSame(spec, stated(document.spec));
}

/** The text of a document: comments, then YAML. */
export async function documentText({ comments, document }: ExportedObject): Promise<string> {
  return `${comments.map((comment) => `# ${comment}\n`).join('')}${await renderYaml(document)}`;
}

/** Where the document of one object is written, and the directories to make for it. */
export function targetOf(
  { path }: Pick<ExportedObject, 'path'>,
  given: { readonly target: string; readonly isFile: boolean; readonly file: string | undefined },
): { readonly path: string; readonly root: string; readonly directories: readonly string[] } {
  const { target, isFile, file } = given;
  const written = file ?? (isFile ? target : join(target, path));
  if (isFile) return { path: written, root: dirname(target), directories: [] };
  return { path: written, root: target, directories: file === undefined ? [dirname(path)] : [] };
}
