import { dirname } from 'node:path';
import type { Context } from '../command/context.ts';
import { conflict, usage } from '../errors.ts';
import type { RecordFiles } from './record-values.ts';

/** The files of records, in directories that are made for them. */
export function recordFiles(files: Context['files']): RecordFiles {
  return {
    exists: (path) => files.exists(path),
    readText: (path, what) => readRegular(files, path, what, maxRecordBytes),
    replace: async (path, content, expected) => {
      await files.createDirectory(dirname(path));
      await files.edit({ path, what: 'the record', mode: 0o600 }, (text) => {
        if (text !== (expected ?? ''))
          throw conflict(`the record of the set in ${path} was changed by another apply`, {
            hint: 'Run `lanyard plan` again.',
          });
        return content;
      });
    },
  };
}

const maxRecordBytes = 64 * 1024 * 1024;

/** Reads a file. A pipe or a device is rejected: reading it may never end. @throws LanyardError usage */
export async function readRegular(
  files: Context['files'],
  path: string,
  what: string,
  maxBytes?: number,
): Promise<string> {
  if ((await files.exists(path)) && !(await files.isFile(path)))
    throw usage(`cannot read ${what} from ${path}: not a regular file`);
  return files.readText(path, what, maxBytes);
}
