import { groups, tree } from '../../src/commands/tree.ts';
import { stateSchema } from '../../src/state/json-schema.ts';
import { kinds } from '../../src/state/kinds.ts';
import { applyOutputSchema, planOutputSchema } from '../../src/state/output-schema.ts';
import { Compiler } from '../compiler.ts';
import { declarations } from '../library/declarations.ts';
import { libraryFiles } from '../library/files.ts';
import { libraryModel } from '../library/model.ts';
import { reference } from '../library/reference.ts';
import { requiredFields } from '../library/required-fields.ts';
import { bash } from './bash.ts';
import { compatibility } from './compatibility.ts';
import { everyday } from './everyday.ts';
import { fish } from './fish.ts';
import { man, manPackage, manTable } from './man.ts';
import { markdown } from './markdown.ts';
import { modelOf } from './model.ts';
import { powershell } from './powershell.ts';
import { resultSchemasText } from './results/results.ts';
import { zsh } from './zsh.ts';

/** Texts of files by their path in the repository. */
type Files = Readonly<Record<string, string>>;

/** The generated files. */
export interface Generated {
  /** What `npm run generate` writes. */
  readonly committed: Files;
  /** What a build makes: the program and the packages need it, the repository does not. */
  readonly built: Files;
  /** What a build adds to the bundled library. */
  readonly library: Files;
}

/** Makes the generated files from the commands, the tables of operations and their types. */
export async function generated(): Promise<Generated> {
  using compiler = new Compiler();
  const model = await modelOf(tree, groups);
  const library = libraryModel(compiler);
  const types = declarations(library);
  return {
    committed: {
      'completions/lanyard.bash': bash(model),
      'completions/lanyard.zsh': zsh(model),
      'completions/lanyard.fish': fish(model),
      'completions/lanyard.ps1': powershell(model),
      ...markdown(model),
      'src/cli/help/man-pages.ts': manTable(model),
      'src/library/required-fields.ts': requiredFields(library),
      'package.json': manPackage(model),
      'docs/compatibility.md': compatibility(),
      'docs/everyday-commands.md': everyday(),
      'schemas/lanyard-v1.schema.json': json(stateSchema(kinds)),
      'schemas/lanyard-plan-v1.schema.json': json(planOutputSchema()),
      'schemas/lanyard-apply-v1.schema.json': json(applyOutputSchema()),
    },
    built: {
      ...man(model),
      'schemas/lanyard-results-v1.schema.json': await resultSchemasText(tree, compiler),
      ...reference(library, types),
    },
    library: libraryFiles(types),
  };
}

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;
