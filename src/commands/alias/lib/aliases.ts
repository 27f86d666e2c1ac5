import type { Configuration } from '../../../config/profile.ts';
import { notFound } from '../../../errors.ts';
import { type Alias, readAlias } from '../../../wire/alias.ts';

/** The alias with the name. @throws LanyardError not found. */
export function requireAlias({ aliases = {} }: Configuration, name: string): Alias {
  const stored = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
  if (stored === undefined)
    throw notFound(`alias "${name}" not found`, {
      hint: 'Run `lanyard alias list` for the existing aliases.',
    });
  return readAlias(stored);
}

/** An alias in a result. */
export const aliasData = (name: string, { expansion, isShell }: Alias) => ({
  name,
  expansion,
  shell: isShell,
});
