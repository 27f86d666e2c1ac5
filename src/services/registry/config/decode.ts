import type { Json } from '../../../wire/json.ts';
import { isObject } from '../../core/http/fields.ts';
import { type ConfigEntry, entryShapes, isEntryKind } from './entry.ts';
import { applyShape, ShapeError } from './shape.ts';

/** Fields that the service adds to a response; ignored in a request. */
const indexFields = ['CreateIndex', 'ModifyIndex'].map((name) => name.toLowerCase());

/**
 * Reads an entry from the body of a request into its stored form (docs/protocol/registry.md#config-entries). Field
 * names may be in snake_case.
 *
 * @throws ShapeError
 */
export function decodeEntry(body: Json | undefined): ConfigEntry {
  if (!isObject(body)) throw new ShapeError('a config entry must be an object');
  const fields = Object.entries(body).filter(
    ([name]) => !indexFields.includes(name.replaceAll('_', '').toLowerCase()),
  );
  const kind = fields.find(([name]) => name.toLowerCase() === 'kind')?.[1];
  if (kind === undefined) throw new ShapeError('Payload does not contain a kind/Kind key at the top level');
  if (!isEntryKind(kind)) throw new ShapeError(`invalid config entry kind: ${String(kind)}`);
  const entry = applyShape(Object.fromEntries(fields), entryShapes[kind]) as object;
  return normalizeCase({ ...entry, Kind: kind } as ConfigEntry);
}

/** Lower-case protocols, upper-case methods. */
function normalizeCase(entry: ConfigEntry): ConfigEntry {
  if (entry.Kind === 'service-defaults' && entry.Protocol) {
    return { ...entry, Protocol: entry.Protocol.toLowerCase() };
  }
  if (entry.Kind !== 'service-router' || !entry.Routes) return entry;
  const Routes = entry.Routes.map((route) => {
    const HTTP = route.Match?.HTTP;
    if (!HTTP?.Methods) return route;
    const Methods = HTTP.Methods.map((method) => method.toUpperCase());
    return { ...route, Match: { ...route.Match, HTTP: { ...HTTP, Methods } } };
  });
  return { ...entry, Routes };
}
