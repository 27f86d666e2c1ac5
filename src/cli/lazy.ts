/** Calls `create` on first use, and keeps the result. */
export function lazy<Value>(create: () => Promise<Value>): () => Promise<Value> {
  let created: Promise<Value> | undefined;
  return () => {
    created ??= create();
    return created;
  };
}

/**
 * An object whose async methods are loaded on the first call of one of them.
 *
 * @param load loads the object that has the methods.
 * @param eager members that need no loading.
 */
export function lazyObject<
  Methods extends Record<keyof Methods, (...args: never[]) => Promise<unknown>>,
  Eager extends object = object,
>(load: () => Promise<Methods>, eager?: Eager): Methods & Eager {
  const loaded = lazy(load);
  return new Proxy(Object.freeze({ ...eager }), {
    // A thenable would be called by `await`.
    get: (members, name) =>
      name in members || name === 'then'
        ? Reflect.get(members, name)
        : async (...args: never[]) => (await loaded())[name as keyof Methods](...args),
  }) as Methods & Eager;
}
