import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { memberOf } from '../wire/objects.ts';
import type { StateDocument } from './documents.ts';
import type { JsonObject } from './kind.ts';
import { propertyOf } from './normalize.ts';
import type { Position, Problem } from './problems.ts';
import { parseReference, referenceIn, referencePaths } from './references.ts';

/** A file that a document names, and where. */
interface NamedFile {
  readonly path: string;
  /** As the document has it. */
  readonly text: string;
  readonly position: Position;
}

/** The files that a document reads values or an image from. */
export function namedFiles(document: StateDocument): readonly NamedFile[] {
  const { kind, metadata, spec, positionOf, resolvePath } = document;
  if (metadata.ensure === 'absent') return [];
  const images = Object.entries(spec).flatMap(([name, text]): NamedFile[] =>
    typeof text === 'string' &&
    memberOf(kind.schema.properties, propertyOf(kind.schema, name) ?? name)?.isLocal
      ? [{ text, path: resolvePath(text, ['spec', name]), position: positionOf(['spec', name]) }]
      : [],
  );
  const values = referencePaths(spec, []).flatMap((path): NamedFile[] => {
    const parent = path.slice(0, -1).reduce<unknown>((value, step) => (value as JsonObject)[step], spec);
    const text = referenceIn(parent as JsonObject) ?? '';
    const source = parseReference(text);
    return source?.from === 'file'
      ? [{ text, path: resolvePath(source.path, ['spec', ...path]), position: positionOf(['spec', ...path]) }]
      : [];
  });
  return [...images, ...values];
}

/**
 * The files that are not in the directory of the set: by their path, or because of a symbolic link, which the documents
 * do not show.
 *
 * @param roots the directories of the set, absolute.
 * @param realPath a path without symbolic links; the path itself if it does not exist.
 */
export async function filesOutside(
  files: readonly NamedFile[],
  roots: readonly string[],
  realPath: (path: string) => Promise<string>,
): Promise<readonly Problem[]> {
  const found = await Promise.all(
    files.map(async ({ path, text, position }): Promise<readonly Problem[]> => {
      const root = roots.find((each) => isBelow(each, path));
      if (root === undefined)
        return [{ position, message: `${text} is outside of the directory of the set` }];
      const realRoots = await Promise.all(roots.map(realPath));
      for (const step of stepsBetween(root, path)) {
        const real = await realPath(step);
        if (real !== step && !realRoots.some((each) => isBelow(each, real)))
          return [{ position, message: `${text} is a symbolic link out of the directory of the set` }];
      }
      return [];
    }),
  );
  return found.flat();
}

/** Whether a path is in a directory, or is the directory. Both absolute. */
export function isBelow(directory: string, path: string): boolean {
  const rest = relative(directory, path);
  return rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest);
}

/** A path and the directories above it, below the root: the file of a record may not exist yet. */
function stepsBetween(root: string, path: string): readonly string[] {
  const steps: string[] = [];
  for (let step = resolve(path); step !== root && isBelow(root, step); step = dirname(step)) steps.push(step);
  return steps;
}
