import { parseJson } from '../../../../wire/json.ts';
import { type Body, type Item, readText } from './read.ts';
import { readJson } from './read-json.ts';
import { RulesError } from './tokens.ts';
import { isBody, writeBody } from './write.ts';

/** Resources whose legacy rules were about all names that begin alike. */
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
 * Translates legacy rules, as text or JSON, into the current syntax: `key "a"` meant every key that begins with `a`,
 * which is `key_prefix "a"` now. Comments and order stay; the layout is the usual one
 * (docs/protocol/registry.md#access-control).
 *
 * @throws Error that says what is wrong
 */
export function translateRules(text: string): string {
  const { items, comments } = parse(text);
  return writeBody({ items: items.map(translateItem), comments });
}

function parse(text: string): Body {
  if (!text.trimStart().startsWith('{')) return readText(text);
  const json = parseJson(text);
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new RulesError(1, 'the rules must be an object');
  }
  return readJson(json);
}

function translateItem(item: Item): Item {
  const [kind = '', ...names] = item.keys;
  const { value } = item;
  if (!isBody(value)) return item;
  const resource = unquote(kind);
  const policies = { ...value, items: value.items.map(unquotePolicyKey) };
  return {
    ...item,
    keys: [prefixResources.has(resource) ? `${resource}_prefix` : kind, ...names],
    value: policies,
  };
}

function unquotePolicyKey(item: Item): Item {
  return item.keys[0] === '"policy"' ? { ...item, keys: ['policy'] } : item;
}

function unquote(key: string): string {
  return key.startsWith('"') ? key.slice(1, -1) : key;
}
