import type { Files } from '../command/files.ts';
import { usage } from '../errors.ts';
import { shellWord } from '../wire/printable.ts';
import { isPlanFile, parsePlanFile } from './plan-file.ts';

const maxPlanBytes = 64 * 1024 * 1024;

/** Of the permissions of a file: other users may write it. */
const writableByOthers = 0o022;

export interface SavedPlanOptions {
  /** The paths must be a saved plan, whatever its name is. */
  readonly isRequired?: boolean;
  /** A file that other users could have changed is rejected. */
  readonly isPrivate?: boolean;
}

/**
 * Reads the saved plan that the paths of a command name.
 *
 * @returns undefined: they name other files.
 * @throws LanyardError usage: several paths, or a file that is not a saved plan.
 */
export async function readSavedPlan(
  paths: readonly string[],
  files: Pick<Files, 'isFile' | 'exists' | 'readText' | 'realPath' | 'mode'>,
  { isRequired = false, isPrivate = false }: SavedPlanOptions = {},
): Promise<ReturnType<typeof parsePlanFile> | undefined> {
  const [path = '', ...others] = paths;
  if (!isRequired && !paths.some(isPlanFile)) return undefined;
  if (others.length > 0) throw usage('a saved plan cannot be combined with other files');
  const isRegular = path !== '-' && (await files.isFile(path));
  if (!isRegular && (path === '-' || (await files.exists(path))))
    throw usage(`${path === '-' ? 'standard input' : path} is not a saved plan: expected a regular file`, {
      hint: 'Save a plan with `lanyard plan --out FILE`.',
    });
  if (isPrivate && isRegular) await rejectShared(path, files);
  return parsePlanFile(await files.readText(path, 'the saved plan', maxPlanBytes), path);
}

/** The plan says which files are applied, and with which flags: the user must have written it. */
async function rejectShared(path: string, files: Pick<Files, 'realPath' | 'mode'>): Promise<void> {
  if (process.platform === 'win32') return;
  const mode = (await files.mode(await files.realPath(path))) ?? 0;
  if ((mode & writableByOthers) === 0) return;
  throw usage(`cannot apply ${path}: other users can change the file (mode ${(mode & 0o777).toString(8)})`, {
    hint: `Review it with \`lanyard plan ${shellWord(path)}\`, then run \`chmod go-w ${shellWord(path)}\`.`,
  });
}
