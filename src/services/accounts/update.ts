import * as s from '../core/schema/types.ts';

export const updateQuery = {
  update_mask: s.optional(
    s.list(
      s.string(),
      'Paths of the fields to change, also several separated by commas; default: the fields of the body.',
    ),
  ),
};

/** The paths of the fields to change: `update_mask`, or the paths in the body. */
export function changedPaths({ update_mask }: s.Input<s.ObjectType<typeof updateQuery>>, body: object) {
  if (update_mask) return update_mask.flatMap((mask) => mask.split(',')).map((path) => path.trim());
  const { attributes = null } = body as { readonly attributes?: object | null };
  return [...Object.keys(body), ...Object.keys(attributes ?? {}).map((name) => `attributes.${name}`)];
}

/** The fields to change with their values; null: to unset. */
export const changesIn = <Body extends object, const Name extends keyof Body & string>(
  body: Body,
  names: readonly Name[],
  paths: readonly string[],
) =>
  Object.fromEntries(
    names.filter((name) => paths.includes(name)).map((name) => [name, body[name] ?? null]),
  ) as { readonly [Each in Name]?: Exclude<Body[Each], undefined> };
