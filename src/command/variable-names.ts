import { usage } from '../errors.ts';
import { isUnsafeVariable } from '../wire/unsafe-variables.ts';
import { flag, type Values } from './command.ts';

export interface Source {
  /** For messages. */
  readonly name: string;
  readonly items: Readonly<Record<string, string>>;
}

/** How names of items become names of environment variables. */
export const environmentFlags = {
  prefix: flag.text('TEXT', 'prefix for all names'),
  upper: flag.boolean('convert names to upper case'),
  allowName: flag.texts('NAME', 'allow a name that affects other programs, such as DOCKER_HOST; repeatable'),
} as const;

type Naming = Values<typeof environmentFlags>;

/**
 * The environment variables for the items.
 *
 * @throws LanyardError usage: a name or value that an environment cannot have, or a duplicate name.
 */
export function environment(sources: readonly Source[], how: Naming): Readonly<Record<string, string>> {
  const variables = new Map<string, { readonly value: string; readonly from: string }>();
  for (const { name: source, items } of sources)
    for (const [key, value] of Object.entries(items)) {
      const from = `"${key}" of ${source}`;
      const name = variableName(key, from, how);
      const other = variables.get(name);
      if (other) throw usage(`cannot run the command: ${other.from} and ${from} both map to ${name}`);
      if (value.includes('\0') || !value.isWellFormed())
        throw usage(`cannot run the command: ${from} contains a null character or invalid Unicode`);
      variables.set(name, { value, from });
    }
  return Object.fromEntries([...variables].map(([name, { value }]) => [name, value]));
}

function variableName(key: string, from: string, { prefix = '', upper, allowName }: Naming): string {
  const name = `${prefix}${key}`.replace(/[^A-Za-z0-9_]/gu, '_').replace(/^(?=\d)/, '_');
  // Shells reserve `_`.
  if (!/[^_]/.test(name))
    throw usage(`cannot run the command: ${from} is not a valid name of an environment variable`);
  const fullName = upper ? name.toUpperCase() : name;
  if (isUnsafeVariable(fullName) && !allowName.includes(fullName))
    throw usage(`cannot run the command: ${from} would set ${fullName}, which changes how programs run`, {
      hint: `Add a prefix to all names with --prefix APP_, or use --allow-name ${fullName}.`,
    });
  return fullName;
}
