import type { Files } from '../../command/files.ts';
import type { Host } from '../../command/host.ts';
import type { InputReaders } from '../../command/input.ts';
import { readDefinitions } from '../../io/definition-file.ts';
import type { JsonObjectInput } from '../../io/input-file.ts';
import type { Io } from '../../io/io.ts';
import { readJsonObject } from '../../io/json-object.ts';
import { readListFile } from '../../io/list-file.ts';
import { patternCompiler } from '../../io/patterns.ts';
import { readLines } from '../../io/read-lines.ts';
import { resolvePath } from '../../io/resolve-path.ts';
import { type ItemsInput, readItems, readVariable } from '../../io/variable-file.ts';
import type { ExpressionOptions } from '../../output/expression.ts';

/** The readers of user input; prompts are loaded with the terminal. */
export function inputReaders(host: Host, io: Io, files: Pick<Files, 'readText'>): InputReaders {
  const sources = { io, readText: files.readText };
  return {
    readJsonObject: (input: JsonObjectInput) => readJsonObject(input, sources),
    readListFile: (file: string) => readListFile(file, sources),
    readDefinitions: (file: string, options: { readonly takesHcl?: boolean } = {}) =>
      readDefinitions(file, sources, options.takesHcl),
    readItems: (input: ItemsInput) => readItems(input, sources),
    readVariable: (input: ItemsInput) => readVariable(input, sources),
    expression: async (text: string, options: ExpressionOptions) =>
      (await import('../../output/expression.ts')).expression(text, options),
    patterns: patternCompiler,
    readLines: async (file: string) => readLines(file === '-' ? file : resolvePath(host, file), host.stdin),
  };
}
