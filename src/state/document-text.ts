import { normalizeIntegers, parseYamlDocuments, yamlToJs } from '../io/list-file.ts';
import { yamlOffsets } from '../io/yaml-offsets.ts';
import type { Json } from '../wire/json.ts';
import type { Position, Problem } from './problems.ts';
import type { Path } from './references.ts';

/** A file that was read: its name for messages, and its text. */
export interface InputFile {
  readonly name: string;
  readonly text: string;
  /** What is in the file, if it is encrypted: a digest of the text would be one of secrets. */
  readonly stored?: string;
}

/** A value with the positions of what it contains. */
export interface Positioned<Value extends Json = Json> {
  readonly value: Value;
  /** The position of a value; of the nearest existing one if it is missing. */
  readonly positionOf: (path: Path) => Position;
}

/** A file and its YAML documents. */
export interface ParsedFile extends InputFile {
  readonly values: readonly Positioned[];
  /** Syntax errors. */
  readonly problems: readonly Problem[];
}

/** The YAML documents of files (JSON is YAML). */
export async function parseFiles(files: readonly InputFile[]): Promise<readonly ParsedFile[]> {
  const parsed: ParsedFile[] = [];
  for (const file of files) {
    const problems: Problem[] = [];
    parsed.push({ ...file, values: await parseFile(file, problems), problems });
  }
  return parsed;
}

async function parseFile(file: InputFile, problems: Problem[]): Promise<readonly Positioned[]> {
  const { documents, lines, library } = await parseYamlDocuments(file.text);
  return documents.flatMap((document): Positioned[] => {
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
