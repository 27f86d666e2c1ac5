import type { Files } from '../../command/files.ts';
import type { Host } from '../../command/host.ts';
import type { InputReaders } from '../../command/input.ts';
import { readDefinitions } from '../../io/definition-file.ts';
import { readInputFile } from '../../io/input-file.ts';
import type { Io } from '../../io/io.ts';
import { readJsonObject } from '../../io/json-object.ts';
import { readListFile } from '../../io/list-file.ts';
import { patternCompiler } from '../../io/patterns.ts';
import { readLines } from '../../io/read-lines.ts';
import { resolvePath } from '../../io/resolve-path.ts';
import { readItems, readVariable } from '../../io/variable-file.ts';
import { mapConcurrently } from '../../wire/concurrently.ts';

/** The readers of user input; prompts are loaded with the terminal. */
export function inputReaders(host: Host, io: Io, files: Pick<Files, 'readText'>): InputReaders {
  const sources = { io, readText: files.readText };
  return {
    readJsonObject: (input) => readJsonObject(input, sources),
    readListFile: (file) => readListFile(file, sources),
    readDefinitions: (file, options = {}) => readDefinitions(file, sources, options.takesHcl),
    readItems: (input) => readItems(input, sources),
    readVariable: (input) => readVariable(input, sources),
    expression: async (text, options) =>
      (await import('../../output/expression.ts')).expression(text, options),
    readTemplates: async (names, filters) => {
      const parse = await (await import('../../output/template/template.ts')).templateParser(filters);
      return mapConcurrently(names, async (file) => {
        const { name, text } = await readInputFile(file, sources);
        return parse(text, name);
      });
    },
    patterns: patternCompiler,
    ageFiles: async () => (await import('../../io/age-file.ts')).ageFiles(),
    readLines: async (file) => readLines(file === '-' ? file : resolvePath(host, file), host.stdin),
    readLogLines: async (file) =>
      (await import('../../io/read-log-lines.ts')).readLogLines(
        file === '-' ? file : resolvePath(host, file),
        host.stdin,
      ),
  };
}
