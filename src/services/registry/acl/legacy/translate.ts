import { type HclItem, parseHcl } from '../../../../wire/hcl.ts';
import { readJson } from './read-json.ts';
import { writeBody } from './write.ts';

/** Resources whose legacy rules applied to all names with a prefix. */
const prefixResources: ReadonlySet<string> = new Set([
  'agent',
  'key',
  'node',
  'query',
  'service',
  'session',
  'event',
]);

/**
 * Translates legacy rules, in HCL or JSON, into the current syntax: `key "a"` meant every key that begins with `a`,
 * which is `key_prefix "a"` now. Comments and order are kept; the text is formatted
 * (docs/protocol/registry.md#access-control).
 *
 * @throws Error with the cause
 */
export function translateRules(text: string): string {
  const { items, comments } = text.trimStart().startsWith('{') ? readJson(text) : parseHcl(text);
  return writeBody({ items: items.map(translateItem), comments });
}

function translateItem(item: HclItem): HclItem {
  const { body, keys } = item;
  if (!body) return item;
  const [kind, ...labels] = keys;
  const resource = unquoteKey(kind.text);
  const key = prefixResources.has(resource) ? { ...kind, text: `${resource}_prefix` } : kind;
  return { ...item, keys: [key, ...labels], body: { ...body, items: body.items.map(unquotePolicyKey) } };
}

function unquotePolicyKey(item: HclItem): HclItem {
  const [key] = item.keys;
  return key.text === '"policy"' ? { ...item, keys: [{ ...key, text: 'policy' }] } : item;
}

const unquoteKey = (key: string): string => (key.startsWith('"') ? key.slice(1, -1) : key);
