/** The names of fields that a response may have; `*`: all. */
export type OutputFields = ReadonlySet<string>;

export const anonymousUser = 'u_anon';

/** Both sets; one with `*` has nothing else. Undefined: not stated. */
export function mergeFields(a: OutputFields | undefined, b: OutputFields | undefined) {
  if (!a || !b) return a ?? b;
  return a.has('*') || b.has('*') ? new Set(['*']) : a.union(b);
}

const all: OutputFields = new Set(['*']);
const forAnonymous: OutputFields = new Set([
  ...['id', 'scope', 'scope_id', 'plugin_id', 'plugin', 'name', 'description', 'type', 'is_primary'],
  ...['primary_auth_method_id', 'authorized_actions', 'authorized_collection_actions'],
]);

/** The fields that a user sees where grants state none. */
export const defaultFields = (user: string): OutputFields => (user === anonymousUser ? forAnonymous : all);

/** The fields of a view that a response may have. */
export function selectFields(view: object, fields: OutputFields): object {
  if (fields.has('*')) return view;
  return Object.fromEntries(Object.entries(view).filter(([name]) => fields.has(name)));
}
