import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type ResultSchemas, resultNames, schemaName } from '../../src/commands/schema/lib/result-schemas.ts';
import { tree } from '../../src/commands/tree.ts';
import { parsedJson } from './parsed-json.ts';

const file = new URL('../../schemas/lanyard-results-v1.schema.json', import.meta.url);

/** Strict, except that a field may be required in one branch and described in another, and be one of several types. */
export const strictAjv = (): Ajv2020 =>
  new Ajv2020({
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    allErrors: true,
    code: { optimize: false },
  });

let loaded: { readonly schemas: ResultSchemas; readonly ajv: Ajv2020 } | undefined;
function load() {
  if (loaded) return loaded;
  const schemas = JSON.parse(readFileSync(file, 'utf8')) as ResultSchemas;
  loaded = { schemas, ajv: strictAjv().addSchema(schemas) };
  return loaded;
}

/** The schemas of all results, as they are shipped. */
export const shippedSchemas = (): ResultSchemas => load().schemas;

/** What the schema of a result says against a value, one line each; undefined: there is no schema. */
export function schemaProblems(result: string, value: unknown): readonly string[] | undefined {
  const { ajv, schemas } = load();
  const name = schemaName(result);
  if (!resultNames(schemas).includes(name)) return undefined;
  const validate = ajv.getSchema(`${schemas.$id}#/$defs/${name}`);
  if (!validate || validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${result}: ${instancePath || 'the result'} ${message} ${JSON.stringify(params)}`,
  );
}

/** Flags before the command that have a value in the next word. */
const withValue = ['--profile', '-p', '--address', '--namespace', '-n', '--timeout', '-o', '--output'];
/** Flags that print something else than the result. */
const replacing = ['--field', '--select', '--curl', '--help', '-h', '--watch', '-w'];

/** The command of a command line that asks for JSON; undefined: none, or not for its result. */
function jsonCommand(
  argv: readonly string[],
): { readonly path: string; readonly isDryRun: boolean } | undefined {
  const end = argv.indexOf('--');
  const own = end < 0 ? argv : argv.slice(0, end);
  const isJson = own.some(
    (word, index) =>
      ['-ojson', '--output=json'].includes(word) ||
      (['-o', '--output'].includes(word) && own[index + 1] === 'json'),
  );
  if (!isJson || own.some((word) => replacing.includes(word.split('=')[0] ?? ''))) return undefined;
  let start = 0;
  while (own[start]?.startsWith('-')) start += withValue.includes(own[start] ?? '') ? 2 : 1;
  const line = `${own.slice(start).join(' ')} `;
  const [path] = tree
    .map((entry) => entry.path)
    .filter((each) => line.startsWith(`${each} `))
    .sort((one, other) => other.length - one.length);
  return path === undefined ? undefined : { path, isDryRun: own.includes('--dry-run') };
}

/** Commands without a result of their own: they print text, or what another program prints. */
export const withoutResult: readonly string[] = [
  ...['quickstart', 'completion', 'run', 'dev run', 'ssh connect', 'ssh proxy'],
  ...['secrets token keep-alive', 'registry lock', 'var lock'],
];

/** Commands of OpenBao, whose recording has results of them. */
export const issuerCommands = ['list', 'get', 'import', 'use', 'delete'].map((verb) => `ssh issuer ${verb}`);

/** The names of the schemas that results were checked with. */
export const checkedResults = new Set<string>();

/**
 * Checks what a command line printed with `-o json`: its result, or its error.
 *
 * @throws Error: it does not match its schema.
 */
export function checkOutput(
  argv: readonly string[],
  { code, stdout, stderr }: { readonly code: number; readonly stdout: string; readonly stderr: string },
): void {
  const command = jsonCommand(argv);
  if (command === undefined) return;
  const result = parsedJson(stdout);
  const problems = result === undefined ? [] : resultProblems(command, result);
  const error = code === 0 ? undefined : parsedJson(stderr);
  if (error !== undefined) {
    problems.push(...(schemaProblems('error', error) ?? []));
    checkedResults.add('error');
  }
  if (problems.length > 0)
    throw new Error(
      `the output of "lanyard ${argv.join(' ')}" does not match its schema:\n${problems.join('\n')}\n${stdout}${stderr}`,
    );
}

function resultProblems(
  { path, isDryRun }: { readonly path: string; readonly isDryRun: boolean },
  result: unknown,
): string[] {
  // Some commands have a result of their own in a dry run.
  const names = isDryRun ? ['dry-run', path] : [path];
  const found = names.map((name) => [name, schemaProblems(name, result)] as const);
  const matching = found.find(([, problems]) => problems?.length === 0);
  if (matching) checkedResults.add(matching[0]);
  return matching ? [] : found.flatMap(([, problems]) => problems ?? []);
}
