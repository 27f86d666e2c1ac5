import type { EntityRecord } from '../model/identity.ts';

// Identity templates in the paths of policies (docs/protocol/secrets.md#policies): `{{identity.entity.…}}`.

/** Values with these would match more than the path that the author of the policy meant. */
const blocked = /[/*+]/;

export const hasTemplate = (path: string): boolean => path.includes('{{');

/** Whether each `{{` has its `}}`. */
export function hasBalancedTemplates(path: string): boolean {
  const [start = '', ...pieces] = path.split('{{');
  return !start.includes('}}') && pieces.every((piece) => piece.split('}}').length === 2);
}

/**
 * The path with values of an entity; undefined, which matches nothing: a value is missing, or contains a slash or
 * a wildcard.
 */
export function expandPath(path: string, entity: EntityRecord | undefined): string | undefined {
  const [start = '', ...pieces] = path.split('{{');
  let expanded = start;
  for (const piece of pieces) {
    const [template = '', rest = ''] = piece.split('}}');
    const value = entity && lookUp(template.trim(), entity);
    if (value === undefined || blocked.test(value)) return undefined;
    expanded += value + rest;
  }
  return expanded;
}

/** Of an entity and its aliases; the service has no groups. */
function lookUp(template: string, entity: EntityRecord): string | undefined {
  const [, own, key = ''] = /^identity\.entity\.(id|name|metadata|aliases)(?:\.(.+))?$/s.exec(template) ?? [];
  if (own === 'metadata') return ownValue(entity.metadata, key);
  if (own === 'id' || own === 'name') return key === '' ? entity[own] || undefined : undefined;
  if (own !== 'aliases') return undefined;
  const [, accessor, field, name = ''] =
    /^([^.]+)\.(id|name|metadata|custom_metadata)(?:\.(.+))?$/s.exec(key) ?? [];
  const alias = entity.aliases.find(({ mountAccessor }) => mountAccessor === accessor);
  if (alias === undefined || field === undefined) return undefined;
  if (field === 'metadata') return ownValue(alias.metadata, name);
  if (field === 'custom_metadata') return ownValue(alias.customMetadata, name);
  return name === '' ? alias[field as 'id' | 'name'] || undefined : undefined;
}

const ownValue = (values: Readonly<Record<string, string>>, key: string): string | undefined =>
  Object.hasOwn(values, key) ? values[key] : undefined;
