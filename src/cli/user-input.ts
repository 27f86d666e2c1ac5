import { readDefinitions } from '../io/definition-file.ts';
import type { Io, Prompts } from '../io/io.ts';
import { readJsonObject } from '../io/json-object.ts';
import { readListFile } from '../io/list-file.ts';
import { readLines } from '../io/read-lines.ts';
import { resolvePath } from '../io/resolve-path.ts';
import { readItems, readVariable } from '../io/variable-file.ts';
import type { Files, Host, UserInput } from './context.ts';

/** The readers of user input; prompts are loaded with the terminal. */
export function inputReaders(
  host: Host,
  io: Io,
  files: Pick<Files, 'readText'>,
): Omit<UserInput, keyof Prompts | 'yamlEditor'> {
  const sources = { io, readText: files.readText };
  return {
    readJsonObject: (input) => readJsonObject(input, sources),
    readListFile: (file) => readListFile(file, sources),
    readDefinitions: (file) => readDefinitions(file, sources),
    readItems: (input) => readItems(input, sources),
    readVariable: (input) => readVariable(input, sources),
    readLines: async (file) => readLines(file === '-' ? file : resolvePath(host, file), host.stdin),
  };
}
