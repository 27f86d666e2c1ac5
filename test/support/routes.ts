/** The paths of an operation, with anything in the place of its fields. */
export function routeOf(path: string): RegExp {
  const fields = path
    .replaceAll('.', '\\.')
    .replaceAll(/\{([+*]?)\w+\}/g, (_all, form: string) =>
      form === '*' ? '.*' : form === '+' ? '.+' : '[^/]+',
    );
  return new RegExp(`^${fields}(\\?.*)?$`);
}
