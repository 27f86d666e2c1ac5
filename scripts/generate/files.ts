import { stateSchema } from '../../src/state/json-schema.ts';
import { kinds } from '../../src/state/kinds.ts';
import { applyOutputSchema, planOutputSchema } from '../../src/state/output-schema.ts';
import { bash } from './bash.ts';
import { compatibility } from './compatibility.ts';
import { fish } from './fish.ts';
import { man, manPackage, manTable } from './man.ts';
import { markdown } from './markdown.ts';
import type { Model } from './model.ts';
import { powershell } from './powershell.ts';
import { zsh } from './zsh.ts';

/** Folders in which every file is generated. */
export const generatedFolders = ['docs/commands', 'man'] as const;

/** The generated files, by their path in the repository. */
export const generated = (model: Model): Readonly<Record<string, string>> => ({
  'completions/lanyard.bash': bash(model),
  'completions/lanyard.zsh': zsh(model),
  'completions/lanyard.fish': fish(model),
  'completions/lanyard.ps1': powershell(model),
  ...markdown(model),
  ...man(model),
  'src/cli/help/man-pages.ts': manTable(model),
  'package.json': manPackage(model),
  'docs/compatibility.md': compatibility(),
  'schemas/lanyard-v1.schema.json': json(stateSchema(kinds)),
  'schemas/lanyard-plan-v1.schema.json': json(planOutputSchema()),
  'schemas/lanyard-apply-v1.schema.json': json(applyOutputSchema()),
});

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;
