import { badRequest } from '../errors.ts';
import type { Entity } from '../model/identity.ts';

// Identity templates in a role's values (docs/protocol/ssh.md#ssh-role): `{{identity.entity.…}}` with any
// prefix and suffix.

/**
 * Expands the templates in a value of a role.
 * @returns undefined if the value expands to nothing: there is no entity, or it has no value at a template's
 * path.
 * @throws SecretsError 400 if an inserted value contains a comma, which would make several names of one, or a
 * control character.
 */
export function expand(value: string, entity: Entity | undefined): string | undefined {
  const [start = '', ...pieces] = value.split('{{');
  let expanded = start;
  for (const piece of pieces) {
    const end = piece.indexOf('}}');
    const resolved = entity && end > 0 ? lookUp(piece.slice(0, end).trim(), entity) : undefined;
    if (!resolved) return undefined;
    if (/[,\p{Cc}]/u.test(resolved)) {
      throw badRequest(
        `template '${value}' could not be rendered: its value contains a comma or a control character`,
      );
    }
    expanded += resolved + piece.slice(end + 2);
  }
  return expanded;
}

/** The role's names that expand to a value, expanded if the role declares them as templates. */
export function expandNames(names: readonly string[], isTemplate: boolean, entity: Entity | undefined) {
  if (!isTemplate) return names;
  return names.map((name) => expand(name, entity)).filter((name) => name !== undefined);
}

function lookUp(path: string, entity: Entity): string | undefined {
  const resolved = /^identity\.entity\.(?:(id|name)|(metadata|aliases)\.(.+))$/.exec(path);
  if (resolved === null) return undefined;
  const [, plain, field, rest = ''] = resolved;
  if (plain === 'id') return entity.id;
  if (plain === 'name') return entity.name;
  return field === 'metadata' ? ownValue(entity.metadata, rest) : lookUpAlias(rest, entity);
}

/** `<mount accessor>.name` or `<mount accessor>.metadata.<key>` */
function lookUpAlias(path: string, entity: Entity): string | undefined {
  const resolved = /^([^.]+)\.(?:name|metadata\.(.+))$/.exec(path);
  if (resolved === null) return undefined;
  const [, accessor, key] = resolved;
  const alias = entity.aliases.find(({ mountAccessor }) => mountAccessor === accessor);
  if (alias === undefined) return undefined;
  return key === undefined ? alias.name : ownValue(alias.metadata, key);
}

function ownValue(values: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}
