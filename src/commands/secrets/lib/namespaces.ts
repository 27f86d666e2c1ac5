import type { SecretsClient } from '../../../api/secrets.ts';
import type { NamespaceProperties } from '../../../api/secrets-sys.ts';
import { arg } from '../../../command/command.ts';
import { describeAs, isNotFound, usage } from '../../../errors.ts';

export const namespaceArg = arg.text('NAMESPACE', 'name of the namespace', {
  completes: 'secrets-namespace',
});

/**
 * The name of a namespace directly below the namespace in the settings.
 *
 * @throws LanyardError usage: a path of several names
 */
export function namespaceName(given: string): string {
  const name = given.replace(/\/$/, '');
  if (!name.includes('/') && name !== '' && !/\s/.test(name)) return name;
  const at = name.lastIndexOf('/');
  throw usage(`invalid namespace name "${given}"`, {
    hint:
      at > 0
        ? `Select the parent namespace with -n: \`${name.slice(at + 1)} -n ${name.slice(0, at)}\`.`
        : 'A name has no slashes and no spaces.',
  });
}

/** @throws LanyardError not_found */
export async function findNamespace(secrets: SecretsClient, name: string): Promise<NamespaceProperties> {
  const { body } = await secrets.readNamespace({ name }).catch(
    describeAs(isNotFound, 'not_found', `namespace "${name}" not found`, {
      hint: 'Run `lanyard secrets namespace list` for the existing namespaces.',
    }),
  );
  return body.data;
}
