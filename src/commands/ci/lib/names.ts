import { usage } from '../../../errors.ts';
import { isUnsafeVariable } from '../../../wire/unsafe-variables.ts';
import type { Value } from './read-values.ts';

/** The CI services with an export of their own. */
export const ciServices = ['github', 'gitlab'] as const;
export type CiService = (typeof ciServices)[number];

export interface Exported {
  /** The name of the step output. */
  readonly output: string;
  /** The name of the environment variable. */
  readonly variable: string;
  readonly value: string;
}

/** Variables of the CI services themselves: one of them could send tokens or code of later steps elsewhere. */
const reserved: Readonly<Record<CiService, RegExp>> = {
  github: /^(?:CI$|(?:GITHUB|RUNNER|ACTIONS|INPUT|STATE)_)/i,
  gitlab: /^(?:CI$|GITLAB_CI$|(?:CI|GITLAB|FF|RUNNER)_)/i,
};

/**
 * Settings of Lanyard, such as the address to which later steps send a token, and variables of the component for GitLab.
 * Tokens are permitted.
 */
const ownSetting = /^LANYARD_(?!\w+_TOKEN$)/i;

/**
 * The names of the values, as in vault-action: dots become `__`, other characters except letters, digits and `_` are
 * removed. Names of variables are upper case, unless they were given or selected with `**`.
 *
 * @param uses which names are used; ignoresCase: the names of variables are not case-sensitive (Windows); allowed: names
 * of variables that may affect other programs.
 * @throws LanyardError usage: a name is empty, is used twice, or changes how programs run; or a value that no variable
 * can have. No message has a value.
 */
export function nameValues(
  values: readonly Value[],
  ci: CiService,
  uses: {
    readonly outputs: boolean;
    readonly variables: boolean;
    readonly ignoresCase: boolean;
    readonly allowed: readonly string[];
  },
): readonly Exported[] {
  const taken = new Map<string, string>();
  return values.map((each) => {
    const { selection, key, text: value } = each;
    const from = `${JSON.stringify(key)} of ${selection.path}`;
    if (value.includes('\0') || !value.isWellFormed())
      throw usage(`cannot export ${from}: it contains a null character or invalid Unicode`);
    const { output, variable } = namesOf(each, from);
    const effective = uses.ignoresCase ? variable.toUpperCase() : variable;
    if (uses.variables) checkVariable(effective, from, ci, uses.allowed);
    const used = [
      // Names of outputs are not case-sensitive.
      ...(uses.outputs ? [`output ${output.toLowerCase()}`] : []),
      ...(uses.variables ? [`variable ${effective}`] : []),
    ];
    for (const name of used) {
      const other = taken.get(name);
      if (other !== undefined)
        throw usage(`cannot export ${from}: ${other} has the same name`, { hint: renameHint });
      taken.set(name, from);
    }
    return { output, variable, value };
  });
}

const renameHint = "Give it another name: 'PATH KEY | NAME', or a prefix: 'PATH * | PREFIX_'.";

function namesOf({ selection, key }: Value, from: string): Pick<Exported, 'output' | 'variable'> {
  const { name, isUpper } = selection;
  if (selection.key !== undefined && name !== undefined) return { output: name, variable: name };
  const normalized = key.replaceAll('.', '__').replace(/[^A-Za-z0-9_]/gu, '');
  // Shells reserve `_`.
  if (!/[^_]/.test(normalized))
    throw usage(`cannot export ${from}: the key has no letters or digits`, { hint: renameHint });
  const output = `${name ?? ''}${normalized}`.replace(/^(?=\d)/, '_');
  return { output, variable: isUpper ? output.toUpperCase() : output };
}

function checkVariable(variable: string, from: string, ci: CiService, allowed: readonly string[]): void {
  if (variable.includes('-'))
    throw usage(`cannot export ${from}: ${variable} is not a valid name of an environment variable`);
  const problem = `cannot export ${from}: it would set ${variable}, which changes how programs run`;
  if (reserved[ci].test(variable) || ownSetting.test(variable)) throw usage(problem, { hint: renameHint });
  if (isUnsafeVariable(variable) && !allowed.includes(variable))
    throw usage(problem, { hint: `${renameHint} Or use --allow-name ${variable}.` });
}
